#include "stoker/events/events.h"

namespace stoker {

TimeSplit& TimeSplit::operator+=(const TimeSplit& more) {
  data_wait += more.data_wait;
  copy += more.copy;
  forward += more.forward;
  backward += more.backward;
  optimizer += more.optimizer;
  evaluation += more.evaluation;
  checkpoint += more.checkpoint;
  other += more.other;
  return *this;
}

}  // namespace stoker
