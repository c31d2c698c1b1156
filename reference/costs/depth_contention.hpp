// Counts the messages that need the same channel at the same time when no node waits for a step to
// end. This is depth contention (Tsai 1997, Sections 4.2 and 4.4.3), or stepwise contention if the
// messages belong to one step. The times are those that critical_path.hpp predicts without
// contention.
#pragma once

#include "reference/costs/critical_path.hpp"

namespace annelid::reference {

struct SharedChannels {
  std::uint64_t same_step = 0;    ///< pairs of messages of one step, counted on each channel
  std::uint64_t other_steps = 0;  ///< pairs of messages of different steps
  std::uint64_t neighbours = 0;   ///< those of other_steps whose steps are consecutive
  Cycle flit_cycles =
      0;  ///< cycles in which a channel would have to carry two flits, over all channels
};

/// `prediction` must be for the same network, schedule and timing.
SharedChannels shared_channels(const Network& net, const Schedule& schedule, const Timing& timing,
                               const Prediction& prediction);

}  // namespace annelid::reference
