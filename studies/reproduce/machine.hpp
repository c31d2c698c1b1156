// The papers' machines, in micro-seconds, as parameters of the simulated hardware, in cycles.
#pragma once

#include <cstdint>
#include <string>

#include "reference/formulas.hpp"

namespace annelid::reproduction {

struct Machine {
  std::string name;
  double us_per_byte = 0;              ///< of a channel
  double send_us = 0, receive_us = 0;  ///< start-up of a send, reception
  /// A flit carries 8 bytes and takes a cycle per channel.
  [[nodiscard]] double cycle_us() const { return 8 * us_per_byte; }
  /// Of the NIC, whole cycles: alpha the nearest, gamma so that both together are nearest.
  [[nodiscard]] std::uint64_t alpha() const;
  [[nodiscard]] std::uint64_t gamma() const;
  [[nodiscard]] double us(double cycles) const { return cycles * cycle_us(); }
  /// Micro-seconds, the length in bytes and a hop counted as a flit's time: what the papers put
  /// into their formulas, before anything is rounded.
  [[nodiscard]] reference::formulas::Cost cost() const {
    return {send_us, us_per_byte, receive_us};
  }
  /// The conversion in words, for the notes of an item.
  [[nodiscard]] std::string conversion() const;
};

/// Tsai 1997, 3.3.5: 0.45 us a byte, 170 us to send and receive, half of it each.
Machine ncube_2();
/// Tsai 1997, 3.3.5 and 3.4.5: 0.0033 us a byte; start-up of 1.5 us, half of it each.
Machine t3d(double start_up_us = 1.5);
/// Tsai 1997, 4.4.3: 0.5 us a byte; the same latency for sending and for receiving.
Machine torus_machine(double latency_us);

}  // namespace annelid::reproduction
