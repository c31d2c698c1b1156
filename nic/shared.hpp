// What the parts of one NIC share, and the way of a send or receive from one to the next.
#pragma once

#include <string>

#include "nic/call_queue.hpp"
#include "nic/combine_unit.hpp"
#include "nic/completions.hpp"
#include "nic/match.hpp"
#include "nic/range_table.hpp"
#include "nic/start_up.hpp"
#include "nic/trigger_unit.hpp"
#include "systemc/network/observer.hpp"

namespace annelid::nic {

struct Shared {
  Shared(const NicConfig& nic_config, NodeId node_id);

  [[nodiscard]] int ports() const { return config.network.router.local_ports; }

  // ---- Core, trigger unit, start-up unit ------------------------------------------------------

  /// A send's go, or its firing: it enters the start-up unit.
  void start(Place send, Cycle now);
  /// The trigger unit's cycle.
  void fire(Cycle now) {
    if (!trigger_unit.empty()) fire_oldest(now);
  }
  /// The start-up unit's cycle.
  void admit(Cycle now) {
    if (start_up.empty()) return;
    if (const auto send = start_up.leave(now)) match.admit(*send, now);
  }

  // ---- Engines --------------------------------------------------------------------------------

  /// A flit of a receive's message reaches node memory; `at` is its first byte in the message.
  void store(Place receive, std::uint32_t at, std::uint64_t data, std::uint32_t bytes, Cycle now);
  /// The message of a receive is dropped although it had begun.
  void fail_receive(Place receive);
  /// A receive's message is there. `by` as in Completions.
  void arrived(Place receive, unsigned by, Cycle now);
  /// A send's tail was injected or delivered.
  void sent(Place send, unsigned by) { completions.sent(send, by); }

  /// The combine unit's cycle. The result is how many accesses to node memory it took.
  unsigned combine(Cycle now, unsigned budget) {
    return combine_unit.empty() ? 0 : step_combine_unit(now, budget);
  }
  /// The end of a cycle.
  void commit(Cycle now);

  /// A message as observers are told it.
  [[nodiscard]] MessageInfo info(const SendPlace& send) const {
    return {node, send.destination, send.tag, send.sequence, send.bytes, send.step};
  }

  const NicConfig config;
  const NodeId node;
  const Address address;
  NodeMemory memory;
  PlaceTable<SendPlace> sends;
  PlaceTable<ReceivePlace> receives;
  Errors errors;
  CallQueue calls;
  Completions completions;
  RangeTable ranges;
  TriggerUnit trigger_unit;
  StartUp start_up;
  CombineUnit combine_unit;
  Match match;
  NicObserver* observer = nullptr;
  systemc::FabricObserver* fabric_observer = nullptr;

 private:
  void fire_oldest(Cycle now);
  unsigned step_combine_unit(Cycle now, unsigned budget);
};

/// "3,2"
inline std::string to_string(Address a) { return std::to_string(a.x) + ',' + std::to_string(a.y); }

}  // namespace annelid::nic
