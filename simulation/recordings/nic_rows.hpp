// Shows the activity of each NIC as rows in a waveform.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "nic/nic_observer.hpp"
#include "simulation/machine/simulation.hpp"
#include "simulation/recordings/match_row.hpp"
#include "simulation/scenario/scenario.hpp"
#include "systemc/network/observer.hpp"
#include "waves/wave_trace.hpp"

namespace annelid::simulation {

/// Adds the rows of every node in the waveform: docs/reference/waves.md, "NICs". It must observe
/// the run from the beginning, and in each cycle after the waveform. It asks the simulation for no
/// NIC, as that may be in another process.
class NicRows final : public nic::NicObserver, public systemc::FabricObserver {
 public:
  /// What a NIC's engines do at the start of the cycle that the waveform shows.
  using EnginesOf = std::function<nic::NicEngines(NodeId)>;

  /// `image` is the program of the cores, or nullptr if there are none. All arguments must outlive
  /// the run.
  NicRows(waves::WaveTrace& wave, const Scenario& scenario, const Simulation& simulation,
          const nic::Image* image, EnginesOf engines_of);
  ~NicRows() override;

  /// Shows what a node's core executes. nullptr if it has none, or is not in the waveform.
  [[nodiscard]] nic::CoreTracer* tracer(NodeId node);

  void called(Cycle now, NodeId node, std::uint16_t ticket) override;
  void matched(Cycle now, NodeId node, const nic::MatchInfo& match) override;
  void send_started(Cycle now, const nic::MessageInfo& info, Port local) override;
  void send_completed(Cycle now, const nic::MessageInfo& info) override;
  void received(Cycle now, const nic::MessageInfo& info) override;
  void call_finished(Cycle now, NodeId node, std::uint16_t ticket, std::uint32_t result) override;
  void trapped(Cycle now, NodeId node, const nic::Trap& trap) override;
  void failed(Cycle now, NodeId node, reg::ErrorCause cause, const std::string& text) override;

  void cycle(Cycle now) override;

 private:
  class CoreRows;

  struct Rows {
    waves::WaveTrace::Row collective = 0, step = 0, firmware = 0;
    std::array<waves::WaveTrace::Row, kMaxLocalPorts> send{}, send_engine{}, receive_engine{};
    waves::WaveTrace::Row start_up = 0, combine = 0, delivery = 0;
  };
  struct NodeState {
    Rows rows;
    std::array<NodeId, kMaxLocalPorts> sending{};  ///< by local port: to whom
    nic::NicEngines engines;
    std::vector<std::uint16_t> calls;  ///< tags of those that it has not ended
    MatchRow match;
    std::unique_ptr<CoreRows> core;
  };

  [[nodiscard]] std::string shown(NodeId node) const;
  /// "step 2", "rows: step 2".
  [[nodiscard]] std::string step_name(std::uint16_t tag, std::uint32_t step) const;
  [[nodiscard]] std::string calls_text(const NodeState& node) const;
  void set(waves::WaveTrace::Row row, Cycle cycle, std::string text) {
    wave_.set_text(row, cycle, std::move(text));
  }

  waves::WaveTrace& wave_;
  const Simulation& simulation_;
  const EnginesOf engines_of_;
  const systemc::NetworkConfig network_;
  const std::string collective_;  ///< of the only call; empty: each call has its name
  std::unordered_map<NodeId, NodeState> nodes_;  ///< those in the waveform
  /// (source, destination, sequence) -> the message's step, which does not travel with it.
  std::unordered_map<std::uint64_t, std::uint32_t> steps_;
  std::map<std::uint16_t, std::uint32_t> steps_marked_;  ///< by tag
};

}  // namespace annelid::simulation
