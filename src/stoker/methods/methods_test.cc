#include <gtest/gtest.h>
#include <torch/torch.h>

#include "stoker/base/error.h"
#include "stoker/methods/lookahead/lookahead.h"
#include "stoker/methods/method.h"

namespace stoker {
namespace {

config::NamedConfig method(const char* name, const char* key, double value) {
  const config::Location where{"test.toml", 3};
  return {name,
          config::Node(config::Node::Table{{key, config::Node(value, where)}}, where)};
}

TEST(Ema, MovesOnceAnUpdate) {
  auto weight = torch::zeros({1});
  const auto ema = make_method(method("ema", "decay", 0.9), {{"w", weight}});
  weight.fill_(1);
  ema->after_update(1, 2);
  weight.fill_(2);
  ema->after_update(2, 2);
  ema->use_published_weights();
  // 0.9 (0.9 * 0 + 0.1 * 1) + 0.1 * 2.
  EXPECT_NEAR(weight.item<double>(), 0.29, 1e-6);
  ema->use_training_weights();
  EXPECT_EQ(weight.item<double>(), 2);
}

TEST(Lookahead, KeepsTheShareOfThePaper) {
  // 0.95^5 * (50 / 100)^3 = 0.7737809375 / 8.
  EXPECT_NEAR(lookahead_keep(0.95, 5, 50, 100), 0.0967226, 1e-7);
  EXPECT_EQ(lookahead_keep(0.95, 5, 100, 100), 1);
}

TEST(Lookahead, ReturnsToTheSlowWeightsEveryFewUpdates) {
  auto weight = torch::zeros({1});
  const auto lookahead = make_method(
      {"lookahead",
       config::Node(config::Node::Table{{"every", config::Node(int64_t{2}, {})}}, {})},
      {{"w", weight}});
  weight.fill_(1);
  lookahead->after_update(1, 4);
  EXPECT_EQ(weight.item<double>(), 1);
  lookahead->after_update(2, 4);
  // keep = 0.95^2 / 8 = 0.1128125: slow = 0.1128125 * 0 + 0.8871875 * 1.
  EXPECT_NEAR(weight.item<double>(), 0.8871875, 1e-6);
  weight.fill_(5);
  lookahead->after_update(3, 4);
  lookahead->after_update(4, 4);
  EXPECT_NEAR(weight.item<double>(), 0.8871875, 1e-6);
}

TEST(MakeMethod, RefusesUnknownNamesAndKeys) {
  auto weight = torch::zeros({1});
  try {
    make_method(method("emma", "decay", 0.9), {{"w", weight}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("test.toml:3"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("did you mean 'ema'"), std::string::npos);
  }
  EXPECT_THROW(make_method(method("ema", "deccay", 0.9), {{"w", weight}}), Error);
  EXPECT_THROW(make_method(method("ema", "decay", 1.5), {{"w", weight}}), Error);
}

TEST(EveryMethod, NamesItsStateByTheMethodAndTheTensor) {
  for (const std::string& name : list_methods()) {
    auto weight = torch::zeros({1});
    const auto made =
        make_method({name, config::Node(config::Node::Table{}, {})}, {{"w", weight}});
    for (const auto& [key, tensor] : made->state()) EXPECT_EQ(key, name + "/w");
  }
}

}  // namespace
}  // namespace stoker
