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
#include "simulation/machine/memory_plan.hpp"
#include "simulation/machine/message_stream.hpp"
#include "simulation/machine/node_waits.hpp"
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
  /// Watches so many calls of the host. `nics` and `host` must outlive it. A stream gets the
  /// messages in place of messages(); its replay brings them there (log()).
  NicWatch(const std::vector<std::unique_ptr<nic::Nic>>& nics, Host& host, std::size_t calls,
           std::vector<nic::NicObserver*> others, MessageStream* stream);

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

  /// Return the cycle in which a call ended at each node, and its result there, by node. kNever and
  /// 0 where it has not ended.
  [[nodiscard]] const std::vector<Cycle>& finished(std::size_t call = 0) const {
    return calls_[call].finished;
  }
  [[nodiscard]] const std::vector<std::uint32_t>& results(std::size_t call = 0) const {
    return calls_[call].results;
  }
  /// Ends of calls at nodes.
  [[nodiscard]] std::size_t finished_count() const { return finished_count_; }
  [[nodiscard]] const std::optional<Failure>& failure() const { return failure_; }
  [[nodiscard]] const nic::MessageLog& messages() const { return messages_; }
  [[nodiscard]] nic::MessageLog& log() { return messages_; }

  /// The number of writes to a node's memory by the core and the engines while the node had no
  /// call, since its buffers were filled.
  struct Writes {
    std::uint64_t before = 0;  ///< before the node was called for the first time
    std::uint64_t after = 0;   ///< after it ended its calls, and between them
  };
  [[nodiscard]] Writes stray_writes(NodeId node) const;

  /// Collective, at the end of the run: in rank 0, finished(), results() and stray_writes() say
  /// those of all nodes.
  void gather(Exchange& exchange, NodeId first, NodeId end);

 private:
  struct Call {
    std::vector<Cycle> finished;
    std::vector<std::uint32_t> results;
  };
  struct NodeWrites {
    std::uint64_t counted =
        0;                    ///< NodeMemory::writes() when the node got its last call, or had none
    std::uint32_t calls = 0;  ///< unfinished ones
    bool called = false;      ///< ever
    Writes stray;
  };
  [[nodiscard]] std::uint64_t writes_of(NodeId node) const;

  const std::vector<std::unique_ptr<nic::Nic>>& nics_;
  Host& host_;
  std::vector<NodeWrites> writes_;
  std::vector<Writes> gathered_;  // by node
  nic::MessageLog messages_;
  nic::NicObserver& messages_to_;
  std::vector<Call> calls_;
  std::size_t finished_count_ = 0;
  std::optional<Failure> failure_;
  std::vector<nic::NicObserver*> others_;
};

class Simulation {
 public:
  /// `image` is nullptr for native firmware. Nodes have at least `memory_bytes` of memory. The
  /// scenario and the observers must outlive the simulation; its calls and groups may change
  /// between runs. packets() is always available.
  ///
  /// With an exchange, several processes simulate one network together. Each has the routers and
  /// NICs of a slab, and run() is collective. What is known at the end is known to rank 0.
  Simulation(const Scenario& scenario, const nic::Image* image, const std::set<NodeId>& rtl,
             std::uint64_t memory_bytes, Exchange* exchange = nullptr);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Adds observers. Call it at most once, before the first run().
  void watch(std::vector<systemc::FabricObserver*> observers,
             std::vector<nic::NicObserver*> nic_observers);

  /// Records what the cores execute, and lets reports name source lines and callers. Call it before
  /// the first run(), and only with firmware on cores. Both arguments must outlive the runs.
  void record(CoreRecordings& recordings, const Program& program);

  /// Writes the inputs of the scenario's calls and their guards into every node's memory, and lets
  /// the firmware make the groups. Then it makes the calls, and runs until every node has finished
  /// its calls and the NICs' last control packets have arrived. It may be called again after it has
  /// returned; the functions below describe the last run, without the making of groups. Throws
  /// RunFailure if the run cannot end; of several processes rank 0 does, and the others throw
  /// EndedByOther.
  void run(const std::vector<reference::Inputs>& inputs, Progress& progress);

