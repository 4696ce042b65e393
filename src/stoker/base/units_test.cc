#include "stoker/base/units.h"

#include <gtest/gtest.h>

#include <limits>

namespace stoker {
namespace {

TEST(FormatBytes, TakesTheLargestUnitBelowTheValue) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1024), "1.0 KiB");
  EXPECT_EQ(format_bytes(1536), "1.5 KiB");
  EXPECT_EQ(format_bytes(int64_t{5} << 30), "5.0 GiB");
  EXPECT_EQ(format_bytes(int64_t{3} << 50), "3072.0 TiB");
  EXPECT_EQ(format_bytes(-2048), "-2.0 KiB");
}

TEST(FormatBytes, RoundsIntoTheNextUnit) {
  EXPECT_EQ(format_bytes((1 << 20) - 1), "1.0 MiB");
  EXPECT_EQ(format_bytes((1 << 20) - 1024), "1023.0 KiB");
}

TEST(FormatDuration, ShowsSecondsMinutesAndHours) {
  EXPECT_EQ(format_duration(0.84), "0.8 s");
  EXPECT_EQ(format_duration(12.34), "12.3 s");
  EXPECT_EQ(format_duration(59.96), "1:00");
  EXPECT_EQ(format_duration(245), "4:05");
  EXPECT_EQ(format_duration(3599.6), "1:00:00");
  EXPECT_EQ(format_duration(2 * 3600 + 3 * 60 + 4), "2:03:04");
  EXPECT_EQ(format_duration(100 * 3600), "100:00:00");
  EXPECT_EQ(format_duration(std::numeric_limits<double>::infinity()), "-");
}

TEST(FormatCount, GroupsThousands) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(11173962), "11,173,962");
  EXPECT_EQ(format_count(-100), "-100");
  EXPECT_EQ(format_count(-123456), "-123,456");
  EXPECT_EQ(format_count(std::numeric_limits<int64_t>::min()),
            "-9,223,372,036,854,775,808");
}

}  // namespace
}  // namespace stoker
