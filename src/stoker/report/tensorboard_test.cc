#include "stoker/report/tensorboard.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/report/detail/tfevents.h"
#include "stoker/report/testing.h"

namespace stoker {
namespace {
namespace fs = std::filesystem;

std::string bytes(std::initializer_list<int> values) {
  std::string out;
  for (const int value : values) out += static_cast<char>(value);
  return out;
}

// Expected bytes are those of TensorBoard's RecordWriter and event_pb2
// (tensorboard 2.21).
TEST(TensorBoard, TheFirstRecordHasTheBytesThatTensorBoardWrites) {
  const std::string expected =
      bytes({0x18, 0, 0, 0, 0, 0, 0, 0, 0xa3, 0x7f, 0x4b, 0x22}) +
      bytes({0x09, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f}) +  // 1: wall_time = 1.5
      bytes({0x1a, 0x0d}) + "brain.Event:2" +        // 3: file_version
      bytes({0x2a, 0x28, 0x64, 0x6c});
  EXPECT_EQ(detail::tf_record(detail::version_event(1.5)), expected);
}

TEST(TensorBoard, AScalarIsATagAndAFloatInASummary) {
  const std::string expected =
      bytes({0x09, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f}) +              // 1: wall_time = 1.5
      bytes({0x10, 0xac, 0x02}) +                                // 2: step = 300
      bytes({0x2a, 0x0a, 0x0a, 0x08}) +                          // 5: summary, 1: value
      bytes({0x0a, 0x01}) + "a" + bytes({0x15, 0, 0, 0, 0xc0});  // 1: tag, 2: -2
  EXPECT_EQ(detail::scalar_event(1.5, 300, {{"a", -2.0}}), expected);
}

TEST(TensorBoard, AResumedRunWritesASecondFileThatPurgesLaterSteps) {
  const fs::path folder =
      fs::path(::testing::TempDir()) / cat("stoker_tensorboard_test", ::getpid());
  fs::remove_all(folder);
  using ::stoker::testing::MadeUpRun;
  for (const int64_t first : {0, 240}) {
    Events events;
    events.add(std::make_shared<TensorBoardWriter>(folder));
    MadeUpRun(events, folder).run(first, first + 120);
  }
  // 2: step = 241, 7: session_log { 1: status = START }
  const std::string purge = bytes({0x10, 0xf1, 0x01, 0x3a, 0x02, 0x08, 0x01});
  std::vector<bool> purges;
  for (const auto& entry : fs::directory_iterator(folder)) {
    purges.push_back(read_file(entry.path()).find(purge) != std::string::npos);
  }
  ASSERT_EQ(purges.size(), 2U);
  EXPECT_NE(purges[0], purges[1]);
}

}  // namespace
}  // namespace stoker
