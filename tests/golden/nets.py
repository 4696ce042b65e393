"""The reference models: torchvision's ResNets, and the CIFAR ResNets of He et al. written plainly."""

import torch
import torchvision
from torch import nn
from torch.nn import functional as F

import formula


class CifarBlock(nn.Module):
    def __init__(self, n_in, n_out, stride, option):
        super().__init__()
        self.conv1 = nn.Conv2d(n_in, n_out, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(n_out)
        self.conv2 = nn.Conv2d(n_out, n_out, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(n_out)
        self.pad = (n_out - n_in) // 2
        self.downsample = None
        if stride != 1 and option == "B":
            self.downsample = nn.Sequential(
                nn.Conv2d(n_in, n_out, 1, stride, bias=False), nn.BatchNorm2d(n_out))

    def shortcut(self, x):
        if self.downsample is not None:
            return self.downsample(x)
        if self.pad == 0:
            return x
        return F.pad(x[:, :, ::2, ::2], (0, 0, 0, 0, self.pad, self.pad))

    def forward(self, x):
        y = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.bn2(self.conv2(y)) + self.shortcut(x))


class CifarResNet(nn.Module):
    """Section 4.2 of "Deep residual learning for image recognition" (CVPR 2016)."""

    def __init__(self, blocks, option="A"):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 16, 3, 1, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(16)
        n_in = 16
        for i, n_out in enumerate((16, 32, 64)):
            layer = []
            for b in range(blocks):
                layer.append(CifarBlock(n_in, n_out, 2 if b == 0 and i > 0 else 1, option))
                n_in = n_out
            setattr(self, f"layer{i + 1}", nn.Sequential(*layer))
        self.fc = nn.Linear(64, 10)

    def forward(self, x):
        x = F.relu(self.bn1(self.conv1(x)))
        x = self.layer3(self.layer2(self.layer1(x)))
        return self.fc(x.mean((2, 3)))


def resnet18_cifar():
    model = torchvision.models.resnet18(num_classes=10)
    model.conv1 = nn.Conv2d(3, 64, 3, 1, 1, bias=False)
    model.maxpool = nn.Identity()
    return model


MODELS = {
    "resnet18": torchvision.models.resnet18,
    "resnet34": torchvision.models.resnet34,
    "resnet50": torchvision.models.resnet50,
    "resnet18_cifar": resnet18_cifar,
    "resnet20": lambda: CifarResNet(3),
    "resnet56": lambda: CifarResNet(9),
    "resnet56_b": lambda: CifarResNet(9, "B"),
}


def make(name, dtype=torch.float64):
    """A model with the weights of the formula."""
    model = MODELS[name]()
    shapes = {key: tuple(tensor.shape) for key, tensor in model.state_dict().items()}
    model.load_state_dict({k: torch.from_numpy(v) for k, v in formula.state(shapes).items()})
    return model.to(dtype)


def normalised(images, mean, std, dtype=torch.float64):
    """uint8 [N, 3, H, W] to what a model is fed with: float32 values, as a training has them."""
    shape = (1, 3, 1, 1)
    x = images.float() / 255
    return ((x - torch.tensor(mean).view(shape)) / torch.tensor(std).view(shape)).to(dtype)


CIFAR = ((0.4914, 0.4822, 0.4465), (0.2470, 0.2435, 0.2616))
IMAGENET = ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
