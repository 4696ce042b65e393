#include "stoker/data/codecs/image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "stoker/base/random.h"
#include "stoker/base/strings.h"
#include "stoker/data/codecs/detail/test_images.h"

namespace stoker::data {
namespace {

using test::as_bytes;
using test::to_jpeg;
using test::to_png;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Image decoded(const std::string& content, int channels = 3,
              const std::optional<Region>& region = std::nullopt) {
  ImageDecoder decoder;
  Image image;
  const Status status = decoder.decode(as_bytes(content), channels, image, region);
  EXPECT_TRUE(status.ok()) << (status.ok() ? "" : status.reason());
  return image;
}

std::string failure(const std::string& content) {
  ImageDecoder decoder;
  Image image;
  const Status status = decoder.decode(as_bytes(content), 3, image);
  return status.ok() ? "no failure" : status.reason();
}

std::string from_base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<uint32_t>(kDigits.find(c));
    count += 6;
    if (count >= 8) out.push_back(static_cast<char>(bits >> (count -= 8) & 0xFF));
  }
  return out;
}

// Values of Pillow 13.0.0: np.asarray(Image.open(...).convert("RGB")).
TEST(ImageDecoder, DecodesARealJpegToThePixelsOfPillow) {
  const Image image = decoded(test::cifar("train/airplane/0012.jpg"));
  ASSERT_EQ(image.pixels.size(), 32U * 32 * 3);
  uint64_t weighted = 0;
  for (size_t i = 0; i < image.pixels.size(); ++i)
    weighted += image.pixels[i] * (i % 251);
  EXPECT_EQ(weighted, 51195361U);
  EXPECT_THAT(std::vector(image.row(0), image.row(0) + 3), ElementsAre(91, 155, 182));
  EXPECT_THAT(std::vector(image.row(10) + 60, image.row(10) + 63),
              ElementsAre(95, 128, 145));
}

TEST(ImageDecoder, ResolvesAPalette) {
  const std::string png = from_base64(
      "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACAgMAAAAP2OW3AAAADFBMVEX/AAAA/"
      "wAAAP8KFB4iiCkEAAAADElEQVR4nG"
      "MQYNgAAADkAMEnqOhXAAAAAElFTkSuQmCC");
  EXPECT_THAT(decoded(png).pixels,
              ElementsAre(255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30));
  EXPECT_THAT(decoded(png, 1).pixels, ElementsAre(76, 150, 29, 18));
}

