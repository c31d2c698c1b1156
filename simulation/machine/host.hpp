// The host of all nodes: puts calls into their mailboxes, in given cycles or when a node has ended
// other calls.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "base/exchange.hpp"
#include "nic/nic.hpp"
#include "systemc/network/link.hpp"

namespace annelid::simulation {

/// A call at a number of nodes.
struct HostCall {
  nic::Call call;                       ///< the words, if all nodes have the same
  std::vector<nic::Call> calls = {};    ///< the words of each of `nodes`, in place of `call`
  std::vector<NodeId> nodes = {};       ///< in ascending order
  std::vector<std::size_t> after = {};  ///< indices of earlier calls: a node must have ended those
                                        ///< that it takes part in
  Cycle start = 0;                      ///< the first cycle, from that of Host::call() on
  /// Each node is called up to so many cycles later. The seed draws them. One node or more is
  /// called with no such delay, and one with all of it.
  Cycle skew = 0;
  std::uint64_t seed = 1;
};

class Host final : public systemc::Clocked {
 public:
  /// `scheduler` and `nics` must outlive the host. It calls the nodes that have a NIC; those that
  /// have none, and a null pointer in its place, are those of another process.
  Host(systemc::Scheduler& scheduler, const std::vector<std::unique_ptr<nic::Nic>>& nics);

  /// Makes these calls; may be used between runs only. Calls that wait for nothing are made before
  /// the next cycle. If a mailbox is full, the node's further calls wait.
  void call(std::vector<HostCall> calls);
  /// While the host attends, it is stepped in every cycle, so none is skipped: what cores that run
  /// ahead of the network have come to is then asked in the cycle in which it counts.
  void attend(bool attends);
  /// A node has ended a call: those that wait for it are made in the next cycle or later.
  void ended(Cycle now, NodeId node, std::uint16_t ticket);

  /// Collective: in process 0, called() says those of all nodes.
  void gather(Exchange& exchange, NodeId first, NodeId end);

  /// The number of pairs of a call and a node of it that has a NIC.
  [[nodiscard]] std::size_t expected() const { return expected_; }
  /// The call of a node that has this ticket.
  [[nodiscard]] std::size_t call_of(NodeId node, std::uint16_t ticket) const;
  /// The words of a call at a node that takes part in it.
  [[nodiscard]] const nic::Call& words(std::size_t call, NodeId node) const;
  /// The cycle in which each node was or will be called, by node; kNever if that is not known yet,
  /// or never happens.
  [[nodiscard]] const std::vector<Cycle>& called(std::size_t call = 0) const {
    return called_[call];
  }

  Cycle step(Cycle now) override;

 private:
  struct Due {
    std::size_t call = 0, place = 0;  ///< place: of the node in HostCall::nodes
  };
  void draw_delays(std::size_t call);
  void post(const Due& due);
  void plan(std::size_t call, std::size_t place, Cycle cycle);

  systemc::Scheduler& scheduler_;
  const std::vector<std::unique_ptr<nic::Nic>>& nics_;
  const int handle_;
  bool attends_ = false;
  std::vector<HostCall> calls_;
  std::size_t expected_ = 0;
  std::vector<std::vector<Cycle>> called_;         ///< by call and node
  std::vector<std::vector<Cycle>> delays_;         ///< by call and place; empty: none
  std::vector<std::vector<std::uint32_t>> waits_;  ///< calls that are to end before; empty: none
  std::vector<std::vector<std::size_t>> waiters_;  ///< by call: those that wait for it
  /// By node: the calls in the order of their tickets, and the first ticket.
  std::vector<std::vector<std::uint32_t>> tickets_;
  std::vector<std::uint16_t> first_ticket_;
  std::multimap<Cycle, Due> due_;
};

}  // namespace annelid::simulation
