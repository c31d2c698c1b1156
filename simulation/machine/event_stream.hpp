// What routers and NICs report in several processes, for observers in rank 0
// (docs/internals/ranks.md).
#pragma once

#include <cstddef>
#include <vector>

#include "base/exchange.hpp"
#include "nic/nic_observer.hpp"
#include "systemc/network/observer.hpp"

namespace annelid::simulation {

/// Records the events of this process. replay() brings those of all processes to rank 0, where
/// observers then see them as if it simulated the whole network: in the order of cycles, and in
/// each cycle in the order of ranks.
///
/// Of the NICs, messages only: what a process knows of calls and failures it tells in other ways.
class EventStream final : public systemc::FabricObserver, public nic::NicObserver {
 public:
  explicit EventStream(Exchange& exchange) : exchange_(exchange) {}

  void packet(Cycle, NodeId, Port local, const systemc::PacketInfo&) override;
  void injected(Cycle, NodeId, Port local, const systemc::Flit&) override;
  void allocated(Cycle, NodeId, Port in, Vc in_vc, Port out, Vc out_vc) override;
  void granted(Cycle, NodeId, Port in, Vc in_vc, Port out, const systemc::Flit&) override;
  void moved(Cycle, NodeId, Port in, Vc in_vc, Port out, const systemc::Flit&) override;
  void blocked(Cycle, NodeId, Port in, Vc in_vc, Port out, systemc::BlockCause) override;

  void send_posted(Cycle, const nic::MessageInfo&) override;
  void send_started(Cycle, const nic::MessageInfo&, Port local) override;
  void send_completed(Cycle, const nic::MessageInfo&) override;
  void received(Cycle, const nic::MessageInfo&) override;

  /// Collective, between cycles: in rank 0, the observers see all events since the last replay.
  void replay(systemc::FabricObserver& fabric, nic::NicObserver& nics);

 private:
  struct Event;
  class Reader;
  void add(Cycle cycle, const Event& event);

  Exchange& exchange_;
  std::vector<std::byte> bytes_;
  Cycle cycle_ = kNever;
};

}  // namespace annelid::simulation
