// The simulated machine of a scenario: routers, NICs, firmware, and observers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.hpp"
#include "nic/message_log.hpp"
#include "nic/nic.hpp"
#include "simulation/debugger/gdb_server.hpp"
#include "simulation/machine/call_difference.hpp"
#include "simulation/machine/core_tracers.hpp"
#include "simulation/machine/host.hpp"
#include "simulation/machine/nic_stream.hpp"
#include "simulation/machine/nic_watch.hpp"
#include "simulation/machine/node_waits.hpp"
#include "simulation/machine/prepared_calls.hpp"
#include "simulation/machine/untouched_memory.hpp"
#include "simulation/program/core_program.hpp"
#include "simulation/scenario/memory_plan.hpp"
#include "simulation/scenario/scenario.hpp"
#include "systemc/analysis/deadlock.hpp"
#include "systemc/analysis/observer_tee.hpp"
#include "systemc/analysis/packet_tracker.hpp"
#include "systemc/modules/network.hpp"

namespace annelid::simulation {

class Simulation {
 public:
  /// `image` is nullptr for native firmware. Nodes have at least `memory_bytes` of memory. The
  /// scenario and the observers must outlive the simulation; its calls and groups may change
  /// between runs. packets() is always available.
  ///
  /// With an exchange, several processes simulate one network together. Each has the routers and
  /// NICs of a slab, and run() is collective. What is known at the end is known to process 0.
  Simulation(const Scenario& scenario, const nic::Image* image, const std::set<NodeId>& rtl,
             std::uint64_t memory_bytes, Exchange* exchange = nullptr);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Adds observers. Call it at most once, before the first run(). Of several processes they are
  /// those of process 0. `states` are told of the cycles of this process, before the stream is.
  void watch(std::vector<systemc::FabricObserver*> observers,
             std::vector<nic::NicObserver*> nic_observers,
             const std::vector<systemc::FabricObserver*>& states = {});
  /// Calls `f` at observed_end(), while the machine still is as the observers have seen it last.
  void at_observed_end(std::function<void()> f) { at_observed_end_ = std::move(f); }
  /// Brings process 0 what happens in all processes. nullptr in one process.
  [[nodiscard]] systemc::EventStream* stream() { return stream_.get(); }

  /// To add tracers before the first run().
  [[nodiscard]] CoreTracers& core_tracers() { return core_tracers_; }
  /// Lets reports name source lines and callers. Call it before the first run(), and only with
  /// firmware on cores. The program must outlive the runs.
  void explain_by(const CoreProgram& program) { program_ = &program; }

  /// Lets gdb look at the machine during the runs. Only in one process, and with cores that do not
  /// run ahead of the network.
  void debug(GdbServer& gdb);

  /// Writes the inputs of the scenario's calls and their guards into every node's memory, and lets
  /// the firmware make the groups. Then it makes the calls, and runs until every node has finished
  /// its calls and the NICs' last control packets have arrived. That is the end of what observers
  /// see and statistics count. The machine then runs on until it is at rest, so that the checks see
  /// what nodes do after their last call, but for at most rest_limit() cycles.
  ///
  /// It may be called again after it has returned; the functions below describe the last run,
  /// without the making of groups. Throws RunFailure if the run cannot end, or if a node fails; of
  /// several processes process 0 does, and the others throw EndedByOther.
  ///
  /// That is begin() and the last start of a scenario without prepared calls.
  void run(const std::vector<reference::Inputs>& inputs, Progress& progress);

  /// What run() does before the calls: the nodes' start, contents, and groups. Then prepares the
  /// calls that are to be prepared, and waits until the cores are at rest.
  void begin(const std::vector<reference::Inputs>& inputs, Progress& progress);
  /// Makes all calls, those that are prepared by their handles, as run() does. `number` is 0 for
  /// the first time; later ones first write other inputs. The machine comes to rest after the last.
  void start(int number, const std::vector<reference::Inputs>& inputs, Progress& progress);
  /// Frees prepared calls. The functions below still describe the last start, but for nics() and
  /// called(), which describe the freeing. Observers are not told of it.
  void free_prepared(Progress& progress);
  /// Of each call: the answers to its preparation, by node. Empty for calls that are not prepared.
  /// Process 0 knows those of all processes.
  [[nodiscard]] const std::vector<std::vector<PreparedAnswer>>& answers() const { return answers_; }
  /// The cycles from the first preparation to the end of the last one; 0 if there are none.
  [[nodiscard]] Cycle prepare_cycles() const { return prepare_cycles_; }

