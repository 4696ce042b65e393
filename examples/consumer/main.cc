// Loads a recipe, prints how its batch is made up, which records come first, and the
// model.
#include <cstdio>
#include <exception>

#include "stoker/config/recipe.h"
#include "stoker/data/order/order.h"
#include "stoker/train/plan.h"
#include "stoker/train/session.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: consumer RECIPE\n", stderr);
    return 2;
  }
  try {
    const stoker::Plan plan = stoker::make_plan(stoker::config::load_recipe(argv[1]), {});
    std::printf("%s: %s\n", plan.recipe.model.name.c_str(), plan.batch_equation.c_str());

    const stoker::data::Order order{.num_records = 2000, .seed = plan.recipe.seed};
    std::printf("first of 2000 records:");
    for (int64_t position = 0; position < 4; ++position) {
      std::printf(" %ld", static_cast<long>(order.record_at(0, position)));
    }

    stoker::Session session(plan);
    std::printf("\nweights: %ld bytes\n", static_cast<long>(session.parameter_bytes()));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "consumer: %s\n", error.what());
    return 1;
  }
}
