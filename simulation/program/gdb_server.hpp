// gdb's remote protocol for a machine whose nodes are threads: node n is thread n + 1.
//
// The server only looks at the machine, so a run with gdb is the same as one without, until gdb
// writes to it. All nodes have one time: a step of one thread lets the others go on, too. It ends
// when that thread has executed an instruction. But gdb also lets one thread go on alone, to bring
// it over a breakpoint. Its core then runs ahead of the machine, as it may with its own RAM. Only
// where it cannot, at an access to a register or node memory, the others go on as well. They pass
// breakpoints unseen, and what they access is reported afterwards.
//
// A watchpoint stops the machine behind the cycle of the access.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "nic/nic.hpp"
#include "simulation/program/gdb_connection.hpp"
#include "simulation/program/watchpoints.hpp"

namespace annelid::simulation {

class GdbServer {
 public:
  /// The nodes' NICs must outlive the server. `name` gives the text for a node.
  GdbServer(std::uint16_t port, std::function<std::string(NodeId)> name);

  [[nodiscard]] std::uint16_t port() const { return line_.port(); }
  /// Waits for gdb. The machine stands before its first cycle.
  void connect(std::vector<nic::Nic*> nics);

  /// To be called between cycles, before cycle `now`: lets gdb look at the machine if it stops
  /// here, and returns when it shall go on. False: gdb has ended the run.
  [[nodiscard]] bool before_cycle(Cycle now);
  /// The cycle before which before_cycle() must be called next.
  [[nodiscard]] Cycle next(Cycle now) const;
  /// A node has trapped. The machine stops, and gdb can look at it a last time.
  void trapped(NodeId node, std::uint32_t cause);
  /// The run has ended with this exit status.
  void ended(int status);

 private:
  struct Hit {
    NodeId node;
    std::uint32_t pc;
  };

  [[nodiscard]] bool gone() const { return state_ == State::kGone; }
  [[nodiscard]] nic::Core& core(NodeId node) const { return *nics_[node]->core(); }
  [[nodiscard]] bool is_breakpoint(std::uint32_t pc) const { return breakpoints_.contains(pc); }
  [[nodiscard]] bool at_breakpoint(NodeId node, Cycle now) const;
  bool stops_here(Cycle now);
  bool stops_alone(Cycle now);
  void find_hits(Cycle now);
  bool stops_at_access();
  [[nodiscard]] std::string breakpoint_reason() const;
  void stop(NodeId node, unsigned signal, const std::string& reason);
  void stop(const Watchpoints::Hit& hit);
  bool serve();
  void answer(const std::string& packet);
  void query(const std::string& packet);
  void resume(const std::string& packet);
  void step(NodeId node);
  [[nodiscard]] nic::Nic& nic() const { return *nics_[node_]; }
  std::string change_point(const std::string& packet);
  [[nodiscard]] std::string registers() const;
  [[nodiscard]] std::string register_value(const std::string& number) const;
  [[nodiscard]] std::string set_registers(const std::string& values) const;
  [[nodiscard]] std::string set_register(const std::string& text) const;
  [[nodiscard]] std::string memory(const std::string& text) const;
  [[nodiscard]] std::string set_memory(char kind, const std::string& text) const;
  [[nodiscard]] std::optional<NodeId> thread(const std::string& text) const;

  GdbConnection line_;
  const std::function<std::string(NodeId)> name_;
  std::vector<nic::Nic*> nics_;
  enum class State : std::uint8_t { kStopped, kRunning, kGone, kKilled } state_ = State::kStopped;
  NodeId node_ = 0;                      ///< of the last stop, and what Hg has chosen since
  std::string reason_ = "S05";           ///< of the last stop
  bool tells_breakpoints_ = false;       ///< gdb understands swbreak
  std::set<std::uint32_t> breakpoints_;  ///< that gdb has put in now
  /// The only thread that gdb lets go on, to bring it over a breakpoint, which it takes away
  /// meanwhile.
  std::optional<NodeId> alone_;
  std::uint64_t alone_from_ = 0;    ///< its instructions before
  std::optional<NodeId> stepped_;   ///< the thread that steps
  std::uint64_t stepped_from_ = 0;  ///< its instructions before
  std::deque<Hit> hits_;            ///< nodes at breakpoints in this cycle, not yet reported
  Cycle hits_at_ = kNever;
  Watchpoints watchpoints_;
  std::deque<Watchpoints::Hit> accesses_;  ///< not yet reported
  bool at_access_ = false;                 ///< the last stop is one of a watchpoint
  std::uint64_t polled_ = 0;
};

}  // namespace annelid::simulation
