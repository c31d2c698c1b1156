// What router arrays know of the fabric around them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "systemc/network/types.hpp"

namespace annelid::systemc {

/// The host of router arrays. It provides the time, and the routers' link ends report to it.
/// Nothing here is virtual, because every flit that enters or leaves the network uses it.
class RouterArrayHost {
 public:
  /// The parts of a cycle, in their order: what was granted in the last cycle is sent, components
  /// are stepped, then routers, and what has left the routers is delivered. kBetween: no cycle is
  /// being executed.
  enum class Phase : std::uint8_t { kBetween, kSent, kComponents, kRouters, kDelivery };
  [[nodiscard]] Phase phase() const { return phase_; }

  /// The current cycle.
  [[nodiscard]] Cycle current_cycle() const { return now_; }
  /// No cycle is being executed, and nobody may put a flit or a credit on a router's link. The host
  /// runs under plain sc_start, so such a call comes from a user's process that bypasses LocalPort.
  [[nodiscard]] bool asleep() const { return asleep_; }
  /// A flit or credit has reached a router of the array from outside, so the router will be awake
  /// in the next cycle. `injected` says that it is a flit on a local link.
  void arrived(bool injected) {
    busy_until_ = std::max(busy_until_, now_ + 1);
    if (!injected) return;
    ++in_flight_;
    last_move_ = now_;
  }
  /// Several flits have reached routers of the array at once, on local links.
  void entered(std::uint64_t flits) {
    if (flits == 0) return;
    in_flight_ += flits;
    last_move_ = now_;
  }
  /// A router, or a component connected to one, may have something to do until cycle `at`.
  void stay_awake(Cycle at) { busy_until_ = std::max(busy_until_, at); }
  /// Flits have moved in the current cycle.
  void moved() { last_move_ = now_; }
  /// The routers have been stepped.
  void begin_delivery() { phase_ = Phase::kDelivery; }
  /// An array that has executed a cycle may execute the next one at once, if nothing else has
  /// anything to do in it. Then this returns true, and it is the current cycle.
  [[nodiscard]] bool go_on() {
    if (now_ + 1 >= alone_until_) return false;
    ++now_;
    return true;
  }

 protected:
  Cycle now_ = 0;
  Cycle busy_until_ = 0;  ///< a router may have something to do until this cycle
  std::uint64_t in_flight_ =
      0;                   ///< flits that have entered by a local port and have not left by one
  Cycle last_move_ = 0;    ///< the last cycle in which a flit entered or moved
  Cycle alone_until_ = 0;  ///< until this cycle nothing but the one array has anything to do
  bool asleep_ = false;
  Phase phase_ = Phase::kBetween;
};

}  // namespace annelid::systemc
