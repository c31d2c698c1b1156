// The registers of a router as an observer sees them (docs/internals/microarchitecture.md, section
// 8).
#pragma once

#include <array>

#include "systemc/network/flit.hpp"

namespace annelid::systemc {

/// One input VC at the start of a cycle.
struct InputVcState {
  std::uint8_t count = 0;  ///< flits in the FIFO
  Flit front;              ///< its front flit (vc = this VC), all 0 if the FIFO is empty
  bool routed = false;     ///< only with three stages and more
  bool active = false;
  Port out_port = 0;
  Vc out_vc = 0;
  friend bool operator==(const InputVcState&, const InputVcState&) = default;
};

/// One output VC at the start of a cycle.
struct OutputVcState {
  std::uint8_t credits = 0;
  bool owned = false;
  friend bool operator==(const OutputVcState&, const OutputVcState&) = default;
};

/// The grant of switch allocation to an output port in a cycle. It is a function of the registers.
struct Grant {
  bool valid = false;
  Port in_port = 0;
  Vc in_vc = 0;
  Vc out_vc = 0;
  friend bool operator==(const Grant&, const Grant&) = default;
};

/// The grant of VC allocation for a VC of an output port. Only with four stages.
struct VaGrant {
  bool valid = false;
  Port in_port = 0;
  Vc in_vc = 0;
  Vc out_vc = 0;
  friend bool operator==(const VaGrant&, const VaGrant&) = default;
};

/// The registers and grants of a router. Entries beyond its ports and VCs are 0.
struct RouterState {
  std::array<std::array<InputVcState, kMaxVcs>, kMaxPorts> input;
  std::array<std::array<OutputVcState, kMaxVcs>, kMaxPorts> output;
  std::array<Vc, kMaxPorts> in_pointer{}, va_in_pointer{};
  std::array<Port, kMaxPorts> out_pointer{}, va_out_pointer{};
  std::array<Grant, kMaxPorts> grant;
  std::array<VaGrant, kMaxPorts> va_grant;
  friend bool operator==(const RouterState&, const RouterState&) = default;
};

}  // namespace annelid::systemc
