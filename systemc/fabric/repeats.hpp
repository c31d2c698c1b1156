// Many cycles at once, where each does what the last one did
// (docs/internals/architecture.md, "Cycles that repeat themselves").
#pragma once

#include <cstdint>
#include <span>

#include "systemc/fabric/schedule.hpp"
#include "systemc/fabric/stream_paths.hpp"
#include "systemc/kernel/router_array.hpp"

namespace annelid::systemc {

// A cycle depends on the registers alone. If as many flits enter each buffer as leave it, and all
// are body flits, then the registers do not change, and the next cycle is like the last one. It is
// so after some cycles in which the same packets moved: otherwise a buffer would be full or empty
// by now, and an arbiter that had a second request would have given it a grant. One with a fixed
// priority may let it wait, but has no register that changes, and gives the same grant again.
class Repeats {
 public:
  /// Whether there is an observer, and it accepts repeats.
  void allow(bool allowed) { from_ = allowed ? 0 : kNever; }
  /// False if it is known that cycle `now` cannot be repeated.
  [[nodiscard]] bool may_begin(Cycle now) const { return now >= from_; }

  /// The first step, before cycle `now`: whether no register of these routers changes any more.
  [[nodiscard]] bool are_settled(std::span<RepeatingRouters* const> routers, Cycle now);
  /// The second step: executes cycles from `now` on, at most until `limit`, in which the routers
  /// and the components that are due only go on with the middle of packets. `moved`: the flits that
  /// moved in the last cycle. Returns the number of cycles.
  [[nodiscard]] Cycle execute(Schedule& schedule, Cycle now, Cycle limit, std::uint64_t moved);

 private:
  [[nodiscard]] Cycle end_of_streams(Schedule& schedule, Cycle now, Cycle limit);

  Cycle from_ = kNever;  // no repeat can begin before
  Cycle settling_ = 0;   // cycles without a change until the routers are settled
  Streams streams_;
  StreamPaths paths_;
};

}  // namespace annelid::systemc
