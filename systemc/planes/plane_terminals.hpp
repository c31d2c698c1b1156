// Sources and sinks that support planes. They are at all local ports of a network in planes.
#pragma once

#include <cstdint>

#include "systemc/network/types.hpp"

namespace annelid::systemc {

class PlaneInputs;

/// They are attached to the whole network (Network::attach), or link by link with a PlaneEnd for
/// each.
///
/// A packet is a handle that the terminals choose. Its flits have no contents while they are in the
/// network; data() says what the contents would be.
class PlaneTerminals {
 public:
  virtual ~PlaneTerminals() = default;
  /// The network makes its routers after all: attaches each local port by itself.
  virtual void attach_links() = 0;
  /// From now on the network runs in planes, and takes flits only through `inputs`.
  virtual void use_planes(PlaneInputs& inputs) = 0;
  /// Puts the flits of cycle `now` on the injection channels. May be called repeatedly in a cycle.
  virtual void inject(Cycle now) = 0;
  /// The head of a packet is on an ejection channel in the cycle of the last inject(), on VC `vc`.
  virtual void head_ejected(NodeId node, int local, Vc vc, std::uint32_t packet) = 0;
  /// Flits on an ejection channel, including heads, and the tails among them: one bit for each of
  /// the 64 nodes of a word.
  virtual void flits_ejected(std::uint32_t word, int local, Vc vc, std::uint64_t flits,
                             std::uint64_t tails) = 0;
  /// The contents of flit `k` of a packet, 0 for the head.
  [[nodiscard]] virtual std::uint64_t data(std::uint32_t packet, std::uint32_t k) const = 0;
  /// The number of its flits that were injected before this cycle.
  [[nodiscard]] virtual std::uint32_t injected(std::uint32_t packet) const = 0;
};

}  // namespace annelid::systemc
