// gdb's remote protocol for a machine whose nodes are threads: node n is thread n + 1.
//
// The server only looks at the machine, so a run with gdb is the same as one without, until gdb
// writes to it. All nodes have one time: a step of one thread lets the others go on, too. It ends
// when that thread has executed an instruction. But gdb also lets one thread go on alone, to bring
// it over a breakpoint. Its core then runs ahead of the machine, as it may with its own RAM. Only
// where it cannot, at an access to a register or node memory, the others go on as well. They pass
// breakpoints unseen, and what they access is reported afterwards.
//
// A thread stops whenever it would execute the instruction at a breakpoint, unless it steps. To
// bring a thread over a breakpoint, gdb takes the breakpoint away meanwhile, so nothing here
// remembers where a thread has stopped: after a jump to a breakpoint it stops again.
//
// A watchpoint stops the machine behind the cycle of the access.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "nic/nic.hpp"
#include "simulation/debugger/gdb_connection.hpp"
#include "simulation/debugger/watchpoints.hpp"
#include "systemc/fabric/fabric.hpp"

namespace annelid::simulation {

class GdbServer {
 public:
  explicit GdbServer(GdbConnection line) : line_(std::move(line)) {}

  /// To be called once, before the first run(). All NICs have a core that does not run ahead of the
  /// network, and must outlive the server. `name` gives the text for a node.
  void look_at(std::vector<nic::Nic*> nics, std::function<std::string(NodeId)> name);

  /// fabric.run_until(), during which gdb stops the machine and lets it go on. Also ends if gdb has
  /// ended the run: killed().
  systemc::RunStatus run_until(systemc::Fabric& fabric, Cycle limit,
                               const systemc::StopCondition& done);
  [[nodiscard]] bool killed() const { return state_ == State::kKilled; }
  /// Why a killed run has failed.
  [[nodiscard]] static std::string end_text(Cycle now);
  /// The run has failed at a node, by a trap or otherwise. gdb can look at the machine a last time.
  void trapped(NodeId node, std::uint32_t cause);
  void failed(NodeId node);
  /// The run has ended with this exit status.
  void ended(int status);

 private:
  [[nodiscard]] bool gone() const { return state_ == State::kGone; }
  [[nodiscard]] nic::Core& core(NodeId node) const { return *nics_[node]->core(); }
  [[nodiscard]] bool is_breakpoint(std::uint32_t pc) const { return breakpoints_.contains(pc); }
  [[nodiscard]] bool before_cycle(Cycle now);
  [[nodiscard]] bool stops_at_end();
  [[nodiscard]] bool looks() const;
  [[nodiscard]] Cycle next(Cycle now) const;
  [[nodiscard]] bool at_breakpoint(NodeId node, Cycle now) const;
  bool stops_here(Cycle now);
  bool stops_by_interrupt();
  bool stops_alone(Cycle now);
  bool stops_at_breakpoint(Cycle now);
  bool stops_at_access();
  bool stops_behind_step();
  void stop(NodeId node, unsigned signal, const std::string& reason);
  void stop(const Watchpoints::Hit& hit);
  void stop_at_breakpoint(NodeId node);
  void stop_behind_step(NodeId node);
  void look_a_last_time(NodeId node, unsigned signal);
  void leave();
  bool serve();

  // gdb_packets.cpp
  void answer(const std::string& packet);
  void query(const std::string& packet);
  [[nodiscard]] static std::string features(const std::string& range);
  void resume(const std::string& actions);
  void resume_at(char action, const std::string& address);
  [[nodiscard]] nic::Nic& nic() const { return *nics_[node_]; }
  std::string change_point(const std::string& packet);
  std::string change_breakpoint(bool put, std::uint32_t address);
  std::string change_watchpoint(bool put, const Watchpoint& w);
  [[nodiscard]] std::string registers() const;
  [[nodiscard]] std::string register_value(const std::string& number) const;
  [[nodiscard]] std::string set_registers(const std::string& values) const;
  [[nodiscard]] std::string set_register(const std::string& text) const;
  [[nodiscard]] std::string memory(const std::string& text) const;
  [[nodiscard]] std::string set_memory(char kind, const std::string& text) const;
  [[nodiscard]] std::optional<NodeId> thread(const std::string& text) const;

  GdbConnection line_;
  std::function<std::string(NodeId)> name_;
  std::vector<nic::Nic*> nics_;
  enum class State : std::uint8_t { kStopped, kRunning, kGone, kKilled } state_ = State::kStopped;
  NodeId node_ = 0;                      ///< of the last stop, and what Hg has chosen since
  std::string reason_;                   ///< of the last stop
  bool tells_breakpoints_ = false;       ///< gdb understands swbreak
  bool interrupted_ = false;             ///< gdb has interrupted the machine while it stood
  std::set<std::uint32_t> breakpoints_;  ///< that gdb has put in now
  std::optional<NodeId> alone_;          ///< the only thread that gdb lets go on
  std::optional<NodeId> stepped_;        ///< the thread that steps
  std::uint64_t stepped_from_ = 0;       ///< its instructions before
  Watchpoints watchpoints_;
  std::deque<Watchpoints::Hit> accesses_;  ///< not yet reported
  bool at_access_ = false;                 ///< the last stop is one of a watchpoint
  std::uint64_t work_ = 0;                 ///< since gdb was asked last
};

}  // namespace annelid::simulation
