// The registers of routers in a waveform.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "systemc/network/config.hpp"
#include "systemc/network/router_state.hpp"
#include "waves/fst_writer.hpp"
#include "waves/wave_signals.hpp"

namespace annelid::waves {

/// Reads registers only at inputs and outputs where something has happened recently.
class WaveRegisters {
 public:
  /// Gives the registers of a node's router at the start of the cycle that begins, those of ports
  /// in the set `ports`: NodeRouter::registers.
  using StateOf = std::function<void(NodeId, unsigned ports, systemc::RouterState&)>;
  /// A port of a node in the waveform, by its place there, or kNone: of another.
  struct End {
    std::uint32_t node = WaveSignals::kNone;
    Port port = 0;
  };

  /// `state_of` must outlive it.
  WaveRegisters(const systemc::NetworkConfig& config, const WaveSignals& signals,
                const StateOf& state_of);

  /// Something happens in cycle `now` that may change the registers of an input, of an output, in
  /// the cycles after it.
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

  /// What they are at the start of the cycle file.time().
  void write(FstWriter& file);
  /// The packet that was at the front of an input VC when it was last written, by the node's place.
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
    InputNames::Index owner = InputNames::kNone;  // the last that it had
  };
  struct Input {
    Cycle settled = 0;  // it may change until after this cycle
    FstWriter::Signal pointer = 0;
    std::uint32_t vcs = 0;     // the first one's place
    std::uint8_t pointed = 0;  // the pointer in the file
  };
  using Output = Input;
  struct Node {
    NodeId node = 0;
    bool known = false;                // it has been read
    unsigned inputs = 0, outputs = 0;  // that may change, a bit for each
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
  const Cycle reach_;  // cycles after an event in which it may still change registers
  const Port ports_;
  // All that is needed in a cycle lies close together.
  std::vector<Node> nodes_;
  std::vector<Input> inputs_;  // by node and port
  std::vector<Output> outputs_;
  std::vector<InputVc> input_vcs_;
  std::vector<OutputVc> output_vcs_;
  systemc::RouterState state_;  // of the node that is written
};

}  // namespace annelid::waves
