// One RTL router and one model router under the same random traffic, compared in every cycle: all
// outputs and all registers that docs/internals/microarchitecture.md, section 8 shows.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "systemc/network/config.hpp"
#include "systemc/network/types.hpp"
#include "testbench/lockstep/geometry.hpp"

namespace annelid::lockstep {

/// What the traffic did, so that a test can insist on it. Counted over cycles.
struct Coverage {
  using PerVc = std::array<std::array<std::uint64_t, kMaxVcs>, kMaxPorts>;
  std::uint64_t cycles = 0, flits = 0, packets = 0;
  PerVc granted_input{}, granted_output{};  ///< by port of the switches and VC
  using PerClass = std::array<std::array<std::uint64_t, 3>, kMaxPorts>;
  PerClass heads{};               ///< by output link and class
  PerClass control_heads{};       ///< those of control packets
  std::uint64_t full_fifos = 0;   ///< input VCs with count = D
  std::uint64_t exhausted = 0;    ///< output VCs with credits = 0
  std::uint64_t contended = 0;    ///< outputs that several inputs have packets for
  std::uint64_t passed_over = 0;  ///< heads that took a VC above a free one without a credit
  std::uint64_t apart = 0;     ///< control packets granted where data packets own all VCs of theirs
  std::uint64_t wrapping = 0;  ///< heads sent with the wrap-around link ahead
  std::uint64_t ties = 0;      ///< heads sent half round a ring
  std::uint64_t routed = 0;    ///< input VCs with `routed` = 1
  std::uint64_t va_grants = 0,
                va_lost = 0;  ///< granted VCs; inputs with a routed head and no grant

  Coverage& operator+=(const Coverage& other);
};

struct Outcome {
  bool equal = true;
  std::string difference;  ///< the first one, with the last line traces of both sides
  Coverage coverage;
};

/// Places that bring out everything that depends on them: both ends and the middle of rings of 4,
/// 5, 2, 3, 8, 256 and 1 nodes, rims of meshes. Deterministic.
std::vector<Place> places(const systemc::RouterConfig& config);

/// Drives both for `cycles` cycles with the stimulus of `seed`, then until everything has drained.
/// `model` and `rtl` are the same but in tests of the comparison itself.
Outcome run_router_lockstep(const systemc::RouterConfig& model, const systemc::RouterConfig& rtl,
                            const Place& place, Cycle cycles, std::uint64_t seed);

}  // namespace annelid::lockstep
