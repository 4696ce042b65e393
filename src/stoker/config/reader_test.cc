#include "stoker/config/reader.h"

#include <gtest/gtest.h>

#include <functional>

#include "stoker/config/testing.h"
#include "stoker/config/toml.h"

namespace stoker::config {
namespace {

std::string refusal(const std::string& toml, const std::function<void(Reader&)>& read) {
  const Node table = parse_toml("\n" + toml, "x.toml");
  return message_of([&] {
    Reader reader(table, "train");
    read(reader);
    reader.finish();
  });
}

std::string integer_refusal(const std::string& toml, Range range) {
  return refusal(toml, [&](Reader& reader) {
    int64_t value = 0;
    reader.read("epochs", value, range);
  });
}

std::string number_refusal(const std::string& toml, Range range) {
  return refusal(toml, [&](Reader& reader) {
    double value = 0;
    reader.read("lr", value, range);
  });
}

TEST(Reader, SaysPlaceKeyWhatIsAllowedAndWhatItGot) {
  EXPECT_EQ(integer_refusal("epochs = \"ten\"", {1}),
            "[recipe] x.toml:2: train.epochs: expected an integer of at least 1, got "
            "\"ten\"");
  EXPECT_EQ(integer_refusal("epochs = 1000001", {1, 1000000}),
            "[recipe] x.toml:2: train.epochs: expected an integer from 1 to 1000000, got "
            "1000001");
  EXPECT_EQ(integer_refusal("epochs = true", {}),
            "[recipe] x.toml:2: train.epochs: expected an integer, got true");
}

TEST(Reader, HintsHowAnIntegerIsWritten) {
  EXPECT_EQ(integer_refusal("epochs = 2.0", {1}),
            "[recipe] x.toml:2: train.epochs: expected an integer of at least 1, got 2.0 "
            "(write 2)");
  EXPECT_EQ(integer_refusal("epochs = \"10\"", {1}),
            "[recipe] x.toml:2: train.epochs: expected an integer of at least 1, got "
            "\"10\" (write it without quotes)");
}

TEST(Reader, NamesTheNearestKeyElseAllKeys) {
  const auto read = [](Reader& reader) {
    int64_t value = 0;
    reader.read("epochs", value);
    reader.read("batch", value);
  };
  EXPECT_EQ(refusal("epoch = 3", read),
            "[recipe] x.toml:2: train.epoch: unknown key, did you mean 'epochs'?");
  EXPECT_EQ(refusal("colour = 3", read),
            "[recipe] x.toml:2: train.colour: unknown key; known: epochs, batch");
}

TEST(Reader, TakesIntegersForNumbersAndRefusesWhatIsNotFinite) {
  const Node table = parse_toml("lr = 2\nlist = [1, 2.5]", "x.toml");
  Reader reader(table, "");
  double lr = 0;
  std::vector<double> list;
  reader.read("lr", lr);
  reader.read("list", list);
  EXPECT_EQ(lr, 2.0);
  EXPECT_EQ(list, (std::vector<double>{1, 2.5}));
  EXPECT_EQ(number_refusal("lr = inf", {}),
            "[recipe] x.toml:2: train.lr: expected a number, got inf");
  EXPECT_EQ(number_refusal("lr = nan", {.min = 0}),
            "[recipe] x.toml:2: train.lr: expected a number of at least 0, got nan");
}

TEST(Reader, KnowsOpenEnds) {
  EXPECT_EQ(number_refusal("lr = 0", {.min = 0, .open_min = true}),
            "[recipe] x.toml:2: train.lr: expected a number above 0, got 0");
  EXPECT_EQ(
      number_refusal("lr = 1.0", {.min = 0, .max = 1, .open_max = true}),
      "[recipe] x.toml:2: train.lr: expected a number of at least 0 and below 1, got "
      "1.0");
  EXPECT_EQ(number_refusal("lr = 0", {.min = 0, .max = 1, .open_max = true}), "no error");
}

TEST(Reader, EmptiesAnOptionalForAuto) {
  const Node table = parse_toml("a = 'auto'\nb = 4\nc = 'auto'\nd = 4", "x.toml");
  Reader reader(table, "");
  std::optional<int64_t> a = 1;
  std::optional<int64_t> b;
  std::optional<double> c = 1;
  std::optional<double> d;
  reader.read("a", a);
  reader.read("b", b);
  reader.read("c", c);
  reader.read("d", d);
  EXPECT_EQ(a, std::nullopt);
  EXPECT_EQ(b, 4);
  EXPECT_EQ(c, std::nullopt);
  EXPECT_EQ(d, 4.0);
  EXPECT_EQ(
      refusal("a = 0",
              [](Reader& other) {
                std::optional<int64_t> value;
                other.read("a", value, {1, 256});
              }),
      "[recipe] x.toml:2: train.a: expected \"auto\" or an integer from 1 to 256, got "
      "0");
}

TEST(Reader, OffersTheNearestChoice) {
  EXPECT_EQ(refusal("unit = 'steps'",
                    [](Reader& reader) {
                      std::string unit;
                      reader.read_choice("unit", unit, {"step", "epoch"});
                    }),
            "[recipe] x.toml:2: train.unit: expected one of step, epoch, got \"steps\" "
            "(did you mean 'step'?)");
}

TEST(Reader, RefusesListsOfTheWrongKind) {
  EXPECT_EQ(refusal("list = ['a', 1]",
                    [](Reader& reader) {
                      std::vector<std::string> list;
                      reader.read("list", list);
                    }),
            "[recipe] x.toml:2: train.list: expected a list of strings, got [\"a\", 1]");
  EXPECT_EQ(
      refusal("list = [1, -1]",
              [](Reader& reader) {
                std::vector<double> list;
                reader.read("list", list, {0});
              }),
      "[recipe] x.toml:2: train.list: expected a list, each a number of at least 0, "
      "got [1, -1]");
}

TEST(Reader, CutsALongValueBetweenCharacters) {
  std::string text = "x";
  for (int i = 0; i < 100; ++i) text += "é";
  const std::string message = integer_refusal("epochs = \"" + text + "\"", {});
  // A quote, "x" and 39 characters of two bytes are the 80 bytes that are shown.
  EXPECT_EQ(message, "[recipe] x.toml:2: train.epochs: expected an integer, got \"x" +
                         text.substr(1, 78) + "...");
}

TEST(Reader, RefusesAValueInPlaceOfATable) {
  const Node root = parse_toml("train = 3", "x.toml");
  EXPECT_EQ(message_of([&] { Reader(*root.find("train"), "train"); }),
            "[recipe] x.toml:1: train: expected a table, got 3");
}

}  // namespace
}  // namespace stoker::config
