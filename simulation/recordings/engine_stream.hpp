// The engines of the NICs of all processes, in process 0, for a waveform
// (docs/internals/processes.md).
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simulation/machine/simulation.hpp"
#include "simulation/recordings/state_stream.hpp"

namespace annelid::simulation {

/// Each process has one, for the same nodes, and tells of those in its slab. In process 0 engines()
/// then gives what Nic::engines gives in a single process, in the cycle that the stream replays.
class EngineStream final : public StateStream {
 public:
  EngineStream(systemc::EventStream& stream, Simulation& simulation,
               const std::vector<NodeId>& nodes);

  /// In process 0.
  [[nodiscard]] const nic::NicEngines& engines(NodeId node) const { return all_.at(node); }

 private:
  void record(Cycle cycle) override;
  void replay(systemc::EventReader words);
  [[nodiscard]] std::string_view kept(std::string text) {
    return *texts_.insert(std::move(text)).first;
  }

  Simulation& simulation_;
  systemc::EventStream::Kind kind_;
  systemc::EventWriter words_;
  /// The nodes of this process, and their engines in the last cycle that was recorded.
  std::vector<std::pair<NodeId, nic::NicEngines>> own_;
  std::unordered_map<NodeId, nic::NicEngines> all_;  // in process 0
  std::set<std::string> texts_;                      // in all_
};

}  // namespace annelid::simulation
