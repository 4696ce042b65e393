"""Makes every reference file of this folder again. See README.md."""

import torch

import make_augment
import make_images
import make_models
import make_operations
import make_schedules
import make_training

torch.set_num_threads(1)
torch.use_deterministic_algorithms(True)
for part in (make_images, make_schedules, make_augment, make_operations, make_models, make_training):
    part.main()
