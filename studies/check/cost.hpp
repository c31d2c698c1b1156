// Estimates how long a call of `annelid check` will take, before it is simulated.
#pragma once

#include <cstdint>
#include <string>

#include "simulation/scenario/collective.hpp"

namespace annelid::studies {

/// The work to simulate an algorithm on a network, estimated from one of its schedules. The work
/// grows with the bytes, and depends little on root and parameter.
class CallCost {
 public:
  /// Estimates from the schedule for blocks of about `bytes`. A pipeline's packets follow from the
  /// bytes, so pass the bytes of the call.
  CallCost(const reference::Algorithm& algorithm, const reference::Network& network,
           std::uint64_t bytes);
  /// Estimates from a schedule that serves for blocks of any length: its blocks are long enough
  /// that each node has a word of its own.
  CallCost(const reference::Algorithm& algorithm, const reference::Network& network)
      : CallCost(algorithm, network, 8 * static_cast<std::uint64_t>(network.nodes())) {}

  /// Returns the flits of all messages times their channels, with the injection channels, for a
  /// call with blocks of `bytes`.
  [[nodiscard]] double flit_hops(std::uint64_t bytes) const;
  [[nodiscard]] double messages() const { return messages_; }
  /// Returns the bytes of the longest message.
  [[nodiscard]] double longest(std::uint64_t bytes) const { return longest_ * as_double(bytes); }

  /// Returns about how many seconds one core simulates the call, with RV32 or native firmware.
  [[nodiscard]] double seconds(std::uint64_t bytes, bool rv32) const;
  /// Returns the seconds before the first call, in which the network is built.
  [[nodiscard]] static double seconds_before(std::size_t nodes);

 private:
  static double as_double(std::uint64_t n) { return static_cast<double>(n); }

  double nodes_ = 0, messages_ = 0;
  double head_hops_ = 0;  ///< of the flits that every message has
  double byte_hops_ = 0;  ///< of the bytes of all messages, per byte of a block
  double longest_ = 0;    ///< bytes of a message per byte of a block
};

}  // namespace annelid::studies
