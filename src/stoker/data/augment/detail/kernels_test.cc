#include "stoker/data/augment/detail/kernels.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "stoker/data/augment/detail/test_chain.h"

namespace stoker::data::detail {
namespace {

/// Everything the kernels do, on sizes that no vector length divides.
std::vector<std::vector<float>> outcomes() {
  const std::string file = test::to_jpeg(test::mosaic(83, 61));
  std::vector<std::vector<float>> all;
  for (const char* text :
       {"{ hflip = 1.0 }, { normalize = \"imagenet\" }",
        "{ random_resized_crop = [37, 51] }, { hflip = 1.0 }", "{ resize = [90, 101] }",
        "{ color_jitter = { contrast = [0.7, 0.7], saturation = [1.3, "
        "1.3], hue = [0.2, 0.2] } }, { gaussian_blur = 5 }",
        "{ random_grayscale = 1.0 }",
        "{ rand_augment = { num_ops = 40 "
        "} }"}) {
    for (const int channels : {1, 3}) {
      for (const Layout layout : {Layout::kNchw, Layout::kNhwc}) {
        if (channels == 1 && std::string(text).find("imagenet") != std::string::npos)
          continue;
        all.push_back(test::run({.text = text, .channels = channels, .layout = layout},
                                file, 61, 83)
                          .floats);
      }
    }
  }
  return all;
}

TEST(Kernels, GiveTheSameBitsOnEveryKindOfCpu) {
  const auto expected = outcomes();
  int num_kinds = 0;
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::GetChosenTarget().Update(target);
    EXPECT_EQ(outcomes(), expected) << hwy::TargetName(target);
    ++num_kinds;
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  EXPECT_GE(num_kinds, 1);
}

TEST(Kernels, ReverseRowsOfAnyLength) {
  for (const size_t channels : {1U, 3U}) {
    for (size_t num_pixels = 1; num_pixels < 70; ++num_pixels) {
      std::vector<uint8_t> in(num_pixels * channels);
      for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<uint8_t>(i);
      std::vector<uint8_t> out(in.size());
      reverse_pixels(in.data(), num_pixels, channels, out.data());
      for (size_t i = 0; i < in.size(); ++i) {
        const size_t pixel = num_pixels - 1 - i / channels;
        ASSERT_EQ(out[i], in[pixel * channels + i % channels]);
      }
    }
  }
}

}  // namespace
}  // namespace stoker::data::detail
