#include "stoker/base/strings.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace stoker {
namespace {

using Parts = std::vector<std::string>;

TEST(Cat, WritesNumbersInTheirShortestExactForm) {
  EXPECT_EQ(cat("a", 1, ' ', true, std::string("b"), int64_t{-9223372036854775807}),
            "a1 trueb-9223372036854775807");
  EXPECT_EQ(cat(0.1, " ", 1.0 / 3, " ", 5.0, " ", 0.25F),
            "0.1 0.3333333333333333 5 0.25");
  EXPECT_EQ(cat(uint64_t{18446744073709551615U}), "18446744073709551615");
  EXPECT_EQ(cat(), "");
}

TEST(Join, PutsTheSeparatorBetweenAllPartsEmptyOnesToo) {
  EXPECT_EQ(join({}, ", "), "");
  EXPECT_EQ(join({"a"}, ", "), "a");
  EXPECT_EQ(join({"", "b", ""}, ", "), ", b, ");
}

TEST(Split, GivesEmptyPartsAndUndoesJoin) {
  EXPECT_EQ(split("", '.'), Parts{""});
  EXPECT_EQ(split(".a..b", '.'), (Parts{"", "a", "", "b"}));
  EXPECT_EQ(join(split(".a..b", '.'), "."), ".a..b");
}

TEST(Trim, TakesBlanksFromBothEndsOnly) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim(" \n"), "");
  EXPECT_EQ(trim("a"), "a");
}

TEST(Lower, ChangesAsciiLettersOnly) { EXPECT_EQ(lower("AZaz09 Ä"), "azaz09 Ä"); }

TEST(Fixed, RoundsToDecimals) {
  EXPECT_EQ(fixed(0.92345, 2), "0.92");
  EXPECT_EQ(fixed(99.996, 2), "100.00");
  EXPECT_EQ(fixed(-1.5, 0), "-2");
  EXPECT_EQ(fixed(1e300, 0).size(), 301U);
}

// "kitten" to "sitting" is three edits (Levenshtein's usual example).
TEST(Nearest, CountsEdits) {
  EXPECT_EQ(nearest("epoch", {"batch", "epochs"}), "epochs");
  EXPECT_EQ(nearest("lable_smothing", {"channels_last", "label_smoothing"}),
            "label_smoothing");
  EXPECT_EQ(nearest("kittenkitten", {"sittingkitten"}), "sittingkitten");
  EXPECT_EQ(nearest("kitten", {"sitting"}), "");
  EXPECT_EQ(nearest("SGD", {"adam", "sgd"}), "sgd");
}

TEST(Nearest, OffersNothingThatSharesNoLetter) {
  EXPECT_EQ(nearest("x", {"p", "lr"}), "");
  EXPECT_EQ(nearest("", {"lr"}), "");
}

TEST(Suggestion, OffersTheNearestElseAllNames) {
  EXPECT_EQ(suggestion("resnet81", {"resnet18", "fast_net"}),
            ", did you mean 'resnet18'?");
  EXPECT_EQ(suggestion("vit", {"resnet18", "fast_net"}), "; known: resnet18, fast_net");
}

}  // namespace
}  // namespace stoker
