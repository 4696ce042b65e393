// What the random operations draw, seen in the pixels that they give.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "stoker/data/augment/detail/test_chain.h"

namespace stoker::data {
namespace {

using test::all_pixels;
using test::chain;
using test::run;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// `num_samples` results of a chain on one picture of `size` height x width.
std::vector<std::vector<int>> draws(const std::string& text, const std::string& png,
                                    std::pair<int, int> size, int channels,
                                    uint64_t num_samples) {
  AugmentProgram program(chain(text), channels, Layout::kNhwc);
  program.set_size(size.first, size.second);
  AugmentScratch scratch;
  std::vector<std::vector<int>> all;
  for (uint64_t i = 0; i < num_samples; ++i)
    all.push_back(all_pixels(run(program, png, {1, 2, i}, scratch)));
  return all;
}

std::string flat(int width, int height, std::array<uint8_t, 3> colour) {
  std::vector<uint8_t> pixels;
  for (int i = 0; i < width * height; ++i)
    pixels.insert(pixels.end(), colour.begin(), colour.end());
  return test::to_png(width, height, pixels);
}

TEST(RandomRotation, TurnsByAnyAngleOfItsInterval) {
  // A white square on the right of the middle; where it went tells the angle.
  constexpr int kSide = 101;
  std::vector<uint8_t> pixels(size_t{kSide} * kSide);
  for (int y = 48; y <= 52; ++y) {
    for (int x = 88; x <= 92; ++x) pixels[static_cast<size_t>(y * kSide + x)] = 255;
  }
  const std::string png =
      test::to_png(kSide, kSide, pixels, {.colour = PNG_COLOR_TYPE_GRAY});
  double sum = 0;
  double least = 1e9;
  double most = -1e9;
  constexpr int kDraws = 1000;
  for (const auto& turned :
       draws("{ random_rotation = [-20, 60] }", png, {kSide, kSide}, 1, kDraws)) {
    double x_sum = 0;
    double y_sum = 0;
    for (size_t i = 0; i < turned.size(); ++i) {
      x_sum += turned[i] * (static_cast<double>(i % kSide) - 50);
      y_sum += turned[i] * (static_cast<double>(i / kSide) - 50);
    }
    const double degrees = std::atan2(-y_sum, x_sum) * 180 / 3.14159265358979;
    sum += degrees;
    least = std::min(least, degrees);
    most = std::max(most, degrees);
  }
  EXPECT_NEAR(sum / kDraws, 20, 3.7);  // 80 / sqrt(12 * 1000) * 5
  EXPECT_NEAR(least, -20, 1.5);
  EXPECT_NEAR(most, 60, 1.5);
  EXPECT_GE(least, -20.8);
  EXPECT_LE(most, 60.8);
}

TEST(RandomAffine, ShiftsByWholePixelsWithinItsShares) {
  std::map<int, int> columns;
  std::map<int, int> rows;
  // Pixel (4, 4) of 9x9 is white; 0.25 * 9 = 2.25 pixels round to -2 .. 2.
  std::vector<uint8_t> pixels(81);
  pixels[40] = 255;
  const std::string png = test::to_png(9, 9, pixels, {.colour = PNG_COLOR_TYPE_GRAY});
  constexpr int kDraws = 4500;
  for (const auto& moved :
       draws("{ random_affine = { degrees = 0, translate = [0.25, 0] } }", png, {9, 9}, 1,
             kDraws)) {
    const auto at = std::find(moved.begin(), moved.end(), 255) - moved.begin();
    ++columns[static_cast<int>(at % 9) - 4];
    ++rows[static_cast<int>(at / 9) - 4];
  }
  EXPECT_EQ(rows.size(), 1U);
  ASSERT_EQ(columns.size(), 5U);
  for (int shift = -1; shift <= 1; ++shift) EXPECT_NEAR(columns[shift], 1000, 140);
  EXPECT_NEAR(columns[-2], 750, 126);  // From -2.25 to -1.5.
  EXPECT_NEAR(columns[2], 750, 126);
}

TEST(RandomAffine, FillsAroundTheImage) {
  const auto shrunk = run(
      {.text = "{ random_affine = { degrees = 0, scale = [0.5, 0.5], fill = [9, 8, 7] "
               "} }"},
      flat(8, 8, {200, 100, 50}), 8, 8);
  EXPECT_THAT(shrunk.pixel(0, 0), ElementsAre(9, 8, 7));
  EXPECT_THAT(shrunk.pixel(4, 4), ElementsAre(200, 100, 50));
  EXPECT_THAT(shrunk.pixel(5, 1), ElementsAre(9, 8, 7));
}

TEST(ColorJitter, DrawsFactorsEvenlyFromBothSides) {
  double sum = 0;
  std::set<int> seen;
  constexpr int kDraws = 2000;
  for (const auto& pixels :
       draws("{ color_jitter = 0.4 }", flat(2, 2, {100, 100, 100}), {2, 2}, 3, kDraws)) {
    sum += pixels[0];
    seen.insert(pixels[0]);
  }
  // 100 times 0.6 to 1.4, cut: 60 to 139, half a level below the mean.
  EXPECT_NEAR(sum / kDraws, 99.5, 2.6);
  EXPECT_EQ(*seen.begin(), 60);
  EXPECT_EQ(*seen.rbegin(), 139);
  EXPECT_EQ(seen.size(), 80U);
}

TEST(ColorJitter, ChangesInAnyOrder) {
  // Brightness 2 and contrast 0.5 do not commute: of (50, 50, 50) and (150, 150, 150)
  // twice each the mean grey is 99, as 0.9999 of a value is cut.
  // Brightness first: 100, 255 -> mean (99 + 254) / 2 -> 138, 215.
  // Contrast first: 74, 124 -> 148, 248.
  std::vector<uint8_t> pixels(6, 50);
  pixels.insert(pixels.end(), 6, 150);
  const std::string png = test::to_png(2, 2, pixels);
  std::map<std::pair<int, int>, int> orders;
  for (const auto& each :
       draws("{ color_jitter = { brightness = [2, 2], contrast = [0.5, 0.5] } }", png,
             {2, 2}, 3, 2000)) {
    ++orders[{each[0], each[6]}];
  }
  ASSERT_EQ(orders.size(), 2U);
  EXPECT_NEAR((orders[{138, 215}]), 1000, 112);
  EXPECT_NEAR((orders[{148, 248}]), 1000, 112);
}

TEST(ColorJitter, LeavesTheOthersAlone) {
  int changed = 0;
  for (const auto& pixels : draws("{ color_jitter = { hue = [0.5, 0.5], p = 0.8 } }",
                                  flat(1, 1, {200, 40, 40}), {1, 1}, 3, 2000)) {
    const bool is_cyan = pixels == std::vector<int>{40, 200, 200};
    EXPECT_TRUE(is_cyan || pixels == (std::vector<int>{200, 40, 40}));
    changed += is_cyan ? 1 : 0;
  }
  EXPECT_NEAR(changed, 1600, 90);
}

TEST(RandomGrayscale, GreysWithItsProbability) {
  int grey = 0;
  for (const auto& pixels :
       draws("\"random_grayscale\"", flat(1, 1, {200, 100, 50}), {1, 1}, 3, 5000)) {
    // floor(0.2989 * 200 + 0.587 * 100 + 0.114 * 50)
    grey += pixels == std::vector<int>{124, 124, 124} ? 1 : 0;
  }
  EXPECT_NEAR(grey, 500, 107);
}

TEST(GaussianBlur, DrawsItsSigma) {
  // One white pixel: the middle keeps the weight of distance 0, which falls with sigma.
  std::vector<uint8_t> pixels(49);
  pixels[24] = 255;
  const std::string png = test::to_png(7, 7, pixels, {.colour = PNG_COLOR_TYPE_GRAY});
  const auto middle_of = [](double sigma) {
    const double weight = 1 + 2 * std::exp(-1 / (2 * sigma * sigma));
    return 255 / weight / weight;
  };
  int least = 255;
  int most = 0;
  for (const auto& blurred :
       draws("{ gaussian_blur = { kernel_size = 3, sigma = [0.5, 2] } }", png, {7, 7}, 1,
             500)) {
    least = std::min(least, blurred[24]);
    most = std::max(most, blurred[24]);
    EXPECT_NEAR(blurred[23], blurred[25], 1);
  }
  EXPECT_NEAR(most, middle_of(0.5), 2);
  EXPECT_NEAR(least, middle_of(2), 1);
}

TEST(GaussianBlur, MirrorsSmallImagesAsOftenAsItMust) {
  const auto sample =
      run({.text = "{ gaussian_blur = 99 }"}, flat(3, 2, {10, 200, 77}), 2, 3);
  EXPECT_THAT(sample.pixel(1, 2), ElementsAre(10, 200, 77));
}

TEST(RandomErasing, DrawsAreaPlaceAndProbability) {
  const std::string png = test::to_png(40, 40, std::vector<uint8_t>(1600, 200),
                                       {.colour = PNG_COLOR_TYPE_GRAY});
  int erased = 0;
  double area = 0;
  std::vector<int> times(1600);
  constexpr int kDraws = 4000;
  for (const auto& pixels :
       draws("{ random_erasing = { p = 0.5, fill = 7 } }", png, {40, 40}, 1, kDraws)) {
    const auto gone = std::count(pixels.begin(), pixels.end(), 7);
    EXPECT_EQ(gone + std::count(pixels.begin(), pixels.end(), 200), 1600);
    erased += gone > 0 ? 1 : 0;
    area += static_cast<double>(gone) / 1600;
    for (size_t i = 0; i < pixels.size(); ++i) times[i] += pixels[i] == 7 ? 1 : 0;
  }
  EXPECT_NEAR(erased, 2000, 159);
  // torchvision's RandomErasing.make_params for 40x40, 60,000 draws in Python: mean area
  // 0.1739, the middle in 0.3938 of them, the middle of the upper border in 0.0302, each
  // corner in 0.0026. Five standard deviations.
  const auto share = [&](size_t pixel) {
    return static_cast<double>(times[pixel]) / erased;
  };
  EXPECT_NEAR(area / erased, 0.1739, 0.01);
  EXPECT_NEAR(share(20 * 40 + 20), 0.3938, 0.055);
  EXPECT_NEAR(share(20), 0.0302, 0.019);
  const double corners = share(0) + share(39) + share(1560) + share(1599);
  EXPECT_NEAR(corners, 0.0103, 0.0115);
  EXPECT_GT(corners, 0);
}

TEST(RandomErasing, MakesNoise) {
  const auto sample = run(
      {.text = "{ random_erasing = { p = 1.0, scale = [0.3, 0.3], fill = \"random\" } }"},
      flat(32, 32, {90, 90, 90}));
  const auto pixels = all_pixels(sample);
  const std::set<int> values(pixels.begin(), pixels.end());
  EXPECT_GT(values.size(), 200U);
  EXPECT_GT(std::count(pixels.begin(), pixels.end(), 90), 2000);
}

TEST(Policies, ChangeMostPicturesInManyWays) {
  const std::string file = test::cifar("train/frog/0004.jpg");
  const auto plain = all_pixels(run({.text = ""}, file));
  for (const char* text : {"{ rand_augment = {} }", "{ trivial_augment_wide = {} }",
                           "{ auto_augment = \"cifar10\" }"}) {
    std::set<std::vector<int>> seen;
    for (const auto& pixels : draws(text, file, {32, 32}, 3, 300)) seen.insert(pixels);
    EXPECT_GT(seen.size(), 60U) << text;
    EXPECT_TRUE(seen.contains(plain)) << text;
  }
}

TEST(Operations, RefuseWrongRangesWithTheirKey) {
  const auto error_of = [](const std::string& text) -> std::string {
    try {
      const AugmentProgram program(chain(text), 3, Layout::kNchw);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  const std::map<std::string, std::string> wrong = {
      {"\"random_rotation\"", "random_rotation.degrees: expected a value"},
      {"{ random_rotation = -5 }", "random_rotation.degrees: expected"},
      {"{ random_rotation = [5, -5] }", "[smallest, largest]"},
      {"{ random_rotation = { degrees = 5, interpolation = \"bicubic\" } }",
       "nearest, bilinear"},
      {"{ random_rotation = { degrees = 5, center = [1] } }", "[x, y]"},
      {"{ random_affine = { degrees = 0, translate = [2, 0] } }",
       "random_affine.translate"},
      {"{ random_affine = { degrees = 0, scale = [0, 1] } }", "random_affine.scale"},
      {"{ random_affine = { degrees = 0, shear = [9, 1, 0, 0] } }", "smallest x"},
      {"{ random_affine = { degrees = 0, shear = 90 } }", "random_affine.shear"},
      {"{ color_jitter = -0.1 }", "color_jitter.brightness"},
      {"{ color_jitter = { hue = 0.6 } }", "color_jitter.hue"},
      {"{ color_jitter = { hu = 0.1 } }", "did you mean 'hue'"},
      {"{ random_grayscale = 2.0 }", "random_grayscale.p"},
      {"\"gaussian_blur\"", "gaussian_blur.kernel_size"},
      {"{ gaussian_blur = 4 }", "odd integer"},
      {"{ gaussian_blur = [3, 4] }", "odd integer"},
      {"{ gaussian_blur = { kernel_size = 3, sigma = 0 } }", "gaussian_blur.sigma"},
      {"{ random_erasing = { fill = \"mean\" } }", "random"},
      {"{ random_erasing = { scale = [0.5, 0.1] } }", "[smallest, largest]"},
      {"{ rand_augment = 31 }", "rand_augment.magnitude: expected"},
      {"{ rand_augment = { num_ops = 0 } }", "rand_augment.num_ops"},
      {"{ trivial_augment_wide = 1 }", "num_magnitude_bins"},
      {"{ auto_augment = \"mnist\" }", "imagenet, cifar10, svhn"},
      {"{ resize = { size = 4, interpolation = \"lanczos\" } }",
       "bilinear, bicubic, box"}};
  for (const auto& [text, expected] : wrong)
    EXPECT_THAT(error_of(text), HasSubstr(expected)) << text;
}

}  // namespace
}  // namespace stoker::data
