#include "deadlock/elimination.hpp"

#include <algorithm>

namespace annelid::deadlock {
namespace {

/// Marks the states whose front is blocked, then those behind them that the same packet may hold.
void mark_states(const Network& network, const States& states, bool long_packets, Blockable& b) {
  std::vector<StateId> open;
  for (StateId x = 0; x < states.count(); ++x) {
    const auto next = states.next(x);
    b.blocked[x] = !next.empty() && !states.injected(x) && b.places[states.place(x)] &&
                   std::ranges::all_of(
                       next, [&](const Step& step) { return b.places[states.place(step.to)]; });
    b.held[x] = b.blocked[x];
    if (b.held[x]) open.push_back(x);
  }
  if (!long_packets) return;
  while (!open.empty()) {
    const StateId y = open.back();
    open.pop_back();
    if (states.place(y) >= network.vcs()) continue;  // an answer: its request has left the network
    for (const StateId x : states.before(y)) {
      if (b.held[x] || states.injected(x) || !b.places[states.place(x)]) continue;
      b.held[x] = true;
      open.push_back(x);
    }
  }
}

/// A ring with bubbles always has room in it. Behind the room a packet goes on, unless it wants to
/// leave the ring and cannot.
bool stands_still(const States& states, const BubbleRing& ring, const Blockable& b) {
  for (std::size_t i = 0; i < ring.vcs.size(); ++i) {
    const std::uint32_t after = ring.vcs[(i + 1) % ring.vcs.size()];
    for (const StateId x : states.at(ring.vcs[i])) {
      if (b.blocked[x] && std::ranges::none_of(states.next(x), [&](const Step& step) {
            return states.place(step.to) == after;
          })) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

Blockable blockable(const Network& network, const States& states, bool long_packets,
                    const std::vector<bool>& among) {
  Blockable b;
  b.places = among.empty() ? std::vector<bool>(network.places(), true) : among;
  b.blocked.resize(states.count());
  b.held.resize(states.count());
  for (bool more = true; more;) {
    more = false;
    ++b.rounds;
    mark_states(network, states, long_packets, b);
    for (std::uint32_t p = 0; p < network.places(); ++p) {
      if (b.places[p] && std::ranges::none_of(states.at(p), [&](StateId x) { return b.held[x]; })) {
        b.places[p] = false;
        more = true;
      }
    }
    for (const BubbleRing& ring : network.rings) {
      if (stands_still(states, ring, b)) continue;
      for (const std::uint32_t p : ring.vcs) {
        more = more || b.places[p];
        b.places[p] = false;
      }
    }
  }
  b.count = static_cast<std::size_t>(std::ranges::count(b.places, true));
  return b;
}

}  // namespace annelid::deadlock
