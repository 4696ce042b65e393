#include "stoker/base/log.h"

#include <gtest/gtest.h>

#include <thread>
#include <utility>
#include <vector>

namespace stoker {
namespace {

class Log : public ::testing::Test {
 protected:
  void TearDown() override { set_log_sink(nullptr); }
};

TEST_F(Log, HandsLevelAndTextToTheSinkThatIsSet) {
  std::vector<std::pair<LogLevel, std::string>> seen;
  set_log_sink(
      [&](LogLevel level, const std::string& text) { seen.emplace_back(level, text); });
  log(LogLevel::kWarning, "disk is slow");
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].first, LogLevel::kWarning);
  EXPECT_EQ(seen[0].second, "disk is slow");
}

TEST_F(Log, PrintsNothingWithoutASink) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  log(LogLevel::kWarning, "unheard");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_F(Log, CallsTheSinkFromOneThreadAtATime) {
  int count = 0;
  set_log_sink([&](LogLevel, const std::string&) { ++count; });
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([] {
        for (int n = 0; n < 5000; ++n) log(LogLevel::kDebug, "tick");
      });
    }
  }
  EXPECT_EQ(count, 20000);
}

}  // namespace
}  // namespace stoker
