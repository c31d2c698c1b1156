// The registers of routers of all processes, in process 0, for a waveform
// (docs/internals/processes.md).
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "simulation/recordings/state_stream.hpp"
#include "systemc/modules/network.hpp"
#include "systemc/network/router_state.hpp"

namespace annelid::simulation {

/// Each process has one, for the same nodes, and tells of those in its slab. In process 0
/// registers() then gives what Network::registers gives in a single process, in the cycle that the
/// stream replays.
class RegisterStream final : public StateStream {
 public:
  RegisterStream(systemc::EventStream& stream, systemc::Network& network,
                 const std::vector<NodeId>& nodes);

  /// In process 0. Of the ports in the set `ports`, as Network::registers.
  void registers(NodeId node, unsigned ports, systemc::RouterState& state) const;

 private:
  using Words = systemc::EventStream::Words;

  void record(Cycle cycle) override;
  void add_port(Cycle cycle, NodeId node, Port port, const systemc::RouterState& state);
  void replay(Words words);

  systemc::Network& network_;
  const systemc::RouterConfig router_;
  systemc::EventStream::Kind kind_;
  systemc::EventWriter words_;
  /// The nodes of this process, and their registers in the last cycle that was recorded.
  std::vector<std::pair<NodeId, systemc::RouterState>> own_;
  systemc::RouterState now_;
  std::unordered_map<NodeId, systemc::RouterState> all_;  // in process 0
};

}  // namespace annelid::simulation
