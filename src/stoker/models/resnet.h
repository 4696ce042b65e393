#pragma once

#include <memory>

#include "stoker/models/model.h"

namespace stoker {

/// ResNets of He et al., "Deep residual learning for image recognition" (CVPR 2016), with
/// torchvision's names. `stem = "imagenet"` (7x7 stride 2 and pooling) or `"cifar"` (3x3
/// stride 1). Parameters with 1000 classes: 11,689,512 / 21,797,672 / 25,557,032.
std::shared_ptr<Model> make_resnet18(const ModelSpec& spec);
std::shared_ptr<Model> make_resnet34(const ModelSpec& spec);
std::shared_ptr<Model> make_resnet50(const ModelSpec& spec);

/// The CIFAR ResNets of the same paper (section 4.2): 16, 32, 64 channels, shortcuts
/// without parameters (option A). `shortcut = "A"` or `"B"` (1x1 convolution). Parameters
/// of ResNet-56 with 10 classes: 853,018 (A) / 855,770 (B).
std::shared_ptr<Model> make_resnet20(const ModelSpec& spec);
std::shared_ptr<Model> make_resnet56(const ModelSpec& spec);

}  // namespace stoker
