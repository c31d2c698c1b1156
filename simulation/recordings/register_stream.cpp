#include "simulation/recordings/register_stream.hpp"

namespace annelid::simulation {
namespace {

using systemc::Flit;
using systemc::InputVcState;
using systemc::OutputVcState;
using systemc::RouterState;

std::uint32_t pack(const InputVcState& s) {
  return std::uint32_t{s.count} | std::uint32_t{s.out_port} << 8 | std::uint32_t{s.out_vc} << 12 |
         std::uint32_t{s.routed} << 16 | std::uint32_t{s.active} << 17 |
         std::uint32_t{s.front.vc} << 18 | std::uint32_t{s.front.head} << 22 |
         std::uint32_t{s.front.tail} << 23;
}

InputVcState unpack_input(std::uint32_t word, std::uint64_t data) {
  return {.count = static_cast<std::uint8_t>(word),
          .front = {.data = data,
                    .vc = static_cast<Vc>(word >> 18 & 15),
                    .head = (word >> 22 & 1) != 0,
                    .tail = (word >> 23 & 1) != 0},
          .routed = (word >> 16 & 1) != 0,
          .active = (word >> 17 & 1) != 0,
          .out_port = static_cast<Port>(word >> 8 & 15),
          .out_vc = static_cast<Vc>(word >> 12 & 15)};
}

bool same(const RouterState& a, const RouterState& b, Port p) {
  return a.input[p] == b.input[p] && a.output[p] == b.output[p] &&
         a.in_pointer[p] == b.in_pointer[p] && a.out_pointer[p] == b.out_pointer[p];
}

void copy_port(const RouterState& from, RouterState& to, Port p) {
  to.input[p] = from.input[p];
  to.output[p] = from.output[p];
  to.in_pointer[p] = from.in_pointer[p];
  to.out_pointer[p] = from.out_pointer[p];
}

}  // namespace

RegisterStream::RegisterStream(systemc::EventStream& stream, systemc::Network& network,
                               const std::vector<NodeId>& nodes)
    : StateStream(stream),
      network_(network),
      router_(network.config().router),
      kind_(stream.add_kind([this](int, Cycle, Words words) { replay(words); })) {
  for (const NodeId node : nodes) {
    if (network.slab().has(node)) own_.emplace_back(node, RouterState{});
    if (network.slab().process == 0) all_.emplace(node, RouterState{});
  }
}

// ---- In each process ----------------------------------------------------------------------------

/// What has changed since the last time.
void RegisterStream::record(Cycle cycle) {
  for (auto& [node, known] : own_) {
    network_.registers(node, (1u << router_.ports()) - 1, now_);
    for (Port p = 0; p < router_.ports(); ++p) {
      if (same(now_, known, p)) continue;
      add_port(cycle, node, p, now_);
      copy_port(now_, known, p);
    }
  }
}

void RegisterStream::add_port(Cycle cycle, NodeId node, Port port, const RouterState& state) {
  words_.clear();
  words_.add(node).add(std::uint32_t{port} | std::uint32_t{state.in_pointer[port]} << 8 |
                       std::uint32_t{state.out_pointer[port]} << 16);
  for (Vc v = 0; v < router_.input_vcs(port); ++v) {
    words_.add(pack(state.input[port][v])).add_long(state.input[port][v].front.data);
  }
  for (Vc w = 0; w < router_.output_vcs(port); ++w) {
    const OutputVcState& output = state.output[port][w];
    words_.add(std::uint32_t{output.credits} | std::uint32_t{output.owned} << 8);
  }
  stream().add_registers(kind_, cycle, words_.words());
}

// ---- In process 0 -------------------------------------------------------------------------------

void RegisterStream::replay(Words words) {
  systemc::EventReader reader(words);
  RouterState& state = all_.at(reader.next());
  const std::uint32_t place = reader.next();
  const auto port = static_cast<Port>(place & 0xff);
  state.in_pointer[port] = static_cast<Vc>(place >> 8 & 0xff);
  state.out_pointer[port] = static_cast<Port>(place >> 16 & 0xff);
  for (Vc v = 0; v < router_.input_vcs(port); ++v) {
    const std::uint32_t word = reader.next();
    state.input[port][v] = unpack_input(word, reader.next_long());
  }
  for (Vc w = 0; w < router_.output_vcs(port); ++w) {
    const std::uint32_t word = reader.next();
    state.output[port][w] = {static_cast<std::uint8_t>(word), (word >> 8 & 1) != 0};
  }
}

void RegisterStream::registers(NodeId node, unsigned ports, RouterState& state) const {
  const RouterState& known = all_.at(node);
  for (Port p = 0; p < router_.ports(); ++p) {
    if ((ports >> p & 1) != 0) copy_port(known, state, p);
  }
}

}  // namespace annelid::simulation
