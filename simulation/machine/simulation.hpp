// The simulated machine of a scenario: routers, NICs, firmware, and observers.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "nic/message_log.hpp"
#include "nic/nic.hpp"
#include "simulation/machine/host.hpp"
#include "simulation/machine/memory_layout.hpp"
#include "simulation/program/core_recordings.hpp"
#include "simulation/scenario/scenario.hpp"
#include "systemc/analysis/deadlock.hpp"
#include "systemc/analysis/observer_tee.hpp"
#include "systemc/analysis/packet_tracker.hpp"
#include "systemc/router/network.hpp"

namespace annelid::simulation {

/// Observes the NICs: records their messages, and the cycle in which each call ended or a node
/// failed.
class NicWatch final : public nic::NicObserver {
 public:
  /// `nics` must outlive it.
  NicWatch(const std::vector<std::unique_ptr<nic::Nic>>& nics,
           std::vector<nic::NicObserver*> others);

  void called(Cycle now, NodeId node, std::uint16_t ticket) override;
  void matched(Cycle now, NodeId node, const nic::MatchInfo& match) override;
  void send_posted(Cycle now, const nic::MessageInfo& info) override;
  void send_started(Cycle now, const nic::MessageInfo& info, Port local) override;
  void send_completed(Cycle now, const nic::MessageInfo& info) override;
  void received(Cycle now, const nic::MessageInfo& info) override;
  void call_finished(Cycle now, NodeId node, std::uint16_t ticket, std::uint32_t result) override;
  void trapped(Cycle now, NodeId node, const nic::Trap& trap) override;
  void failed(Cycle now, NodeId node, reg::ErrorCause cause, const std::string& text) override;

  /// A failed node, whose firmware or NIC will make no more progress.
  struct Failure {
    Cycle cycle = 0;
    NodeId node = 0;
    std::string text;
  };

  [[nodiscard]] const std::vector<Cycle>& finished() const { return finished_; }
  [[nodiscard]] const std::vector<std::uint32_t>& results() const { return results_; }
  [[nodiscard]] std::size_t finished_count() const { return finished_count_; }
  [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }
  [[nodiscard]] const nic::MessageLog& messages() const { return messages_; }

  /// The number of writes to a node's memory by the core and the engines, since its buffers were
  /// filled.
  struct Writes {
    std::uint64_t before = 0;  ///< before the node was called
    std::uint64_t after = 0;   ///< after it ended its call
  };
  [[nodiscard]] Writes stray_writes(NodeId node) const;

 private:
  /// Values of NodeMemory::writes() at three moments.
  struct WriteCounts {
    std::uint64_t filled = 0, called = 0, finished = 0;
  };

  const std::vector<std::unique_ptr<nic::Nic>>& nics_;
  std::vector<WriteCounts> writes_;
  nic::MessageLog messages_;
  std::vector<Cycle> finished_;
  std::vector<std::uint32_t> results_;
  std::size_t finished_count_ = 0;
  std::optional<Failure> failure_;
  std::vector<nic::NicObserver*> others_;
};

class Simulation {
 public:
  /// `image` is nullptr for native firmware. Nodes have at least `memory_bytes` of memory. The
  /// scenario and the observers must outlive the simulation. packets() is always available.
  Simulation(const Scenario& scenario, const nic::Image* image, const std::set<NodeId>& rtl,
             std::uint64_t memory_bytes);

  /// Adds observers. Call it at most once, before the first run().
  void watch(std::vector<systemc::FabricObserver*> observers,
             std::vector<nic::NicObserver*> nic_observers);

  /// Records what the cores execute, and lets reports name source lines and callers. Call it before
  /// the first run(), and only with firmware on cores. Both arguments must outlive the runs.
  void record(CoreRecordings& recordings, const Program& program);

  /// Writes the inputs and their guards into every node's memory, and the call into every mailbox.
  /// Then it runs until every node has finished its call and the NICs' last control packets have
  /// arrived. It may be called again after it has returned; the functions below describe the last
  /// run. Throws RunFailure if the run cannot end.
  void run(const Collective& collective, const reference::Inputs& inputs, Progress& progress);

  /// The first cycle of the run, the cycle in which each process was called, and the cycle in which
  /// its call ended.
  [[nodiscard]] Cycle start() const { return start_; }
  [[nodiscard]] Cycle now() const { return fabric_.now(); }
  [[nodiscard]] const std::vector<Cycle>& called() const { return host_.called(); }
  [[nodiscard]] systemc::Network& network() { return network_; }
  [[nodiscard]] nic::Nic& nic(NodeId node) { return *nics_[node]; }
  /// What the memories were filled with.
  [[nodiscard]] Filler& filler() { return filler_; }
  [[nodiscard]] const systemc::PacketTracker& packets() const { return tracker_; }
  [[nodiscard]] const NicWatch& nics() const { return *nic_watch_; }
  [[nodiscard]] std::uint64_t flits_in_flight() const { return fabric_.flits_in_flight(); }
  /// After a deadlock: the packets that wait for each other. Empty for any other run.
  [[nodiscard]] const systemc::StallReport& stall() const { return stall_; }
  [[nodiscard]] std::uint64_t instructions() const;

 private:
  void fill_memory(const Collective& collective, const reference::Inputs& inputs);
  systemc::RunStatus run_to_end(Progress& progress);
  void drain();
  [[noreturn]] void fail(systemc::RunStatus status);
  [[nodiscard]] std::string explain_failure() const;
  [[nodiscard]] const std::string& explain_deadlock();
  [[nodiscard]] std::string unfinished_nodes() const;
  [[nodiscard]] std::string shown(NodeId node) const;

  const Scenario& scenario_;
  systemc::Fabric fabric_;
  systemc::Network network_;
  std::vector<std::unique_ptr<nic::Nic>> nics_;
  Host host_;
  systemc::PacketTracker tracker_;
  Filler filler_;
  std::optional<systemc::ObserverTee> tee_;
  std::optional<NicWatch> nic_watch_;
  const nic::Image* image_;
  const Program* program_ = nullptr;  // with its lines, if they are wanted
  Cycle start_ = 0;
  systemc::StallReport stall_;
  std::vector<nic::NicObserver*> nic_observers_;
};

}  // namespace annelid::simulation
