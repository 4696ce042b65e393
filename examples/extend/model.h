#pragma once

#include "stoker/models/model.h"

namespace stoker {

/// The mean colour through one hidden layer. `hidden = 16`.
std::shared_ptr<Model> make_colour_net(const ModelSpec& spec);

}  // namespace stoker
