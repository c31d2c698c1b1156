// One ring: which way round a packet goes, and the class of VCs of its next channel
// (docs/internals/microarchitecture.md, section 5.1). All routing functions have these rules.
#pragma once

#include "systemc/network/config.hpp"

namespace annelid::systemc {

/// The hops from `here` to `to` that go up, in a ring of `size` nodes.
constexpr int hops_up(int here, int to, int size) {
  return to >= here ? to - here : to - here + size;
}

/// Whether the shorter way goes up. A tie of exactly half the ring does.
constexpr bool goes_up(int here, int to, int size) { return 2 * hops_up(here, to, size) <= size; }

/// The class of the channel by which a packet from `source` to `to` leaves `here`, in a ring with
/// classes of this kind.
constexpr unsigned class_in_ring(TorusClasses classes, bool up, int here, int source, int to) {
  const bool ahead = up ? to < here : to > here;  // the wrap-around link is this channel or a later
  unsigned vc_class = ahead ? 0 : 1;
  if (classes == TorusClasses::kPlh) {
    vc_class = ahead ? 1 : (up ? to < source : to > source) ? 2 : 0;
  }
  return vc_class;
}

}  // namespace annelid::systemc
