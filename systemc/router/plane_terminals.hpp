// Sources and sinks that know planes: what stands at all local ports of a network in planes.
#pragma once

#include <cstdint>

#include "systemc/network/types.hpp"

namespace annelid::systemc {

class PlaneInputs;

/// A packet is a handle of the terminals' choice. Its flits have no contents while they are in the
/// network: flit() says what they would be.
class PlaneTerminals {
 public:
  virtual ~PlaneTerminals() = default;
  /// From now on the network is in planes, and takes flits by `inputs` alone.
  virtual void use_planes(PlaneInputs& inputs) = 0;
  /// Puts the flits of cycle `now` on the injection channels. May be called again in the cycle.
  virtual void inject(Cycle now) = 0;
  /// The head of a packet is on an ejection channel in the cycle of the last inject(), on VC `vc`.
  virtual void head_ejected(NodeId node, int local, Vc vc, std::uint32_t packet) = 0;
  /// Flits, heads included, and which of them are tails: a bit for each of the 64 nodes of a word.
  virtual void flits_ejected(std::uint32_t word, int local, Vc vc, std::uint64_t flits,
                             std::uint64_t tails) = 0;
  /// The contents of flit `k` of a packet, 0 for the head.
  [[nodiscard]] virtual std::uint64_t data(std::uint32_t packet, std::uint32_t k) const = 0;
  /// How many of its flits have been injected before this cycle.
  [[nodiscard]] virtual std::uint32_t injected(std::uint32_t packet) const = 0;
};

}  // namespace annelid::systemc
