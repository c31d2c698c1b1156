// Which cycles of a run a waveform shows.
#pragma once

#include "systemc/network/types.hpp"

namespace annelid::waves {

/// What a waveform waits for.
struct WaveTrigger {
  enum class Kind : std::uint8_t {
    kNone,     ///< nothing: it begins with the window
    kTag,      ///< a message with tag `value` is injected
    kBlocked,  ///< the front flit of an input VC of a chosen node is blocked for `value` cycles in
               ///< a row
    kFailure   ///< the run fails, or a check of its result
  };
  Kind kind = Kind::kNone;
  std::uint64_t value = 0;
};

struct WaveWindow {
  Cycle begin = 0, end = kNever;  ///< first and last cycle; a trigger counts between them only
  WaveTrigger trigger = {};
  /// Cycles before and after that of the trigger. Those before are kept in memory until then, so
  /// `before` bounds it. At least 1.
  Cycle before = 1000, after = 1000;
};

}  // namespace annelid::waves
