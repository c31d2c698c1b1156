#include "simulation/recordings/engine_stream.hpp"

namespace annelid::simulation {

EngineStream::EngineStream(systemc::EventStream& stream, Simulation& simulation,
                           const std::vector<NodeId>& nodes)
    : StateStream(stream),
      simulation_(simulation),
      kind_(stream.add_kind([this](int, Cycle, systemc::EventStream::Words words) {
        replay(systemc::EventReader(words));
      })) {
  const systemc::Slab slab = simulation.slab();
  for (const NodeId node : nodes) {
    if (slab.has(node)) own_.emplace_back(node, nic::NicEngines{});
    if (slab.process == 0) all_.emplace(node, nic::NicEngines{});
  }
}

void EngineStream::record(Cycle cycle) {
  for (auto& [node, known] : own_) {
    const nic::NicEngines now = simulation_.nic(node).engines();
    if (now == known) continue;
    known = now;
    words_.clear();
    words_.add(node).add(now.start_up ? 1 : 0).add(now.combine ? 1 : 0).add(now.delivery ? 1 : 0);
    for (std::size_t l = 0; l < kMaxLocalPorts; ++l) {
      words_.add_text(now.send[l]).add_text(now.receive[l]);
    }
    stream().add_registers(kind_, cycle, words_.words());
  }
}

void EngineStream::replay(systemc::EventReader words) {
  nic::NicEngines& engines = all_.at(words.next());
  engines.start_up = words.next() != 0;
  engines.combine = words.next() != 0;
  engines.delivery = words.next() != 0;
  for (std::size_t l = 0; l < kMaxLocalPorts; ++l) {
    engines.send[l] = kept(words.next_text());
    engines.receive[l] = kept(words.next_text());
  }
}

}  // namespace annelid::simulation