  /// The cycle from which on all nodes were in their main loops, where their cores wait for events;
  /// 0 for native firmware. Firmware that is in none after kMostToStart cycles is called then.
  [[nodiscard]] Cycle ready() const { return ready_; }
  /// The first cycle of the calls, and the cycle in which each process was called, by node.
  [[nodiscard]] Cycle start() const { return start_; }
  /// The cycle behind the last one that observers have seen.
  [[nodiscard]] Cycle observed_end() const { return end_; }
  /// Whether nothing could happen any more at the end, and how many cycles the machine had for
  /// that: as many as the calls took, and at least 10,000.
  [[nodiscard]] bool at_rest() const { return at_rest_; }
  [[nodiscard]] Cycle rest_limit() const { return std::max(kLeastToRest, end_ - start_); }
  [[nodiscard]] const std::vector<Cycle>& called(std::size_t call = 0) const {
    return host_.called(call);
  }
  /// What a message or call is part of: "row 3", "groups: row 3" while that is made. A call's tag
  /// is its number and 1.
  [[nodiscard]] const std::vector<std::string>& names_by_tag() const { return names_by_tag_; }
  /// Which of them a ticket of a node means, as a tag. Process 0 knows those of all processes.
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
  /// The instructions of all cores from start() to observed_end().
  [[nodiscard]] std::uint64_t instructions() const { return left_.instructions; }

 private:
  static constexpr Cycle kLeastToRest = 10'000, kMostToStart = 10'000;
  /// What there is at the end of a run, in all processes as soon as they have gathered it.
  struct Left {
    std::uint64_t flits = 0, instructions = 0, busy = 0;
  };
  /// What the host lets the nodes do.
  enum class Phase : std::uint8_t { kGroups, kPreparing, kCalling, kFreeing };
  void start_nodes();
  [[nodiscard]] bool ends_by_failure();
  [[nodiscard]] bool nodes_wait();
  void make(std::vector<HostCall> calls, Progress& progress);
  void prepare(const MemoryPlan& plan, Progress& progress);
  [[nodiscard]] std::vector<std::size_t> prepared_calls() const;
  [[nodiscard]] std::size_t tag_of_call(std::size_t call) const;
  [[nodiscard]] std::string why_no_room(std::size_t call) const;
  void watch_nics(std::size_t calls);
  void tell_of_nics(std::vector<nic::NicObserver*> observers);
  void tell_of_fabric(systemc::FabricObserver* observer);
  void tell_checks_alone();
  void come_to_rest();
  [[nodiscard]] std::uint16_t own_tag_of(NodeId node, std::uint16_t ticket) const;
  void make_groups(const MemoryPlan& plan, Progress& progress);
  void name_tags();
  [[nodiscard]] std::size_t first_group_tag() const { return scenario_.calls.size() + 1; }
  systemc::RunStatus run_to_end(Progress& progress);
  systemc::RunStatus run_until(Cycle limit, const systemc::StopCondition& done);
  void show_failure_to_gdb();
  /// Collective, as the next three are: what process 0 says comes from all processes.
  void require_success(std::size_t calls) const;
  /// Why calls in develop mode do not end: a member that was refused, and what members say
  /// differently. Lines of text, each with its end.
  [[nodiscard]] std::string differences() const;
  /// Why a call ended at the first node with a result other than SUCCESS; "" if it did nowhere.
  [[nodiscard]] std::string first_refusal(std::size_t call) const;
  /// What the process says whose nodes come first; "" in other processes than 0.
  [[nodiscard]] std::string first_of_all(const std::string& own) const;
  [[nodiscard]] std::optional<NodeId> own_refused(std::size_t call) const;
  [[nodiscard]] std::vector<CallRecord> own_records(std::size_t call) const;
  /// Why the call ended at a node of this process with a result other than SUCCESS.
  [[nodiscard]] std::string why_refused(std::size_t call, NodeId node) const;
  [[nodiscard]] bool all_ended();
  void drain();
  void drain_together(const systemc::StopCondition& idle);
  [[nodiscard]] bool failed() const;
  void gather();
  [[nodiscard]] std::uint64_t own_instructions() const;
  [[nodiscard]] NodeId own_first_busy() const;
  [[noreturn]] void fail(systemc::RunStatus status);
  [[nodiscard]] std::string explain_failure() const;
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
  std::unique_ptr<systemc::EventStream> stream_;  // to process 0, of several processes
  std::unique_ptr<NicStream> nic_stream_;
  CoreTracers core_tracers_;
  Left left_;
  std::optional<systemc::ObserverTee> tee_, own_tee_;  // of all processes, of this one
  systemc::FabricObserver* observer_ = nullptr;        // of the fabric, while observers are told
  std::function<void()> at_observed_end_;
  std::optional<NicWatch> nic_watch_;
  const nic::Image* image_;
  GdbServer* gdb_ = nullptr;
  const CoreProgram* program_ = nullptr;  // with its lines, if they are wanted
  Cycle ready_ = 0, start_ = 0, end_ = 0;
  bool has_called_ = false;
  bool at_rest_ = false;
  std::uint64_t instructions_before_ = 0;  // the start
  systemc::StallReport stall_;
  std::vector<nic::NicObserver*> nic_observers_;
  std::vector<std::string> names_by_tag_;
  Phase phase_ = Phase::kGroups;
  bool last_start_ = true;
  std::vector<HostCall> ordinary_;                    // the calls of the scenario, not prepared
  std::vector<std::vector<PreparedAnswer>> answers_;  // by call and node
  Cycle prepare_cycles_ = 0;
  std::vector<HostCall> freeing_;  // for the groups that there are
};

}  // namespace annelid::simulation
