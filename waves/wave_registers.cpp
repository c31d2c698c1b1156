#include "waves/wave_registers.hpp"

#include <bit>

namespace annelid::waves {

WaveRegisters::WaveRegisters(const systemc::NetworkConfig& config, const WaveSignals& signals,
                             const StateOf& state_of)
    : router_(config.router),
      state_of_(state_of),
      reach_(static_cast<Cycle>(config.router.credit_loop() + config.router.stages - 1)),
      ports_(static_cast<Port>(config.router.ports())) {
  for (const NodeSignals& node : signals.nodes) {
    nodes_.push_back({.node = node.node, .inputs = node.ports, .outputs = node.ports});
    for (Port p = 0; p < ports_; ++p) {
      const PortSignals& port = node.port[p];
      inputs_.push_back({0, port.in_pointer, static_cast<std::uint32_t>(input_vcs_.size()), 0});
      outputs_.push_back({0, port.out_pointer, static_cast<std::uint32_t>(output_vcs_.size()), 0});
      for (Vc v = 0; v < router_.input_vcs(p); ++v) input_vcs_.push_back({port.in_vc[v].all, {}});
      for (Vc w = 0; w < router_.output_vcs(p); ++w) output_vcs_.push_back({port.out_vc[w].all});
    }
  }
}

void WaveRegisters::write(FstWriter& file) {
  const Cycle now = file.time();
  for (std::size_t place = 0; place < nodes_.size(); ++place) {
    Node& node = nodes_[place];
    if ((node.inputs | node.outputs) == 0) continue;
    if (node.known) {
      forget_settled(node.inputs, &inputs_[place * ports_], now);
      forget_settled(node.outputs, &outputs_[place * ports_], now);
      if ((node.inputs | node.outputs) == 0) continue;
    }
    const unsigned inputs = node.inputs, outputs = node.outputs;
    state_of_(node.node, inputs | outputs, state_);
    write_inputs(file, place, inputs);
    write_outputs(file, place, outputs);
    node.known = true;
  }
}

void WaveRegisters::forget_settled(unsigned& ports, const Input* states, Cycle now) {
  for (unsigned rest = ports; rest != 0; rest &= rest - 1) {
    const auto p = static_cast<unsigned>(std::countr_zero(rest));
    if (states[p].settled < now) ports &= ~(1u << p);
  }
}

// Every packet's head is at the front in some cycle, before its body is.
void WaveRegisters::write_inputs(FstWriter& file, std::size_t node, unsigned ports) {
  for (; ports != 0; ports &= ports - 1) {
    const auto p = static_cast<Port>(std::countr_zero(ports));
    Input& input = inputs_[node * ports_ + p];
    for (Vc v = 0; v < router_.input_vcs(p); ++v) {
      const systemc::InputVcState& state = state_.input[p][v];
      InputVc& vc = input_vcs_[input.vcs + v];
      if (state.count > 0 && state.front.head) vc.front = {state.front.data, true};
      if (state.active) {
        const Output& output = outputs_[node * ports_ + state.out_port];
        output_vcs_[output.vcs + state.out_vc].owner = InputNames::index(p, v);
      }
      file.set(vc.all, InputVcBundle::record(vc.front, state));
    }
    write_pointer(file, input, state_.in_pointer[p]);
  }
}

/// After the inputs, which own them.
void WaveRegisters::write_outputs(FstWriter& file, std::size_t node, unsigned ports) {
  for (; ports != 0; ports &= ports - 1) {
    const auto p = static_cast<Port>(std::countr_zero(ports));
    Output& output = outputs_[node * ports_ + p];
    for (Vc w = 0; w < router_.output_vcs(p); ++w) {
      const systemc::OutputVcState& state = state_.output[p][w];
      const OutputVc& vc = output_vcs_[output.vcs + w];
      file.set(vc.all, OutputVcBundle::record(state, state.owned ? vc.owner : InputNames::kNone));
    }
    write_pointer(file, output, state_.out_pointer[p]);
    if (!router_.is_ejection(p)) continue;
    // The NIC's credits come when it likes.
    if (waits_for_nic(p)) {
      nodes_[node].outputs |= 1u << p;
      output.settled = kNever;
    } else if (output.settled == kNever) {
      output.settled = file.time();
    }
  }
}

/// Whether an ejection channel's credits are not all there.
bool WaveRegisters::waits_for_nic(Port port) const {
  for (Vc w = 0; w < router_.output_vcs(port); ++w) {
    if (state_.output[port][w].credits != router_.depth) return true;
  }
  return false;
}

}  // namespace annelid::waves
