// Watches the packets on all injection and ejection channels: that they are what
// docs/internals/nic/messages.md allows, and how often each thing happened.
#pragma once

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "nic/nic_config.hpp"
#include "systemc/network/flit.hpp"
#include "systemc/network/observer.hpp"
#include "testbench/nic/fuzz/counts.hpp"

namespace annelid::nic::fuzz {

/// A packet as its first two flits say it is.
struct Packet {
  NodeId from = 0, to = 0;
  std::uint16_t tag = 0;
  unsigned kind = 0;
  // Data and eager.
  std::uint32_t bytes = 0;
  std::uint16_t sequence = 0;
  unsigned place = 0;
  // Control.
  bool offer = false, park = false, ask = false, free = false;
  unsigned offered = 0, parked = 0;
};

class WireMonitor : public systemc::FabricObserver {
 public:
  explicit WireMonitor(const NicConfig& config);

  void injected(Cycle, NodeId, Port local, const systemc::Flit&) override;
  void moved(Cycle, NodeId, Port in, Vc in_vc, Port out, const systemc::Flit&) override;

  /// A send of this pair enters the start-up unit: the pair's next sequence number.
  void posted(Cycle, NodeId from, NodeId to, std::uint16_t tag, std::uint32_t bytes);
  /// The cycle in which a message's tail was on the ejection channel, and whether it was eager;
  /// kNever if it was not yet.
  struct Arrival {
    Cycle tail = kNever;
    bool eager = false;
  };
  [[nodiscard]] Arrival arrival(NodeId from, NodeId to, std::uint16_t sequence) const;

  /// At the end of a run: no packet is unfinished, no offer unanswered, no eager place taken.
  void expect_all_over() const;

  [[nodiscard]] const WireCounts& counts() const { return counts_; }

 private:
  /// The packet under way on a virtual channel.
  struct Assembly {
    unsigned flits = 0;
    std::uint64_t length = 0;  ///< in flits, by the header
    systemc::HeadFields head;
    Packet packet;
  };
  struct Message {
    std::uint16_t tag = 0;
    std::uint32_t bytes = 0;
    Cycle posted = 0;
    bool injected = false;
    Arrival arrival;
  };
  /// What a (from, to) pair of messages has on the way.
  struct Pair {
    std::vector<Message> messages;  ///< by sequence number
    bool outstanding = false;       ///< an offer, by what was injected
    unsigned place = 0;
    std::uint16_t tag = 0;
    Cycle offer_arrived = kNever;  ///< its tail on the ejection channel
    bool eager_taken = false;
  };

  /// True with the packet's last flit.
  bool assemble(Assembly& assembly, const systemc::Flit& flit) const;
  void expect_kind(const Packet& packet, Vc vc) const;
  void inject(Cycle now, const Packet& packet);
  void inject_message(const Packet& packet);
  void eject(Cycle now, const Packet& packet);
  Pair& pair(NodeId from, NodeId to) { return pairs_[{from, to}]; }

  void expect_limits(Cycle now, NodeId node, Port local, bool data);

  NicConfig config_;
  const systemc::NetworkConfig& network_ = config_.network;
  std::vector<std::array<Cycle, kMaxLocalPorts>> last_ejected_;  ///< + 1
  std::vector<std::pair<Cycle, unsigned>> accesses_;  ///< data flits injected in a cycle, by node
  std::vector<std::array<std::array<Assembly, kMaxVcs>, kMaxLocalPorts>> injecting_, ejecting_;
  std::map<std::pair<NodeId, NodeId>, Pair> pairs_;
  WireCounts counts_;
};

}  // namespace annelid::nic::fuzz
