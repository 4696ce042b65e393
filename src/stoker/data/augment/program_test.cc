#include "stoker/data/augment/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "stoker/base/strings.h"
#include "stoker/data/augment/detail/test_allocations.h"
#include "stoker/data/augment/detail/test_chain.h"

namespace stoker::data {
namespace {

using test::chain;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A chain of a single operation for each that is registered.
std::map<std::string, std::string> examples() {
  return {
      {"auto_augment", "{ auto_augment = \"cifar10\" }"},
      {"center_crop", "{ center_crop = 24 }"},
      {"color_jitter",
       "{ color_jitter = { brightness = 0.4, contrast = 0.4, "
       "saturation = 0.4, hue = 0.1 } }"},
      {"cutout", "{ cutout = { size = 8 } }"},
      {"gaussian_blur", "{ gaussian_blur = 5 }"},
      {"hflip", "{ hflip = { alternate = true } }"},
      {"normalize", "{ normalize = \"cifar10\" }"},
      {"rand_augment", "{ rand_augment = { interpolation = \"bilinear\" } }"},
      {"random_affine",
       "{ random_affine = { degrees = 20, translate = [0.1, 0.1], "
       "scale = [0.8, 1.2], shear = 10 } }"},
      {"random_crop", "{ random_crop = { size = 32, padding = 4, mode = \"reflect\" } }"},
      {"random_erasing", "{ random_erasing = { fill = \"random\" } }"},
      {"random_grayscale", "{ random_grayscale = 0.5 }"},
      {"random_resized_crop", "{ random_resized_crop = 24 }"},
      {"random_rotation",
       "{ random_rotation = { degrees = 30, interpolation = \"bilinear\" } }"},
      {"resize", "{ resize = { size = [40, 20], interpolation = \"bicubic\" } }"},
      {"trivial_augment_wide", "{ trivial_augment_wide = {} }"},
      {"vflip", "{ vflip = 0.5 }"}};
}

/// Each thread takes every n-th sample.
std::vector<float> run_on_threads(const AugmentProgram& program,
                                  const std::vector<std::string>& files,
                                  size_t num_threads) {
  const auto floats = static_cast<size_t>(program.sample_floats());
  std::vector<float> out(floats * files.size());
  std::vector<std::thread> threads;
  for (size_t first = 0; first < num_threads; ++first) {
    threads.emplace_back([&, first] {
      AugmentScratch scratch;
      for (size_t i = first; i < files.size(); i += num_threads) {
        const Status status = program.run(test::as_bytes(files[i]), {7, 3, i},
                                          out.data() + i * floats, scratch);
        EXPECT_TRUE(status.ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return out;
}

TEST(AugmentProgram, GivesTheSameBitsOnOneAndEightThreads) {
  const std::vector<std::string> files = test::cifar_class("train/cat");
  const auto texts = examples();
  for (const std::string& name : list_augmentations()) {
    ASSERT_TRUE(texts.contains(name)) << "no example for " << name;
    AugmentProgram program(chain(texts.at(name)), 3, Layout::kNchw);
    program.set_size(32, 32);
    EXPECT_EQ(run_on_threads(program, files, 1), run_on_threads(program, files, 8))
        << name;
  }
}

TEST(AugmentProgram, ChangesWithSeedEpochSampleAndPlaceInTheChain) {
  const std::string file = test::cifar("train/frog/0004.jpg");
  const std::string text = "{ random_crop = { size = 32, padding = 4 } }";
  const auto floats = [&](const std::string& chain_text, const SampleKey& key) {
    return test::run({.text = chain_text, .key = key}, file).floats;
  };
  const auto base = floats(text, {1, 1, 1});
  EXPECT_EQ(base, floats(text, {1, 1, 1}));
  EXPECT_NE(base, floats(text, {2, 1, 1}));
  EXPECT_NE(base, floats(text, {1, 2, 1}));
  EXPECT_NE(base, floats(text, {1, 1, 2}));
  EXPECT_NE(base, floats("{ hflip = 0.0 }, " + text, {1, 1, 1}));
}

TEST(AugmentProgram, WritesTheDecodedPixelsInBothLayouts) {
  const std::string file = test::cifar("train/frog/0004.jpg");
  Image image;
  ImageDecoder decoder;
  ASSERT_TRUE(decoder.decode(test::as_bytes(file), 3, image).ok());
  const auto nchw = test::run({.text = "", .layout = Layout::kNchw}, file);
  const auto nhwc = test::run({.text = "", .layout = Layout::kNhwc}, file);
  for (size_t i = 0; i < 1024; ++i) {
    for (size_t c = 0; c < 3; ++c) {
      const float expected = static_cast<float>(image.pixels[3 * i + c]) / 255;
      ASSERT_NEAR(nchw.floats[c * 1024 + i], expected, 1e-6);
      ASSERT_NEAR(nhwc.floats[3 * i + c], expected, 1e-6);
    }
  }
}

TEST(AugmentProgram, JoinsCropsFlipsAndPaddingInAnyOrder) {
  // Rows and columns come one after the other, so a chain is checked against itself done
  // in two programs, with a lossless file between them.
  const std::string first = "{ center_crop = [6, 4] }, { hflip = 1.0 }";
  const std::string second =
      "{ center_crop = [8, 7] }, { vflip = 1.0 }, { center_crop = 3 }";
  const auto between = test::run({.text = first, .channels = 1}, test::numbered(9, 7));
  const auto pixels = test::all_pixels(between);
  const std::string file =
      test::to_png(4, 6, {pixels.begin(), pixels.end()}, {.colour = PNG_COLOR_TYPE_GRAY});
  const auto expected = test::run({.text = second, .channels = 1}, file);
  const auto joined =
      test::run({.text = first + ", " + second, .channels = 1}, test::numbered(9, 7));
  EXPECT_EQ(joined.reason, "");
  EXPECT_EQ(test::all_pixels(joined), test::all_pixels(expected));
}

TEST(AugmentProgram, AllocatesNothingOnceItHasGrown) {
  std::vector<std::string> files = test::cifar_class("train/cat");
  const Image image = test::mosaic(200, 150);
  for (int i = 0; i < 4; ++i) files.push_back(test::to_jpeg(image));
  for (const char* text :
       {"{ center_crop = 32 }, { random_crop = { size = 32, padding = 4 } }, { hflip = "
        "0.5 }, "
        "{ cutout = 8 }, { normalize = \"cifar10\" }",
        "{ random_resized_crop = 64 }, { hflip = {} }, { normalize = \"imagenet\" }",
        "{ resize = 70 }, { center_crop = 64 }",
        "{ random_resized_crop = { size = 64, interpolation = \"bicubic\" } }, "
        "{ color_jitter = { brightness = 0.4, contrast = 0.4, saturation = 0.4, hue = "
        "0.1 "
        "} }, { random_grayscale = 0.5 }, { gaussian_blur = 9 }, { random_erasing = { "
        "fill "
        "= \"random\" } }, { normalize = \"imagenet\" }",
        "{ resize = { size = [48, 40], interpolation = \"box\" } }, { random_rotation = "
        "20 "
        "}, { random_affine = { degrees = 5, interpolation = \"bilinear\" } }, { "
        "rand_augment "
        "= 9 }, { trivial_augment_wide = {} }, { auto_augment = \"svhn\" }"}) {
    AugmentProgram program(chain(text), 3, Layout::kNchw);
    AugmentScratch scratch;
    std::vector<float> slot(static_cast<size_t>(program.sample_floats()));
    const auto run_all = [&](uint64_t epoch) {
      for (size_t i = 0; i < files.size(); ++i) {
        if (!program.run(test::as_bytes(files[i]), {1, epoch, i}, slot.data(), scratch)
                 .ok()) {
          ADD_FAILURE() << text;
        }
      }
    };
    for (uint64_t epoch = 0; epoch < 3; ++epoch) run_all(epoch);
    const int64_t before = test::num_allocations();
    run_all(1);
    EXPECT_EQ(test::num_allocations() - before, 0) << text;
  }
}

TEST(AugmentProgram, SaysWhenASampleHasAnotherSize) {
  const auto sample = test::run({.text = "{ hflip = {} }"}, test::numbered(5, 4));
  EXPECT_THAT(sample.reason,
              HasSubstr("expected 32x32 pixels after the augmentations, got 4x5"));
}

TEST(AugmentProgram, HandsOnTheReasonOfABadFile) {
  for (const char* text : {"{ center_crop = 32 }", "{ random_resized_crop = 32 }"}) {
    EXPECT_EQ(test::run({.text = text}, "").reason, "empty");
    EXPECT_THAT(test::run({.text = text}, "Hello").reason, HasSubstr("not an image"));
    const std::string large = test::to_jpeg(test::mosaic(400, 300));
    ASSERT_GT(large.size(), 32U << 10);
    EXPECT_THAT(test::run({.text = text}, large.substr(0, 300)).reason,
                "truncated at byte 300");
  }
}

TEST(AugmentProgram, KnowsItsSizeFromTheChainOrTheSource) {
  AugmentProgram open(chain("{ hflip = {} }, { normalize = \"cifar10\" }"), 3,
                      Layout::kNchw);
  EXPECT_EQ(open.sample_floats(), 0);
  open.set_size(28, 30);
  EXPECT_EQ(open.height(), 28);
  EXPECT_EQ(open.width(), 30);
  AugmentProgram fixed(chain("{ random_crop = [20, 24] }"), 1, Layout::kNchw);
  EXPECT_EQ(fixed.sample_floats(), 20 * 24);
  fixed.set_size(28, 30);
  EXPECT_EQ(fixed.sample_floats(), 20 * 24);
}

std::vector<std::string> evaluation(const std::string& text) {
  std::vector<std::string> lines;
  for (const auto& each : evaluation_chain(chain(text))) {
    lines.push_back(cat(each.name, " ", each.params.toml()));
  }
  return lines;
}

TEST(EvaluationChain, KeepsWhatIsFixedAndCentresWhatIsRandom) {
  EXPECT_THAT(
      evaluation("{ random_crop = { size = 32, padding = 4 } }, { hflip = { p = 0.5 } }, "
                 "{ cutout = 8 }, { normalize = \"cifar10\" }"),
      ElementsAre("center_crop { size = 32 }", "normalize \"cifar10\""));
  EXPECT_THAT(evaluation("{ random_resized_crop = { size = 224, scale = [0.3, 1] } }, "
                         "{ vflip = {} }, { resize = [8, 9] }"),
              ElementsAre("resize { size = 256 }", "center_crop { size = 224 }",
                          "resize [8, 9]"));
}

TEST(EvaluationChain, OfEachAugmentationCompilesAndGivesEachEpochTheSame) {
  const std::string file = test::cifar("train/frog/0004.jpg");
  for (const auto& [name, text] : examples()) {
    AugmentProgram program(evaluation_chain(chain(text)), 3, Layout::kNchw);
    program.set_size(32, 32);
    AugmentScratch scratch;
    const auto first = test::run(program, file, {1, 0, 0}, scratch);
    EXPECT_EQ(first.reason, "") << name;
    for (uint64_t epoch = 1; epoch < 6; ++epoch) {
      EXPECT_EQ(test::run(program, file, {1, epoch, epoch}, scratch).floats, first.floats)
          << name;
    }
  }
}

TEST(AugmentProgram, DescribesEachStep) {
  const AugmentProgram program(
      chain("{ random_crop = { size = 32, padding = 4, mode = \"reflect\" } }, "
            "{ hflip = { p = 0.5 } }, { normalize = \"cifar10\" }"),
      3, Layout::kNchw);
  EXPECT_THAT(program.describe(),
              ElementsAre("random_crop 32x32, padding 4 reflect",
                          "hflip with probability 0.5", "normalize cifar10"));
}

}  // namespace
}  // namespace stoker::data
