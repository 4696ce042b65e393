// Loads a recipe, resolves its plan and prints how the batch is made up.
#include <cstdio>
#include <exception>

#include "stoker/config/recipe.h"
#include "stoker/train/plan.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: consumer RECIPE\n", stderr);
    return 2;
  }
  try {
    const stoker::Plan plan = stoker::make_plan(stoker::config::load_recipe(argv[1]), {});
    std::printf("%s: %s\n", plan.recipe.model.name.c_str(), plan.batch_equation.c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "consumer: %s\n", error.what());
    return 1;
  }
}