  /// The first cycle of the calls, and the cycle in which each process was called, by node.
  [[nodiscard]] Cycle start() const { return start_; }
  [[nodiscard]] Cycle now() const { return fabric_.now(); }
  [[nodiscard]] const std::vector<Cycle>& called(std::size_t call = 0) const {
    return host_.called(call);
  }
  /// What a message or call is part of: "row 3", "groups: row 3" while that is made. A call's tag
  /// is its number and 1.
  [[nodiscard]] const std::vector<std::string>& names_by_tag() const { return names_by_tag_; }
  /// Which of them a ticket of a node means, as a tag.
  [[nodiscard]] std::uint16_t tag_of(NodeId node, std::uint16_t ticket) const;
  [[nodiscard]] systemc::Network& network() { return network_; }
  /// Null in one process that simulates the whole network.
  [[nodiscard]] Exchange* exchange() const { return cut_ == nullptr ? nullptr : &cut_->exchange(); }
  /// The nodes of this process.
  [[nodiscard]] systemc::Slab slab() const { return network_.slab(); }
  /// The NIC of one of them.
  [[nodiscard]] nic::Nic& nic(NodeId node) { return *nics_[node]; }
  /// What the memories were filled with.
  [[nodiscard]] Filler& filler() { return filler_; }
  [[nodiscard]] const systemc::PacketTracker& packets() const { return tracker_; }
  [[nodiscard]] const NicWatch& nics() const { return *nic_watch_; }
  [[nodiscard]] std::uint64_t flits_in_flight() const {
    return cut_ == nullptr ? fabric_.flits_in_flight() : left_.flits;
  }
  /// The first node whose NIC is not idle; the number of nodes if there is none.
  [[nodiscard]] NodeId first_busy() const {
    return cut_ == nullptr ? own_first_busy() : static_cast<NodeId>(left_.busy);
  }
  /// After a deadlock: the packets that wait for each other. Empty for any other run.
  [[nodiscard]] const systemc::StallReport& stall() const { return stall_; }
  /// Those of all cores since start().
  [[nodiscard]] std::uint64_t instructions() const {
    return cut_ == nullptr ? own_instructions() : left_.instructions;
  }

 private:
  /// What there is at the end of a run, in all processes.
  struct Left {
    std::uint64_t flits = 0, instructions = 0, busy = 0;
  };
  void make(std::vector<HostCall> calls, Progress& progress);
  void make_groups(const MemoryPlan& plan, Progress& progress);
  void name_tags();
  [[nodiscard]] std::size_t first_group_tag() const { return scenario_.calls.size() + 1; }
  systemc::RunStatus run_to_end(Progress& progress);
  void require_success(std::size_t calls) const;
  /// Why calls in develop mode do not end: a member that was refused, and what members say
  /// differently. Lines of text, each with its end.
  [[nodiscard]] std::string differences() const;
  /// Why a call ended at a node with a result other than SUCCESS.
  [[nodiscard]] std::string why_refused(std::size_t call, NodeId node,
                                        reg::CallResult result) const;
  [[nodiscard]] bool all_ended();
  void drain();
  void drain_together(const systemc::StopCondition& idle);
  [[nodiscard]] bool failed() const;
  void gather();
  [[nodiscard]] std::uint64_t own_instructions() const;
  [[nodiscard]] NodeId own_first_busy() const;
  [[noreturn]] void fail(systemc::RunStatus status);
  [[nodiscard]] std::string explain_failure() const;
  [[nodiscard]] std::string first_failure() const;
  [[nodiscard]] const std::string& explain_deadlock(
      const std::vector<systemc::RouterState>& states);
  [[nodiscard]] std::string unfinished_nodes(const std::vector<NodeWait>& waits) const;
  [[nodiscard]] std::string shown(NodeId node) const;

  const Scenario& scenario_;
  std::unique_ptr<systemc::Cut> cut_;
  systemc::Fabric fabric_;
  systemc::Network network_;
  std::vector<std::unique_ptr<nic::Nic>> nics_;
  Host host_;
  systemc::PacketTracker tracker_;
  Filler filler_;
  std::unique_ptr<systemc::EventStream> stream_;  // to rank 0, of several processes
  std::unique_ptr<MessageStream> messages_;
  Left left_;
  std::optional<systemc::ObserverTee> tee_;
  std::optional<NicWatch> nic_watch_;
  const nic::Image* image_;
  const Program* program_ = nullptr;  // with its lines, if they are wanted
  Cycle start_ = 0;
  std::uint64_t instructions_before_ = 0;  // the start
  systemc::StallReport stall_;
  std::vector<nic::NicObserver*> nic_observers_;
  std::vector<std::string> names_by_tag_;
  bool calling_ = false;           // in place of making groups
  std::vector<HostCall> freeing_;  // for the groups that there are
};

}  // namespace annelid::simulation
