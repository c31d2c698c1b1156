// Runs a user's own program on every node of a network. No host calls it.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "nic/nic.hpp"
#include "simulation/debugger/gdb_server.hpp"
#include "simulation/machine/core_tracers.hpp"
#include "simulation/machine/node_output.hpp"
#include "simulation/program/core_program.hpp"
#include "simulation/program/native_program.hpp"
#include "simulation/recordings/core_recordings.hpp"
#include "simulation/recordings/core_times.hpp"
#include "systemc/analysis/observer_tee.hpp"
#include "systemc/modules/network.hpp"

namespace annelid::simulation {

/// How a node's program ended.
struct NodeEnd {
  enum class How : std::uint8_t {
    kRunning,
    kAsleep,         ///< until its timer, another node or a message in the network wakes it
    kAsleepForGood,  ///< nothing can wake it
    kExited,
    kTrapped
  } how = How::kRunning;
  std::string node;  ///< "3,5"
  Cycle cycles = 0;
  std::uint64_t instructions = 0;
  std::uint32_t pc = 0;            ///< of the trap, or of the halted core
  std::string place;               ///< of the pc: describe_place()
  nic::Trap trap;                  ///< of kTrapped
  std::uint32_t status = 0;        ///< of kExited
  Cycle wakes = kNever;            ///< of kAsleep: the cycle of its timer, if that is armed
  std::vector<std::string> waits;  ///< what its NIC still waits for or holds

  [[nodiscard]] bool good() const {
    return (how == How::kAsleepForGood || (how == How::kExited && status == 0)) && waits.empty();
  }
};

class ProgramSimulation final : private nic::NicObserver {
 public:
  struct Options {
    nic::NicConfig nic;
    std::set<NodeId> rtl;  ///< nodes whose router is RTL
    Cycle cycle_limit = 0;
    bool errors_allowed = false;            ///< errors of the NICs do not end the run
    TakeLine take_line = {};                ///< gets what the programs print
    const NativeProgram* native = nullptr;  ///< runs in place of the RV32 program
  };
  /// `program` must outlive the run.
  ProgramSimulation(const CoreProgram& program, const Options& options);
  ~ProgramSimulation() override;
  ProgramSimulation(const ProgramSimulation&) = delete;
  ProgramSimulation& operator=(const ProgramSimulation&) = delete;

  // Call these before run(). Their arguments must outlive the run.
  void watch(std::vector<systemc::FabricObserver*> observers);
  /// Tells `rows` what the NICs do.
  void show(nic::NicObserver& rows) { rows_ = &rows; }
  /// Lets gdb look at the machine during the run. No core may run ahead of the network then.
  void debug(GdbServer& gdb);
  /// Records what the nodes execute, and, unless `times` is nullptr, when.
  void record(CoreRecordings& recordings, CoreTimes* times);

  /// Runs until all cores have stopped for good and the network is empty, until the first trap or
  /// NIC error, or until the cycle limit.
  void run(Progress& progress);

  /// Returns how each program ended, by node.
  [[nodiscard]] const std::vector<NodeEnd>& ends() const { return ends_; }
  /// Why the run failed: the first thing that went wrong. "" if it did not fail.
  [[nodiscard]] std::string failure() const;
  [[nodiscard]] systemc::Network& network() { return network_; }

 private:
  void printed(Cycle now, NodeId node, int descriptor, const std::string& text) override {
    output_.write(now, node, descriptor, text);
    if (rows_ != nullptr) rows_->printed(now, node, descriptor, text);
  }
  void matched(Cycle now, NodeId node, const nic::MatchInfo& match) override {
    if (rows_ != nullptr) rows_->matched(now, node, match);
  }
  void send_posted(Cycle now, const nic::MessageInfo& info) override {
    if (rows_ != nullptr) rows_->send_posted(now, info);
  }
  void send_completed(Cycle now, const nic::MessageInfo& info) override {
    if (rows_ != nullptr) rows_->send_completed(now, info);
  }
  void received(Cycle now, const nic::MessageInfo& info) override {
    if (rows_ != nullptr) rows_->received(now, info);
  }
  void trapped(Cycle now, NodeId node, const nic::Trap& trap) override;
  void failed(Cycle now, NodeId node, reg::ErrorCause cause, const std::string& text) override;
  void run_to_end(Progress& progress);
  [[nodiscard]] bool at_rest() const;
  void describe_sleep(nic::Nic& nic, NodeEnd& end) const;
  void say_end_to_gdb();
  void load_native(nic::Nic& nic);
  [[nodiscard]] NodeEnd end_of(nic::Nic& nic) const;
  [[nodiscard]] NodeEnd native_end_of(nic::Nic& nic) const;
  [[nodiscard]] std::string name(NodeId node) const;

  const CoreProgram& program_;
  const Options options_;
  systemc::Fabric fabric_;
  systemc::Network network_;
  std::vector<std::unique_ptr<nic::Nic>> nics_;
  NodeOutput output_;
  std::optional<CoreTracers> core_tracers_;
  std::vector<NativeProcess*> processes_;  ///< of native programs, by node
  GdbServer* gdb_ = nullptr;
  std::optional<NodeId> failed_;  ///< the node whose trap or NIC error ends the run
  CoreRecordings* recordings_ = nullptr;
  CoreTimes* times_ = nullptr;
  nic::NicObserver* rows_ = nullptr;
  std::optional<systemc::ObserverTee> tee_;
  systemc::RunStatus status_ = systemc::RunStatus::kDone;
  bool at_rest_ = false;  ///< at the end: nothing can happen any more
  std::string failure_;
  std::vector<NodeEnd> ends_;
};

}  // namespace annelid::simulation
