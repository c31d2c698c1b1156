// Estimates how long a call of `annelid check` will take, before it is simulated.
#pragma once

#include <cstdint>
#include <string>

#include "simulation/scenario/collective.hpp"

namespace annelid::studies {

/// The work that an algorithm's schedule makes on a network, from one schedule of it: the work
/// grows with the bytes, and depends little on root and parameter.
class CallCost {
 public:
  /// From the schedule of blocks of about `bytes`: of pipelines, whose packets follow from
  /// the bytes, those of the call.
  CallCost(const reference::Algorithm& algorithm, const reference::Network& network,
           std::uint64_t bytes);
  /// From a schedule for blocks of any length: so long that their pieces, a node's or a word's, are
  /// as long as they can be.
  CallCost(const reference::Algorithm& algorithm, const reference::Network& network)
      : CallCost(algorithm, network, 8 * static_cast<std::uint64_t>(network.nodes())) {}

  /// Flits of all messages times their channels, injection included, of a call with blocks of
  /// `bytes`.
  [[nodiscard]] double flit_hops(std::uint64_t bytes) const;
  [[nodiscard]] double messages() const { return messages_; }
  /// Of the longest message.
  [[nodiscard]] double longest(std::uint64_t bytes) const { return longest_ * as_double(bytes); }

  /// Seconds of one core, about, on RV32 or native firmware.
  [[nodiscard]] double seconds(std::uint64_t bytes, bool rv32) const;
  /// Before the first call, to build the network.
  [[nodiscard]] static double seconds_before(std::size_t nodes);

 private:
  static double as_double(std::uint64_t n) { return static_cast<double>(n); }

  double nodes_ = 0, messages_ = 0;
  double head_hops_ = 0;  ///< of the flits that every message has
  double byte_hops_ = 0;  ///< of the bytes of all messages, per byte of a block
  double longest_ = 0;    ///< bytes of a message per byte of a block
};

}  // namespace annelid::studies
