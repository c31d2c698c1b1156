// The start-up unit (docs/internals/nic/registers.md, Start-up): the dissertation's alpha,
// serialized over a node's ports (Section 4.4.2).
#pragma once

#include <optional>

#include "interface/place.hpp"
#include "nic/fifo.hpp"
#include "systemc/network/types.hpp"

namespace annelid::nic {

/// Sends enter in the cycle p_i of their go or firing. They leave one after the other, in cycle
/// u_i = max(p_i + a_i, u_(i-1) + max(a_i, 1)), where a_i is in cycles: A, or 0 for a send to the
/// node itself.
class StartUp {
 public:
  explicit StartUp(Cycle alpha);

  /// A send enters. Cycles must not decrease from call to call. At most 64 may be inside.
  void enter(Place send, bool to_itself, Cycle now);
  /// The send that is admitted in cycle `now`, if any. To be called in each cycle that next()
  /// names.
  std::optional<Place> leave(Cycle now);
  /// The cycle in which the next send leaves, or kNever if none is inside.
  [[nodiscard]] Cycle next() const { return empty() ? kNever : next_of(queue_.front()); }

  [[nodiscard]] bool empty() const { return queue_.empty(); }

 private:
  struct Entry {
    Place send = 0;
    Cycle entered = 0, alpha = 0;
  };

  [[nodiscard]] Cycle next_of(const Entry& first) const;

  Cycle alpha_;
  Cycle last_ = kNever;  ///< u_(i-1)
  Fifo<Entry> queue_;
};

}  // namespace annelid::nic
