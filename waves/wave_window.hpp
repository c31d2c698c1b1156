// The cycles of a run that a waveform shows.
#pragma once

#include "systemc/network/types.hpp"

namespace annelid::waves {

/// The event that a waveform waits for.
struct WaveTrigger {
  enum class Kind : std::uint8_t {
    kNone,     ///< no event: recording begins with the window
    kTag,      ///< a message with tag `value` is injected
    kBlocked,  ///< the front flit of an input VC of a chosen node is blocked for `value` cycles in
               ///< a row
    kFailure   ///< the run fails, or a check of its result fails
  };
  Kind kind = Kind::kNone;
  std::uint64_t value = 0;
};

struct WaveWindow {
  Cycle begin = 0, end = kNever;  ///< first and last cycle; a trigger counts only between them
  WaveTrigger trigger = {};
  /// Cycles to show before and after the trigger's cycle, at least 1. The cycles before are kept in
  /// memory until the trigger, so `before` determines how much memory is needed.
  Cycle before = 1000, after = 1000;
};

}  // namespace annelid::waves
