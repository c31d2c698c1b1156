// Tables that all router kernels of one kind share (docs/internals/microarchitecture.md, section
// 2).
#pragma once

#include <array>
#include <cstddef>

#include "systemc/network/arbiter.hpp"
#include "systemc/network/config.hpp"

namespace annelid::systemc {

/// The routers of an array share it, so that a router itself holds nothing but its registers.
struct KernelShape {
  /// `vc_bits` is the base-2 logarithm of the stride of the kernel's slots.
  KernelShape(const NetworkConfig& network, int vc_bits);

  NetworkConfig network;
  unsigned ports, depth, stages;
  unsigned
      fifo_mask;  ///< places of a FIFO - 1: a power of two of them, so that a pointer wraps by it
  RoutingKind routing;
  ArbiterKind arbiters;
  VcSelectionKind vc_selection;
  std::size_t order_words;  ///< words of the arbiters of a router: none if a byte holds a state
  bool one_port;
  unsigned out_candidates;  ///< candidates of an output's arbiter
  std::size_t flits = 0;    ///< of all FIFOs of a router

  std::array<std::uint16_t, std::size_t{kMaxPorts} * kMaxVcs>
      fifo{};  ///< an input VC's first flit, by slot
  std::array<std::uint8_t, std::size_t{kMaxPorts} * kMaxVcs>
      next_vc{};  ///< by input slot: the next VC of its port in an arbiter's order
  std::array<std::uint8_t, kMaxPorts> input_vcs{}, output_vcs{};
  /// By input: the bits of the coordinates that the switch behind it compares, in a head flit. An
  /// all-port router has one switch, a one-port router one for each dimension.
  std::array<std::uint32_t, kMaxPorts> address_mask{};
  /// By input: the output of a packet that these coordinates lead no further. It leaves the router,
  /// or goes through to the switch of the next dimension.
  std::array<Port, kMaxPorts> arrived{};
  std::array<Port, kMaxPorts> next_input{};   ///< by input: the next one in an arbiter's order
  std::array<Port, kMaxPorts> candidate{};    ///< by input: its number in an output's arbiter
  std::array<Port, kMaxPorts> first_input{};  ///< by output: the first input of its arbiter

  /// Cycles from the grant until a flit reaches the other end of an output, or a credit that of an
  /// input: the switch register and the link registers. The greatest of them.
  std::array<std::uint8_t, kMaxPorts> output_delay{}, input_delay{};
  unsigned max_delay = 0;

  std::array<std::uint8_t, 3> class_vcs{};    ///< bit vc, by class of a ring; data and control
  std::array<std::uint8_t, kMaxDims> last{};  ///< the greatest coordinate
  std::array<bool, kMaxDims> ring{};
  unsigned ring_classes;
  TorusClasses classes;

  bool control_vc;
  /// By input slot: XOR mask on data_vcs of the output, which gives the VCs of the packet's kind:
  /// none for data, all bits for control.
  std::array<std::uint8_t, std::size_t{kMaxPorts} * kMaxVcs> other_kind{};
  std::array<std::uint8_t, kMaxPorts> data_vcs{};  ///< bit vc, by output
  /// By output and by output slot, as in vc_selection.hpp.
  std::array<std::uint8_t, kMaxPorts> vc_pointers{};
  std::array<std::uint8_t, std::size_t{kMaxPorts} * kMaxVcs> vcs_beside{};

  /// The candidates of an output's arbiter.
  [[nodiscard]] Candidates inputs_of(Port output) const {
    return {first_input[output], out_candidates, next_input.data()};
  }

  static constexpr unsigned kAllVcs = 0xff;
};

}  // namespace annelid::systemc
