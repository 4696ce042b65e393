#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "stoker/base/strings.h"
#include "stoker/data/augment/detail/test_chain.h"

namespace stoker::data {
namespace {

using test::all_pixels;
using test::chain;
using test::numbered;
using test::run;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string error_of(const std::string& text, int channels = 3) {
  try {
    const AugmentProgram program(chain(text), channels, Layout::kNchw);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalid);
    return error.what();
  }
  return "no error";
}

TEST(CenterCrop, RoundsHalvesToEven) {
  // torchvision's F.center_crop on heights 3, 5, 7, 9 -> 2 and 11 -> 4.
  const std::map<std::pair<int, int>, int> first_rows = {
      {{3, 2}, 0}, {{5, 2}, 2}, {{7, 2}, 2}, {{9, 2}, 4}, {{11, 4}, 4}};
  for (const auto& [sizes, first] : first_rows) {
    const auto& [height, crop] = sizes;
    const auto sample =
        run({.text = cat("{ center_crop = [", crop, ", 1] }"), .channels = 1},
            numbered(1, height));
    EXPECT_EQ(all_pixels(sample).front(), first) << height << " -> " << crop;
  }
}

TEST(CenterCrop, PadsASmallImageWithBlackTheOddPixelAfter) {
  // torchvision pads (4 - 1) // 2 = 1 before and (4 - 1 + 1) // 2 = 2 after.
  const std::string png = test::to_png(1, 1, {9}, {.colour = PNG_COLOR_TYPE_GRAY});
  const auto sample = run({.text = "{ center_crop = [1, 4] }", .channels = 1}, png);
  EXPECT_THAT(all_pixels(sample), ElementsAre(0, 9, 0, 0));
}

TEST(RandomCrop, TakesEachPlaceEquallyOften) {
  // 3x3 pixels, crop 2 with padding 1: 4 x 4 places.
  const AugmentProgram program(chain("{ random_crop = { size = 2, padding = 1 } }"), 1,
                               Layout::kNhwc);
  const std::string png =
      test::to_png(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9}, {.colour = PNG_COLOR_TYPE_GRAY});
  AugmentScratch scratch;
  std::map<std::vector<int>, int> counts;
  constexpr int kDraws = 16000;
  for (uint64_t i = 0; i < kDraws; ++i) {
    ++counts[all_pixels(run(program, png, {1, 0, i}, scratch))];
  }
  EXPECT_EQ(counts.size(), 16U);
  for (const auto& [pixels, count] : counts) {
    EXPECT_NEAR(count, kDraws / 16, 155);  // Five standard deviations.
  }
  EXPECT_TRUE(counts.contains({0, 0, 0, 1}));  // The corner: three of padding.
  EXPECT_TRUE(counts.contains({5, 6, 8, 9}));
}

TEST(RandomCrop, FillsOrMirrorsTheBorder) {
  const std::string png =
      test::to_png(3, 1, {10, 20, 30}, {.colour = PNG_COLOR_TYPE_GRAY});
  // The crop is as large as the padded image, so its place is certain.
  EXPECT_THAT(all_pixels(run({.text = "{ random_crop = { size = [5, 7], padding = 2, "
                                      "fill = 7 } }",
                              .channels = 1},
                             png)),
              ::testing::AllOf(::testing::SizeIs(35), ::testing::Contains(7).Times(32)));
  EXPECT_THAT(
      all_pixels(run({.text = "{ random_crop = { size = [1, 9], padding = 3, mode = "
                              "\"reflect\" } }, { resize = [1, 9] }",
                      .channels = 1},
                     png)),
      // numpy.pad([10, 20, 30], 3, mode="reflect")
      ElementsAre(20, 30, 20, 10, 20, 30, 20, 10, 20));
}

TEST(RandomCrop, PutsTheFillBeforeNormalisation) {
  const std::string png = test::to_png(1, 1, {255, 255, 255});
  const auto sample = run({.text = "{ random_crop = { size = 3, padding = 1 } }, "
                                   "{ normalize = \"cifar10\" }"},
                          png);
  EXPECT_NEAR(sample.floats[0], (0 - 0.4914) / 0.2470, 1e-6);
  EXPECT_NEAR(sample.floats[13], (1 - 0.4822) / 0.2435, 1e-6);
}

