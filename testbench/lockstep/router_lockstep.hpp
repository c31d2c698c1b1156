// One RTL router and one model router under the same random traffic, compared in every cycle: all
// outputs and all registers that docs/microarchitecture.md, section 8 shows.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "systemc/config.hpp"
#include "systemc/types.hpp"

namespace annelid::lockstep {

/// What the traffic did, so that a test can insist on it.
struct Coverage {
  std::uint64_t cycles = 0, flits = 0, packets = 0;
  std::array<std::uint64_t, kMaxPorts> flits_by_output{};
  std::array<std::uint64_t, kMaxVcs> flits_by_output_vc{};
  std::uint64_t full_fifos = 0;   ///< input VC and cycle with count = D
  std::uint64_t exhausted = 0;    ///< output VC and cycle with credits = 0
  std::uint64_t contended = 0;    ///< output and cycle that several inputs want
  std::uint64_t passed_over = 0;  ///< free output VC without credit below a granted one
  std::uint64_t single_flit_packets = 0;
};

struct Outcome {
  bool equal = true;
  std::string difference;  ///< the first one, with the last line traces of both sides
  Coverage coverage;
};

/// Drives both for `cycles` cycles with the stimulus of `seed`, then until everything has drained.
/// `model` and `rtl` are the same but in tests of the comparison itself.
Outcome run_router_lockstep(const RouterConfig& model, const RouterConfig& rtl, Cycle cycles,
                            std::uint64_t seed);

}  // namespace annelid::lockstep
