// The papers' machines, given in microseconds, converted to parameters of the simulated hardware,
// in cycles.
#pragma once

#include <cstdint>
#include <string>

#include "reference/costs/formulas.hpp"

namespace annelid::reproduction {

struct Machine {
  std::string name;
  double us_per_byte = 0;              ///< of a channel
  double send_us = 0, receive_us = 0;  ///< start-up of a send, reception
  /// The length of a cycle in microseconds. A flit carries 8 bytes and takes one cycle per channel.
  [[nodiscard]] double cycle_us() const { return 8 * us_per_byte; }
  /// The NIC's parameters in whole cycles. Alpha is rounded to the nearest cycle, and gamma is
  /// chosen so that their sum is nearest to the exact sum.
  [[nodiscard]] std::uint64_t alpha() const;
  [[nodiscard]] std::uint64_t gamma() const;
  [[nodiscard]] double us(double cycles) const { return cycles * cycle_us(); }
  /// Returns the values that the papers put into their formulas, before any rounding: microseconds,
  /// lengths in bytes, and a hop counted as the time of a flit.
  [[nodiscard]] reference::formulas::Cost cost() const {
    return {send_us, us_per_byte, receive_us};
  }
  /// Describes the conversion in words, for the notes of an item.
  [[nodiscard]] std::string conversion() const;
};

/// Tsai 1997, 3.3.5: 0.45 us per byte; 170 us to send and receive, half for each.
Machine ncube_2();
/// Tsai 1997, 3.3.5 and 3.4.5: 0.0033 us per byte; a start-up of 1.5 us, half for each.
Machine t3d(double start_up_us = 1.5);
/// Tsai 1997, 4.4.3: 0.5 us per byte; sending and receiving have the same latency.
Machine torus_machine(double latency_us);

}  // namespace annelid::reproduction