TEST(RandomCrop, SaysWhenTheImageIsTooSmall) {
  const auto sample = run({.text = "{ random_crop = { size = 8, padding = 1 } }"},
                          test::to_png(3, 3, std::vector<uint8_t>(27)));
  EXPECT_THAT(sample.reason, HasSubstr("at least 8x8 with padding 1, got 3x3"));
}

TEST(HorizontalFlip, MirrorsWithItsProbability) {
  const std::string png = numbered(3, 2);
  const auto always = run({.text = "{ hflip = { p = 1.0 } }", .channels = 1}, png, 2, 3);
  EXPECT_THAT(all_pixels(always), ElementsAre(2, 1, 0, 5, 4, 3));
  const AugmentProgram program(chain("{ center_crop = [1, 2] }, { hflip = 0.3 }"), 1,
                               Layout::kNhwc);
  AugmentScratch scratch;
  int flipped = 0;
  for (uint64_t i = 0; i < 10000; ++i) {
    flipped += all_pixels(run(program, png, {1, 5, i}, scratch))[0] == 1 ? 1 : 0;
  }
  EXPECT_NEAR(flipped, 3000, 230);  // Five standard deviations.
}

TEST(HorizontalFlip, AlternatesFromEpochToEpoch) {
  const std::string png = numbered(3, 1);
  const AugmentProgram program(
      chain("{ center_crop = [1, 3] }, { hflip = { alternate = true } }"), 1,
      Layout::kNhwc);
  AugmentScratch scratch;
  const auto flipped = [&](uint64_t epoch, uint64_t sample) {
    return all_pixels(run(program, png, {1, epoch, sample}, scratch))[0] == 2;
  };
  int first = 0;
  for (uint64_t sample = 0; sample < 1000; ++sample) {
    first += flipped(0, sample) ? 1 : 0;
    EXPECT_NE(flipped(0, sample), flipped(1, sample));
    EXPECT_EQ(flipped(0, sample), flipped(2, sample));
  }
  EXPECT_NEAR(first, 500, 79);
}

TEST(VerticalFlip, TurnsTheRowsOver) {
  EXPECT_THAT(
      all_pixels(run({.text = "{ vflip = 1.0 }", .channels = 1}, numbered(2, 3), 3, 2)),
      ElementsAre(4, 5, 2, 3, 0, 1));
}

TEST(Flips, OfWideRowsMirrorEveryPixel) {
  const Image image = test::mosaic(75, 3);
  const std::string png = test::to_png(75, 3, image.pixels);
  for (const int channels : {1, 3}) {
    const auto plain = run({.text = "", .channels = channels}, png, 3, 75);
    const auto mirrored =
        run({.text = "{ hflip = 1.0 }", .channels = channels}, png, 3, 75);
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 75; ++x)
        EXPECT_EQ(mirrored.pixel(y, x), plain.pixel(y, 74 - x));
    }
  }
}

TEST(Cutout, BlanksASquareAroundAnyPixel) {
  const std::string png =
      test::to_png(6, 6, std::vector<uint8_t>(36, 200), {.colour = PNG_COLOR_TYPE_GRAY});
  const AugmentProgram program(
      chain("{ center_crop = 6 }, { cutout = { size = 4, fill = 9 } }"), 1,
      Layout::kNhwc);
  AugmentScratch scratch;
  std::map<std::ptrdiff_t, int> areas;
  for (uint64_t i = 0; i < 3600; ++i) {
    const auto pixels = all_pixels(run(program, png, {1, 0, i}, scratch));
    const auto blank = std::count(pixels.begin(), pixels.end(), 9);
    EXPECT_EQ(blank + std::count(pixels.begin(), pixels.end(), 200), 36);
    ++areas[blank];
  }
  // Along an axis centre 0 .. 5 leaves 2, 3, 4, 4, 4, 3 pixels: 16 where both leave 4.
  EXPECT_NEAR(areas[16], 3600 * 9 / 36, 130);
  EXPECT_NEAR(areas[4], 3600 * 1 / 36, 50);
}

