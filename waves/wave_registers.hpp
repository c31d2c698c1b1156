// Writes the registers of routers to a waveform.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "systemc/network/config.hpp"
#include "systemc/network/router_state.hpp"
#include "waves/fst_writer.hpp"
#include "waves/wave_signals.hpp"

namespace annelid::waves {

/// Reads only the registers of inputs and outputs where something has happened recently.
class WaveRegisters {
 public:
  /// Gives the registers of a node's router at the start of the new cycle, for the ports in the set
  /// `ports` (see NodeRouter::registers).
  using StateOf = std::function<void(NodeId, unsigned ports, systemc::RouterState&)>;
  /// A port of a node. The node is given by its index in the waveform, or kNone if it is not shown.
  struct End {
    std::uint32_t node = WaveSignals::kNone;
    Port port = 0;
  };

  /// `state_of` must outlive it.
  WaveRegisters(const systemc::NetworkConfig& config, const WaveSignals& signals,
                const StateOf& state_of);

  /// In cycle `now` something happens that may change the registers of an input, or of an output,
  /// in later cycles.
  void touch_input(const End& end, Cycle now) {
    if (end.node == WaveSignals::kNone) return;
    nodes_[end.node].inputs |= 1u << end.port;
    inputs_[place_of(end)].settled = now + reach_;
  }
  void touch_output(const End& end, Cycle now) {
    if (end.node == WaveSignals::kNone) return;
    nodes_[end.node].outputs |= 1u << end.port;
    outputs_[place_of(end)].settled = now + reach_;
  }

  /// Writes the registers at the start of cycle file.time().
  void write(FstWriter& file);
  /// The packet that was at the front of an input VC when it was last written. `place` is the
  /// node's index in the waveform.
  [[nodiscard]] const HeldPacket& front(std::uint32_t place, Port in, Vc vc) const {
    return input_vcs_[inputs_[place * ports_ + in].vcs + vc].front;
  }

 private:
  struct InputVc {
    FstWriter::Bundle all;
    HeldPacket front;  // of the packet at the front
  };
  struct OutputVc {
    FstWriter::Bundle all;
    InputNames::Index owner = InputNames::kNone;  // the last owner
  };
  struct Input {
    Cycle settled = 0;  // it may still change until this cycle
    FstWriter::Signal pointer = 0;
    std::uint32_t vcs = 0;     // index of the first one
    std::uint8_t pointed = 0;  // the pointer, as it is in the file
  };
  using Output = Input;
  struct Node {
    NodeId node = 0;
    bool known = false;                // it has been read
    unsigned inputs = 0, outputs = 0;  // ports that may change, one bit each
  };

  [[nodiscard]] std::size_t place_of(const End& end) const {
    return end.node * std::size_t{ports_} + end.port;
  }
  static void forget_settled(unsigned& ports, const Input* states, Cycle now);
  static void write_pointer(FstWriter& file, Input& state, std::uint8_t pointer) {
    if (state.pointed != pointer) file.set(state.pointer, state.pointed = pointer);
  }
  void write_inputs(FstWriter& file, std::size_t node, unsigned ports);
  void write_outputs(FstWriter& file, std::size_t node, unsigned ports);
  [[nodiscard]] bool waits_for_nic(Port port) const;

  const systemc::RouterConfig router_;
  const StateOf& state_of_;
  const Cycle reach_;  // for how many cycles an event may change registers
  const Port ports_;
  // Everything that a cycle needs is close together in memory.
  std::vector<Node> nodes_;
  std::vector<Input> inputs_;  // by node and port
  std::vector<Output> outputs_;
  std::vector<InputVc> input_vcs_;
  std::vector<OutputVc> output_vcs_;
  systemc::RouterState state_;  // of the node that is written
};

}  // namespace annelid::waves