TEST(ImageDecoder, GivesGreyAndColourTheChannelsAskedFor) {
  const std::string grey = to_png(2, 1, {0, 255}, {.colour = PNG_COLOR_TYPE_GRAY});
  const std::string colour = to_png(2, 1, {1, 2, 3, 4, 5, 6});
  EXPECT_THAT(decoded(grey).pixels, ElementsAre(0, 0, 0, 255, 255, 255));
  EXPECT_THAT(decoded(colour).pixels, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(decoded(grey, 1).pixels, ElementsAre(0, 255));
  EXPECT_THAT(decoded(colour, 1).pixels, ElementsAre(2, 5));
}

TEST(ImageDecoder, GivesAGreyJpegBothNumbersOfChannels) {
  Image ramp{64, 1, 1, std::vector<uint8_t>(64)};
  std::iota(ramp.pixels.begin(), ramp.pixels.end(), uint8_t{100});
  const std::string jpeg = to_jpeg(ramp, {.quality = 100});
  const Image grey = decoded(jpeg, 1);
  const Image colour = decoded(jpeg, 3);
  for (size_t i = 0; i < 64; ++i) {
    EXPECT_NEAR(grey.pixels[i], 100 + static_cast<int>(i), 2);
    EXPECT_EQ(colour.pixels[3 * i], grey.pixels[i]);
    EXPECT_EQ(colour.pixels[3 * i + 2], grey.pixels[i]);
  }
}

TEST(ImageDecoder, ReadsCmykAsAdobeWritesIt) {
  // Ink (200, 100, 50, 30), stored inverted. Pillow: 225 - 200 * 225 / 255 = 49, 137,
  // 181.
  Image ink{16, 16, 4, {}};
  for (int i = 0; i < 256; ++i) ink.pixels.insert(ink.pixels.end(), {55, 155, 205, 225});
  const std::string jpeg = to_jpeg(ink, {.quality = 100});
  const Image image = decoded(jpeg);
  EXPECT_THAT(std::vector(image.row(5), image.row(5) + 3), ElementsAre(49, 137, 181));
  // (299 * 49 + 587 * 137 + 114 * 181) / 1000 = 115.7
  EXPECT_EQ(decoded(jpeg, 1).pixels[0], 116);
}

TEST(ImageDecoder, ScalesSixteenBitsAndDropsAlpha) {
  // 65535 -> 255, 0x8080 -> 128, 200 / 257 -> 1.
  const std::string deep =
      to_png(1, 1, {0xFF, 0xFF, 0x80, 0x80, 0x00, 0xC8}, {.depth = 16});
  EXPECT_THAT(decoded(deep).pixels, ElementsAre(255, 128, 1));
  const std::string alpha =
      to_png(1, 1, {10, 20, 30, 0}, {.colour = PNG_COLOR_TYPE_RGB_ALPHA});
  EXPECT_THAT(decoded(alpha).pixels, ElementsAre(10, 20, 30));
  const std::string grey_alpha =
      to_png(1, 1, {77, 3}, {.colour = PNG_COLOR_TYPE_GRAY_ALPHA});
  EXPECT_THAT(decoded(grey_alpha).pixels, ElementsAre(77, 77, 77));
  EXPECT_THAT(decoded(grey_alpha, 1).pixels, ElementsAre(77));
}

TEST(ImageDecoder, IgnoresTheTransparencyOfAPalette) {
  const std::string png = to_png(2, 1, {0x40},
                                 {.depth = 2,
                                  .colour = PNG_COLOR_TYPE_PALETTE,
                                  .palette = {{1, 2, 3}, {4, 5, 6}},
                                  .palette_alpha = {0, 128}});
  EXPECT_THAT(decoded(png).pixels, ElementsAre(4, 5, 6, 1, 2, 3));
}

TEST(ImageDecoder, ExpandsGreyOfFewBits) {
  // 1 bit: 1 0; 2 bits: 3 1 -> 255, 85; 4 bits: 15 1 -> 255, 17.
  EXPECT_THAT(
      decoded(to_png(2, 1, {0x80}, {.depth = 1, .colour = PNG_COLOR_TYPE_GRAY}), 1)
          .pixels,
      ElementsAre(255, 0));
  EXPECT_THAT(
      decoded(to_png(2, 1, {0xD0}, {.depth = 2, .colour = PNG_COLOR_TYPE_GRAY}), 1)
          .pixels,
      ElementsAre(255, 85));
  EXPECT_THAT(
      decoded(to_png(2, 1, {0xF1}, {.depth = 4, .colour = PNG_COLOR_TYPE_GRAY}), 1)
          .pixels,
      ElementsAre(255, 17));
}

// The upright image is "abc / def"; rows below are what a camera held otherwise stores
// (EXIF 2.3, tag 0x0112: where row 0 and column 0 lie).
TEST(ImageDecoder, TurnsEachOrientationUpright) {
  struct Case {
    int orientation;
    int width;
    const char* stored;
  };
  const std::vector<Case> cases = {{1, 3, "abcdef"}, {2, 3, "cbafed"}, {3, 3, "fedcba"},
                                   {4, 3, "defabc"}, {5, 2, "adbecf"}, {6, 2, "cfbead"},
                                   {7, 2, "fcebda"}, {8, 2, "daebfc"}};
  for (const Case& each : cases) {
    const std::string stored = each.stored;
    const std::string png =
        to_png(each.width, 6 / each.width, {stored.begin(), stored.end()},
               {.colour = PNG_COLOR_TYPE_GRAY, .exif_orientation = each.orientation});
    const Image image = decoded(png, 1);
    EXPECT_EQ(std::string(image.pixels.begin(), image.pixels.end()), "abcdef")
        << each.orientation;
    EXPECT_EQ(image.width, 3);
    const Image part = decoded(png, 1, Region{1, 0, 2, 1});
    EXPECT_EQ(std::string(part.pixels.begin(), part.pixels.end()), "bc")
        << each.orientation;
  }
}

TEST(ImageDecoder, ReportsTheUprightSizeOfATurnedJpeg) {
  const std::string jpeg = test::with_exif(to_jpeg(test::mosaic(24, 16)), 6);
  ImageDecoder decoder;
  const auto info = decoder.probe(as_bytes(jpeg));
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->format, "jpeg");
  EXPECT_EQ(info->orientation, 6);
  EXPECT_EQ(info->width, 16);
  EXPECT_EQ(info->height, 24);
  const Image image = decoded(jpeg);
  EXPECT_EQ(image.width, 16);
  EXPECT_EQ(image.height, 24);
}