TEST(Cutout, StaysInPlaceWhenTheImageIsFlippedAfterwards) {
  const std::string png = numbered(5, 5);
  for (uint64_t i = 0; i < 20; ++i) {
    const SampleKey key{1, 0, i};
    const auto plain =
        run({.text = "{ cutout = { size = 2, fill = 255 } }", .channels = 1, .key = key},
            png, 5, 5);
    const auto turned =
        run({.text = "{ cutout = { size = 2, fill = 255 } }, { hflip = 1.0 }, "
                     "{ vflip = 1.0 }",
             .channels = 1,
             .key = key},
            png, 5, 5);
    auto expected = all_pixels(plain);
    std::reverse(expected.begin(), expected.end());
    EXPECT_EQ(all_pixels(turned), expected);
  }
}

TEST(Resize, TakesTheShorterSideAsTorchvisionDoes) {
  AugmentProgram program(chain("{ resize = 256 }"), 3, Layout::kNchw);
  EXPECT_EQ(program.height(), 0);  // Depends on the image.
  program.set_size(375, 500);
  EXPECT_EQ(program.height(), 256);
  EXPECT_EQ(program.width(), 341);  // int(256 * 500 / 375)
  program.set_size(500, 333);
  EXPECT_EQ(program.height(), 384);
  EXPECT_EQ(program.width(), 256);
}

TEST(Normalize, EqualsToTensorAndNormalize) {
  const std::vector<std::pair<std::string, std::array<std::array<float, 3>, 2>>> presets =
      {{"\"cifar10\"", {{{0.4914F, 0.4822F, 0.4465F}, {0.2470F, 0.2435F, 0.2616F}}}},
       {"\"cifar100\"", {{{0.5071F, 0.4865F, 0.4409F}, {0.2673F, 0.2564F, 0.2762F}}}},
       {"\"imagenet\"", {{{0.485F, 0.456F, 0.406F}, {0.229F, 0.224F, 0.225F}}}},
       {"{ mean = [0.5, 0.4, 0.3], std = [0.1, 0.2, 1] }",
        {{{0.5F, 0.4F, 0.3F}, {0.1F, 0.2F, 1.0F}}}}};
  std::vector<uint8_t> pixels;
  for (int i = 0; i < 256; ++i) pixels.insert(pixels.end(), 3, static_cast<uint8_t>(i));
  const std::string png = test::to_png(16, 16, pixels);
  for (const auto& [text, numbers] : presets) {
    for (const Layout layout : {Layout::kNchw, Layout::kNhwc}) {
      const auto sample =
          run({.text = cat("{ normalize = ", text, " }"), .layout = layout}, png, 16, 16);
      for (size_t i = 0; i < 256; ++i) {
        for (size_t c = 0; c < 3; ++c) {
          const float expected =
              (static_cast<float>(i) / 255 - numbers[0].at(c)) / numbers[1].at(c);
          const size_t at = layout == Layout::kNchw ? c * 256 + i : i * 3 + c;
          EXPECT_NEAR(sample.floats[at], expected, 1e-6) << text << " value " << i;
        }
      }
    }
  }
}

TEST(RandomResizedCrop, DrawsAreaAndAspectInTheirIntervals) {
  // A gradient in both directions: mean and slope of the result tell what was cut out.
  Image image{100, 100, 3, std::vector<uint8_t>(30000)};
  for (int y = 0; y < 100; ++y) {
    for (int x = 0; x < 100; ++x) {
      uint8_t* pixel = image.row(y) + static_cast<size_t>(x) * 3;
      pixel[0] = static_cast<uint8_t>(2 * x);
      pixel[1] = static_cast<uint8_t>(2 * y);
    }
  }
  const std::string png = test::to_png(100, 100, image.pixels);
  const AugmentProgram program(chain("{ random_resized_crop = 10 }"), 3, Layout::kNhwc);
  AugmentScratch scratch;
  double area_sum = 0;
  constexpr int kDraws = 2000;
  for (uint64_t i = 0; i < kDraws; ++i) {
    const auto sample = run(program, png, {1, 0, i}, scratch);
    // Columns 2 and 7 are half a crop apart, away from the borders.
    const double width = (sample.pixel(5, 7)[0] - sample.pixel(5, 2)[0]) / 2.0 * 2;
    const double height = (sample.pixel(7, 5)[1] - sample.pixel(2, 5)[1]) / 2.0 * 2;
    area_sum += width * height / 1e4;
    EXPECT_GT(width / height, 0.68);
    EXPECT_LT(width / height, 1.48);
  }
  // Uniform in 0.08 .. 1 would give 0.54; draws that do not fit are repeated, which
  // favours small ones. torchvision's get_params for 100x100, 200,000 draws in Python:
  // mean 0.4817.
  EXPECT_NEAR(area_sum / kDraws, 0.4817, 0.02);
}

