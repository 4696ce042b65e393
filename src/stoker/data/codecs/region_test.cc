#include <gtest/gtest.h>

#include <cstring>

#include "stoker/base/random.h"
#include "stoker/data/codecs/detail/test_images.h"
#include "stoker/data/codecs/image.h"

namespace stoker::data {
namespace {

using test::as_bytes;

Region random_region(const Image& image, KeyedRandom& random) {
  const auto below = [&random](int bound) {
    return static_cast<int>(random.below(static_cast<uint64_t>(bound)));
  };
  Region region;
  region.x = below(image.width);
  region.y = below(image.height);
  region.width = 1 + below(image.width - region.x);
  region.height = 1 + below(image.height - region.y);
  return region;
}

::testing::AssertionResult same_pixels(const Image& part, const Image& whole,
                                       const Region& region) {
  for (int y = 0; y < region.height; ++y) {
    const uint8_t* expected =
        whole.row(region.y + y) +
        static_cast<size_t>(region.x) * static_cast<size_t>(whole.channels);
    if (std::memcmp(part.row(y), expected, part.row_bytes()) != 0) {
      return ::testing::AssertionFailure()
             << "row " << y << " of region " << region.width << "x" << region.height
             << " at (" << region.x << ", " << region.y << ")";
    }
  }
  return ::testing::AssertionSuccess();
}

void expect_regions_equal_whole(const std::string& file, int channels, int rounds,
                                KeyedRandom& random) {
  ImageDecoder decoder;
  Image whole;
  Image part;
  ASSERT_TRUE(decoder.decode(as_bytes(file), channels, whole).ok());
  for (int round = 0; round < rounds; ++round) {
    const Region region = random_region(whole, random);
    ASSERT_TRUE(decoder.decode(as_bytes(file), channels, part, region).ok());
    ASSERT_EQ(part.width, region.width);
    ASSERT_EQ(part.height, region.height);
    ASSERT_TRUE(same_pixels(part, whole, region));
  }
}

TEST(RegionDecode, EqualsTheWholeImageForEverySampling) {
  KeyedRandom random(3, 0, 0, 0);
  const Image image = test::mosaic(131, 97);
  for (const bool progressive : {false, true}) {
    for (const auto& [h, v] : {std::pair{1, 1}, {2, 1}, {1, 2}, {2, 2}, {4, 1}, {4, 2}}) {
      SCOPED_TRACE(::testing::Message()
                   << h << "x" << v << " progressive " << progressive);
      const std::string jpeg = test::to_jpeg(
          image,
          {.h_samp = h, .v_samp = v, .progressive = progressive, .restart_interval = 5});
      expect_regions_equal_whole(jpeg, 3, 120, random);
      expect_regions_equal_whole(jpeg, 1, 10, random);
    }
  }
}

TEST(RegionDecode, EqualsTheWholeImageForGreyCmykAndPng) {
  KeyedRandom random(4, 0, 0, 0);
  const Image image = test::mosaic(70, 51);
  Image grey{210, 51, 1, image.pixels};
  Image cmyk{52, 51, 4, image.pixels};
  expect_regions_equal_whole(test::to_jpeg(grey), 1, 60, random);
  expect_regions_equal_whole(test::to_jpeg(grey), 3, 60, random);
  expect_regions_equal_whole(test::to_jpeg(cmyk), 3, 60, random);
  expect_regions_equal_whole(test::to_png(70, 51, image.pixels), 3, 60, random);
  expect_regions_equal_whole(test::to_png(70, 51, image.pixels, {.interlaced = true}), 1,
                             60, random);
}

TEST(RegionDecode, EqualsTheWholeImageOnImageNet) {
  const std::vector<std::string> files = test::imagenet_sample(40);
  if (files.empty()) GTEST_SKIP() << "the sample of ImageNet is not here";
  KeyedRandom random(6, 0, 0, 0);
  for (const std::string& file : files) expect_regions_equal_whole(file, 3, 4, random);
}

TEST(RegionDecode, EqualsTheWholeImageInEveryOrientation) {
  KeyedRandom random(5, 0, 0, 0);
  const std::string jpeg = test::to_jpeg(test::mosaic(70, 51));
  for (int orientation = 1; orientation <= 8; ++orientation) {
    expect_regions_equal_whole(test::with_exif(jpeg, orientation), 3, 30, random);
  }
}

}  // namespace
}  // namespace stoker::data
