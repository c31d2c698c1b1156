#include "studies/reproduce/machine.hpp"

#include <fmt/format.h>

#include <cmath>

namespace annelid::reproduction {

std::uint64_t Machine::alpha() const {
  return static_cast<std::uint64_t>(std::llround(send_us / cycle_us()));
}

std::uint64_t Machine::gamma() const {
  return static_cast<std::uint64_t>(std::llround((send_us + receive_us) / cycle_us())) - alpha();
}

std::string Machine::conversion() const {
  const auto start_up = static_cast<double>(alpha() + gamma());
  return fmt::format(
      "{}: a byte takes {:g} us and a flit holds 8 bytes, so one cycle is {:g} us. The start-up of "
      "{:g} us to send and {:g} us to receive becomes alpha = {} and gamma = {} cycles, together "
      "{:.4g} us.",
      name, us_per_byte, cycle_us(), send_us, receive_us, alpha(), gamma(), us(start_up));
}

Machine ncube_2() { return {"nCUBE-2", 0.45, 85, 85}; }
Machine t3d(double start_up_us) { return {"T3D", 0.0033, start_up_us / 2, start_up_us / 2}; }
Machine torus_machine(double latency_us) {
  return {fmt::format("Torus with latencies of {:g} us", latency_us), 0.5, latency_us, latency_us};
}

}  // namespace annelid::reproduction
