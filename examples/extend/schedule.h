#pragma once

#include "stoker/optim/schedule/curve.h"

namespace stoker {

/// Times `gamma` every epoch, as torch.optim.lr_scheduler.ExponentialLR.
double exponential(const config::ScheduleConfig& schedule, double lr,
                   const CurvePoint& at);

}  // namespace stoker
