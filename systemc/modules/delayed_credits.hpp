// The credits of sinks that drain every flit at once.
#pragma once

#include <array>
#include <vector>

#include "systemc/network/link.hpp"

namespace annelid::systemc {

/// A flit that is on an ejection channel in one cycle is drained in the next, and its credit is
/// then on the channel back. One object serves many links, so a cycle costs only what is drained in
/// it.
class DelayedCredits {
 public:
  /// In cycle `now` a flit of VC `vc` arrived from `router`, the neighbour's end of a link. Returns
  /// true for the first flit of a cycle: give() must then be called in the next cycle.
  bool add(Cycle now, LinkIf& router, Vc vc) {
    due_[now & 1].push_back({&router, vc});
    return due_[now & 1].size() == 1;
  }

  /// Gives, in cycle `now`, the credits for the flits of the cycle before.
  void give(Cycle now) {
    auto& due = due_[(now + 1) & 1];
    for (const Credit& credit : due) credit.router->put_credit(credit.vc);
    due.clear();
  }

 private:
  struct Credit {
    LinkIf* router;
    Vc vc;
  };
  std::array<std::vector<Credit>, 2> due_;  // by the parity of the cycle in which they were added
};

}  // namespace annelid::systemc