TEST(ImageDecoder, SaysWhatIsWrongWithAFile) {
  EXPECT_EQ(failure(""), "empty");
  EXPECT_EQ(failure("Hello"), "not an image (starts with 48 65 6c 6c 6f)");
  EXPECT_EQ(failure("Hi"), "not an image (starts with 48 69)");
  const std::string jpeg = test::cifar("train/frog/0004.jpg");
  EXPECT_EQ(failure(jpeg.substr(0, jpeg.size() / 2)),
            cat("truncated at byte ", jpeg.size() / 2));
}

TEST(ImageDecoder, RefusesToInventPixelsOfDamagedData) {
  std::string jpeg = test::cifar("train/frog/0004.jpg");
  // An end-of-image marker in the middle of the data: libjpeg itself only warns.
  jpeg[jpeg.size() - 200] = '\xFF';
  jpeg[jpeg.size() - 199] = '\xD9';
  EXPECT_THAT(failure(jpeg), HasSubstr("premature end"));
  std::string png = to_png(32, 32, test::mosaic(32, 32).pixels);
  png[png.size() / 2] = static_cast<char>(png[png.size() / 2] ^ 1);
  EXPECT_THAT(failure(png), HasSubstr("png: "));
}

TEST(ImageDecoder, AcceptsBytesThatChangeNoPixel) {
  const std::string jpeg = test::cifar("train/frog/0004.jpg");
  std::string padded = jpeg + "left over";
  constexpr size_t kAfterApp0 = 20;
  padded.insert(kAfterApp0, "ab");  // libjpeg: "2 extraneous bytes before marker".
  EXPECT_EQ(decoded(padded).pixels, decoded(jpeg).pixels);
}

TEST(ImageDecoder, FailsOnEveryTruncation) {
  const Image image = test::mosaic(40, 40);
  const std::vector<std::string> files = {
      test::cifar("train/frog/0004.jpg"), to_jpeg(image, {.progressive = true}),
      to_png(40, 40, image.pixels), to_png(40, 40, image.pixels, {.interlaced = true})};
  for (const std::string& file : files) {
    for (size_t size = 1; size < file.size(); size += 7) {
      EXPECT_EQ(failure(file.substr(0, size)), cat("truncated at byte ", size));
    }
    EXPECT_EQ(failure(file), "no failure");
  }
}

TEST(ImageDecoder, SurvivesChangedBytes) {
  const Image image = test::mosaic(40, 40);
  const std::vector<std::string> files = {
      test::with_exif(test::cifar("train/frog/0004.jpg"), 6),
      to_jpeg(image, {.progressive = true, .restart_interval = 2}),
      to_png(40, 40, image.pixels, {.interlaced = true, .exif_orientation = 5})};
  KeyedRandom random(1, 2, 3, 4);
  ImageDecoder decoder;
  Image out;
  int failures = 0;
  for (const std::string& file : files) {
    for (int round = 0; round < 400; ++round) {
      std::string damaged = file;
      for (int change = 0; change < 3; ++change) {
        damaged[random.below(damaged.size())] = static_cast<char>(random.next_u32());
      }
      if (!decoder.decode(as_bytes(damaged), 3, out).ok()) ++failures;
    }
    // The same decoder still gives the right pixels afterwards.
    ASSERT_TRUE(decoder.decode(as_bytes(file), 3, out).ok());
    EXPECT_EQ(out.pixels, decoded(file).pixels);
  }
  EXPECT_GT(failures, 100);
}

TEST(ImageDecoder, RefusesSizesThatTheFileCannotHold) {
  std::string jpeg = test::cifar("train/frog/0004.jpg");
  const size_t frame = jpeg.find("\xFF\xC0");
  ASSERT_NE(frame, std::string::npos);
  jpeg.replace(frame + 5, 4, "\x3F\xFF\x3F\xFF");
  EXPECT_THAT(failure(jpeg), HasSubstr("too large: 16383x16383 pixels cannot be in"));
  jpeg.replace(frame + 5, 4, "\xFD\xE8\xFD\xE8");
  EXPECT_THAT(failure(jpeg),
              HasSubstr("too large: 65000x65000 pixels, at most 268435456"));
}

TEST(ImageDecoder, RefusesARegionOutsideTheImage) {
  ImageDecoder decoder;
  Image out;
  const std::string jpeg = test::cifar("train/frog/0004.jpg");
  for (const Region& region : {Region{30, 0, 3, 3}, Region{-1, 0, 3, 3},
                               Region{0, 0, 0, 3}, Region{0, 31, 3, 2}}) {
    const Status status = decoder.decode(as_bytes(jpeg), 3, out, region);
    ASSERT_FALSE(status.ok());
    EXPECT_THAT(status.reason(), HasSubstr("outside the image of 32x32"));
  }
}

}  // namespace
}  // namespace stoker::data