TEST(RandomResizedCrop, DecodesOnlyItsRegionWithTheSameResult) {
  // Above and below the size from which only the region is decoded; PNG after PNG of the
  // same pixels, one with its colours compressed badly.
  const Image image = test::mosaic(160, 120);
  const std::string small = test::to_jpeg(image, {.quality = 60});
  std::string large = small;
  // A comment segment makes the file large without changing a pixel.
  large.insert(2, std::string("\xFF\xFE\xFF\xF0", 4) + std::string(0xFFF0 - 2, ' '));
  ASSERT_LT(small.size(), 16U << 10);
  for (const char* text :
       {"{ random_resized_crop = 48 }, { hflip = {} }, { normalize = \"imagenet\" }",
        "{ random_crop = 50 }", "{ center_crop = 50 }",
        "{ hflip = 1.0 }, { center_crop = 50 }",
        "{ random_crop = { size = 120, padding = 10, mode = \"reflect\" } }",
        "{ resize = 60 }, { center_crop = 56 }"}) {
    for (uint64_t i = 0; i < 20; ++i) {
      const auto whole = run({.text = text, .key = {1, 0, i}}, small);
      const auto part = run({.text = text, .key = {1, 0, i}}, large);
      EXPECT_EQ(whole.reason, "");
      ASSERT_EQ(whole.floats, part.floats) << text;
    }
  }
}

TEST(Operations, NameTheLineOfAWrongParameter) {
  EXPECT_THAT(error_of("{ hflp = {} }"),
              ::testing::AllOf(StartsWith("[recipe] recipe.toml:2: "),
                               HasSubstr("'hflp'"), HasSubstr("did you mean 'hflip'")));
  EXPECT_THAT(
      error_of("{ random_crop = { size = 32, paddin = 4 } }"),
      ::testing::AllOf(HasSubstr("recipe.toml:2"), HasSubstr("random_crop.paddin"),
                       HasSubstr("did you mean 'padding'")));
  EXPECT_THAT(error_of("{ hflip = { p = 1.5 } }"), HasSubstr("hflip.p: expected"));
  EXPECT_THAT(error_of("{ hflip = \"yes\" }"), HasSubstr("hflip.p: expected"));
  EXPECT_THAT(error_of("{ resize = 0 }"), HasSubstr("resize.size: expected"));
  EXPECT_THAT(error_of("{ resize = [1, 2, 3] }"), HasSubstr("resize.size: expected"));
  EXPECT_THAT(error_of("\"random_crop\""), HasSubstr("random_crop.size: expected"));
  EXPECT_THAT(error_of("{ random_crop = { size = 4, mode = \"mirror\" } }"),
              HasSubstr("zero, reflect"));
  EXPECT_THAT(error_of("{ random_crop = { size = 4, mode = \"reflect\", fill = 3 } }"),
              HasSubstr("random_crop.fill"));
  EXPECT_THAT(error_of("{ cutout = { size = 4, fill = [1, 2] } }"),
              HasSubstr("list of 3"));
  EXPECT_THAT(error_of("{ random_resized_crop = { size = 4, scale = [1, 0.5] } }"),
              HasSubstr("[smallest, largest]"));
  EXPECT_THAT(error_of("{ normalize = \"cifar\" }"),
              HasSubstr("cifar10, cifar100, imagenet"));
  EXPECT_THAT(error_of("{ normalize = { mean = [0.5], std = [0.5] } }"),
              HasSubstr("normalize.mean: expected a list of 3"));
  EXPECT_THAT(error_of("{ normalize = { mean = [1, 1, 1], std = [0, 1, 1] } }"),
              HasSubstr("normalize.std"));
  EXPECT_THAT(error_of("{ normalize = \"cifar10\" }", 1), HasSubstr("1 channel"));
  EXPECT_THAT(
      error_of("{ normalize = \"cifar10\" }, { hflip = {} }"),
      HasSubstr("expected normalize as the last augmentation, got 'hflip' after it"));
}

}  // namespace
}  // namespace stoker::data
