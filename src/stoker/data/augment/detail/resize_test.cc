#include "stoker/data/augment/detail/resize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "stoker/data/codecs/detail/test_images.h"

namespace stoker::data::detail {
namespace {

using ::testing::ElementsAre;

Image resized(const Image& in, int width, int height,
              const std::optional<Region>& region = std::nullopt,
              Filter filter = Filter::kBilinear) {
  Image out;
  ResizeScratch scratch;
  resize(in, region.value_or(Region{0, 0, in.width, in.height}), width, height, filter,
         out, scratch);
  return out;
}

TEST(Resize, HalvesWithTheWidenedTriangle) {
  // Weights of output 0: triangle of half width 2 around 1.0 at 0.5, 1.5, 2.5
  // = 0.75, 0.75, 0.25, over their sum 1.75; output 1 mirrors it.
  // 0: (0 + 75 + 50) / 1.75 = 71.43; 1: (25 + 150 + 191.25) / 1.75 = 209.29
  const Image row{4, 1, 1, {0, 100, 200, 255}};
  EXPECT_THAT(resized(row, 2, 1).pixels, ElementsAre(71, 209));
  const Image column{1, 4, 1, {0, 100, 200, 255}};
  EXPECT_THAT(resized(column, 1, 2).pixels, ElementsAre(71, 209));
}

TEST(Resize, DoublesByInterpolation) {
  // Centres fall at -0.25, 0.25, 0.75, 1.25 between the two pixels.
  const Image row{2, 1, 3, {0, 40, 200, 100, 80, 0}};
  EXPECT_THAT(resized(row, 4, 1).pixels,
              ElementsAre(0, 40, 200, 25, 50, 150, 75, 70, 50, 100, 80, 0));
}

TEST(Resize, AveragesWithTheBox) {
  const Image row{6, 1, 1, {0, 100, 200, 255, 31, 32}};
  EXPECT_THAT(resized(row, 3, 1, {}, Filter::kBox).pixels, ElementsAre(50, 228, 32));
  EXPECT_THAT(resized(row, 12, 1, {}, Filter::kBox).pixels,
              ElementsAre(0, 0, 100, 100, 200, 200, 255, 255, 31, 31, 32, 32));
}

TEST(Resize, OvershootsWithTheCubicAndStaysWithinAByte) {
  // Doubled: distances 1.75, 0.75, 0.25, 1.25 have weights -0.0234375, 0.2265625,
  // 0.8671875, -0.0703125.
  const Image row{4, 1, 1, {0, 0, 255, 255}};
  const Image out = resized(row, 8, 1, {}, Filter::kBicubic);
  // Outputs 3 and 4 lie at 1.25 and 1.75: 255 * (0.2265625 - 0.0234375) = 51.8.
  EXPECT_EQ(out.pixels[3], 52);
  EXPECT_EQ(out.pixels[4], 203);
  EXPECT_EQ(out.pixels[2], 0);    // 255 * -0.0703125, cut off.
  EXPECT_EQ(out.pixels[5], 255);  // The other side.
}

// Pillow 13.0.0: Image.resize((20, 24), BILINEAR) of train/airplane/0012.jpg.
TEST(Resize, AgreesWithPillowOnARealImage) {
  ImageDecoder decoder;
  Image image;
  const std::string file = test::cifar("train/airplane/0012.jpg");
  ASSERT_TRUE(decoder.decode(test::as_bytes(file), 3, image).ok());
  const Image out = resized(image, 20, 24);
  const auto expect_pixel = [&out](int x, int y, std::array<int, 3> expected) {
    for (size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(out.row(y)[static_cast<size_t>(x) * 3 + c], expected.at(c), 1);
    }
  };
  expect_pixel(0, 0, {85, 150, 178});
  expect_pixel(10, 12, {104, 103, 91});
  expect_pixel(19, 23, {121, 125, 125});
  std::array<int, 3> sums{};
  for (size_t i = 0; i < out.pixels.size(); ++i) sums.at(i % 3) += out.pixels[i];
  EXPECT_NEAR(sums[0], 58131, 24);  // A twentieth of a level a pixel.
  EXPECT_NEAR(sums[1], 64601, 24);
  EXPECT_NEAR(sums[2], 71357, 24);
}

TEST(Resize, OfARegionSeesNothingAroundIt) {
  const Image image = test::mosaic(96, 80);
  const Region region{17, 9, 41, 33};
  Image part{region.width, region.height, 3, {}};
  for (int y = 0; y < region.height; ++y) {
    const uint8_t* from = image.row(region.y + y) + static_cast<size_t>(region.x) * 3;
    part.pixels.insert(part.pixels.end(), from, from + part.row_bytes());
  }
  for (const auto& [width, height] : {std::pair{20, 50}, {41, 33}, {7, 3}, {64, 64}}) {
    EXPECT_EQ(resized(image, width, height, region).pixels,
              resized(part, width, height).pixels);
  }
}

TEST(Resize, TreatsEachChannelAsAGreyImage) {
  const Image image = test::mosaic(75, 53);
  for (const auto& [width, height] : {std::pair{224, 224}, {16, 9}, {1, 1}}) {
    const Image out = resized(image, width, height);
    for (size_t c = 0; c < 3; ++c) {
      Image channel{75, 53, 1, {}};
      for (size_t i = c; i < image.pixels.size(); i += 3) {
        channel.pixels.push_back(image.pixels[i]);
      }
      const Image grey = resized(channel, width, height);
      for (size_t i = 0; i < grey.pixels.size(); ++i) {
        ASSERT_EQ(out.pixels[3 * i + c], grey.pixels[i]);
      }
    }
  }
}

}  // namespace
}  // namespace stoker::data::detail
