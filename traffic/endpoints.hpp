// The packet sources and sinks of all nodes of a network.
//
// A source has an unbounded queue for each injection channel. A packet joins the queue of its first
// output modulo L ("by route"). Each VC of the channel injects one packet at a time, and the VCs
// share the channel round-robin, flit by flit. All packets are data, so control VCs stay empty. A
// sink drains every flit in the cycle after it was on the ejection channel. It compares the place,
// order and number of a packet's flits with what the source sent.
#pragma once

#include <array>
#include <memory>
#include <systemc>
#include <unordered_map>
#include <vector>

#include "systemc/modules/delayed_credits.hpp"
#include "systemc/modules/network.hpp"
#include "traffic/workload.hpp"

namespace annelid::traffic {

/// One component for all nodes. The cost of a cycle depends on its flits, not on the number of
/// nodes. In a network of planes there are no links, and little is kept for each local port.
class Endpoints final : public sc_core::sc_module,
                        private systemc::Clocked,
                        private PacketSink,
                        private systemc::CutTerminals {
 public:
  /// Takes all local ports of the network, or those of its slab if it has a cut. The workload must
  /// outlive the run. Like the observers, the workload knows cycles but not SystemC's time, which
  /// may stand still meanwhile.
  Endpoints(const sc_core::sc_module_name& name, systemc::Network& network, Workload& workload);
  ~Endpoints() override;

  /// To be called before the run. The observer must outlive the run.
  void add_observer(PacketObserver& observer) { observers_.push_back(&observer); }
  void remove_observer(PacketObserver& observer) { std::erase(observers_, &observer); }

  [[nodiscard]] std::uint64_t packets_created() const { return packets_created_; }
  [[nodiscard]] std::uint64_t packets_ejected() const { return packets_ejected_; }
  [[nodiscard]] std::uint64_t flits_created() const { return flits_created_; }
  [[nodiscard]] std::uint64_t flits_ejected() const;
  /// The packet with this tag (its low 16 bits) that a source has injected and that is not
  /// completely ejected. Returns nullptr if there is none.
  [[nodiscard]] const Packet* in_flight(NodeId source, std::uint16_t tag) const;

  /// In a network in planes (Network::planes), starts counting the flits of each injection channel,
  /// and returns the flits counted since then.
  void count_injections();
  [[nodiscard]] std::uint64_t injections(NodeId node, int local) const;

  /// With a cut. A source gives the number of a packet again when the packet has left for another
  /// process, which may be too early: it should wait until the packet has been ejected. This says
  /// whether it can have been too early. Collective.
  [[nodiscard]] bool numbers_may_have_met();

  /// The links, if the network has routers (Network::attach). Indexed by node * L + local, from the
  /// first node of a slab on.
  sc_core::sc_vector<sc_core::sc_port<systemc::LinkIf>> to_router;
  sc_core::sc_vector<sc_core::sc_export<systemc::LinkIf>> from_router;  ///< indexed likewise

 private:
  using PacketIndex = std::uint32_t;
  static constexpr PacketIndex kNone = ~PacketIndex{0};
  static constexpr PacketIndex kFreed = kNone - 1;  ///< none from the next cycle on
  static constexpr std::uint32_t kTags = 1 << 16;

  class End;
  class Planes;

  /// The packet that a VC of an injection channel is sending.
  struct Outgoing {
    PacketIndex packet = kNone;
    std::uint32_t sent = 0, flits = 0;
    std::uint64_t head_data = 0;
  };
  /// The packet that a VC of an ejection channel is receiving.
  struct Incoming {
    PacketIndex packet = kNone;
    std::uint32_t received = 0, flits = 0;
    std::uint64_t head_data = 0;
  };
  /// The packets that wait for an injection channel, linked by next_.
  struct Queue {
    PacketIndex first = kNone, last = kNone;
  };
  /// A local port: an injection channel and an ejection channel.
  struct Lane {
    systemc::LinkIf* router = nullptr;
    std::uint8_t occupied = 0;  // VCs with a packet under way
    std::uint8_t credit = 0;    // VCs with credits
    Vc next_vc = 0;             // round-robin
  };
  /// The packets of a source that are in flight, by tag modulo the size (a power of two).
  struct InFlight {
    std::vector<PacketIndex> by_tag;
    std::uint32_t next_tag = 0;
  };
  struct LaneVc {
    std::uint32_t lane;
    Vc vc;
  };
  struct FreedTag {
    NodeId source;
    std::uint32_t place;  ///< in InFlight::by_tag
  };

  Cycle step(Cycle now) override;
  [[nodiscard]] bool ignores_time() const override { return true; }
  std::uint64_t send(NodeId source, NodeId destination, std::uint32_t flits,
                     std::uint32_t mark) override;
  void end_of_elaboration() override;
  void attach_links();

  void credit_arrived(std::uint32_t lane, Vc vc);
  void flit_arrived(std::uint32_t lane, const systemc::Flit& flit);
  void take_head(std::uint32_t lane, const systemc::Flit& flit, Incoming& incoming);
  Packet& receive(std::uint32_t lane, NodeId node, PacketIndex& receiving, PacketIndex index,
                  Cycle now);
  void finish(PacketIndex index);
  void wake() {
    const Cycle next = fabric_.now() + 1;
    if (woken_for_ == next) return;
    woken_for_ = next;
    fabric_.wake(handle_, next);
  }
  bool inject(std::uint32_t lane, Cycle now);
  bool start_packet(Lane& lane, std::uint32_t lane_index, Vc vc, Cycle now);
  [[nodiscard]] Packet* take_first(Queue& queue, Cycle now);
  /// `flits`: of the packet.
  void report(std::uint32_t lane, Cycle now, std::uint32_t flits, const systemc::Flit& flit) const;
  [[nodiscard]] std::uint32_t lane_of(NodeId source, NodeId destination) const;
  [[nodiscard]] bool has_tag(InFlight& source, PacketIndex index);
  [[nodiscard]] bool make_room(InFlight& source) const;
  void free_tag(const Packet& packet) {
    auto& by_tag = sources_[packet.source].by_tag;
    if (by_tag.size() == kTags) [[unlikely]] {
      free_tag_later(packet);
    } else {
      by_tag[packet.tag & (by_tag.size() - 1)] = kNone;
    }
  }
  void free_tag_later(const Packet& packet);
  void take_freed_tags(Cycle now) {
    if (auto& freed = freed_tags_[(now + 1) & 1]; !freed.empty()) take_freed_tags(freed);
  }
  void take_freed_tags(std::vector<FreedTag>& freed);
  [[nodiscard]] PacketIndex find(NodeId source, std::uint16_t tag) const;

  // What crosses the cut between processes.
  [[nodiscard]] std::uint32_t packet_of(std::uint64_t flit_data) const override;
  [[nodiscard]] systemc::PacketWords describe(std::uint32_t packet) const override;
  std::uint32_t come(const systemc::PacketWords& words) override;
  void gone(std::uint32_t packet) override;
  [[nodiscard]] bool has_news() const override { return workload_.has_news(); }
  void share_news(Cycle now) override;
  [[nodiscard]] PacketIndex new_packet();
  [[nodiscard]] bool is_foreign(const Packet& packet) const { return !own_.has(packet.source); }
  void free_number(const Packet& packet);
  /// The key of a packet in foreign_. Of `tag` only the bits that heads carry count.
  [[nodiscard]] static std::uint64_t foreign_key(NodeId source, std::uint32_t tag) {
    return std::uint64_t{source} << 16 | (tag & (kTags - 1));
  }
  [[noreturn]] void fail(std::uint32_t lane, const char* what) const;

  systemc::Network& network_;
  systemc::Fabric& fabric_;
  systemc::NetworkConfig config_;
  std::uint32_t lanes_per_node_, vcs_;
  systemc::Slab own_;  // the nodes of this process: all, unless the network has a cut
  Workload& workload_;
  const bool workload_reacts_;
  std::vector<PacketObserver*> observers_;
  int handle_ = 0;
  Cycle woken_for_ = 0;

  std::vector<Queue> queues_;  // by lane
  /// The nodes' packed addresses, where a packet's path decides its lane: if a node has several.
  std::vector<std::uint32_t> addresses_;

  // Either these, for planes ...
  std::unique_ptr<Planes> planes_;
  // ... or these, for links: empty unless there are any.
  std::vector<std::unique_ptr<End>> ends_;
  std::vector<Lane> lanes_;
  std::vector<Outgoing> outgoing_;  // by lane * VL + vc, as are the next two
  std::vector<Incoming> incoming_;
  std::vector<std::uint8_t> credits_;
  std::vector<std::uint64_t> ready_;  // a bit for each lane that may be able to inject
  std::array<std::vector<LaneVc>, 2> credits_due_;  // by the cycle's parity
  systemc::DelayedCredits drains_;

  std::array<std::vector<FreedTag>, 2> freed_tags_;  // by the cycle's parity
  std::vector<InFlight> sources_;
  std::unordered_map<std::uint64_t, PacketIndex> foreign_;  // by source and tag, if there are links
  Cycle longest_foreign_ = 0;      // the most cycles that a packet of another process took
  std::vector<Packet> packets_;    // a pool
  std::vector<PacketIndex> next_;  // by index in packets_: the next packet in its queue
  std::vector<PacketIndex> free_;
  std::uint64_t packets_created_ = 0, packets_ejected_ = 0, flits_created_ = 0, flits_ejected_ = 0;
};

// Both kernels use the functions below, for each packet.

/// A head has come to a sink. Checks that it is expected, and begins to receive its packet.
inline Packet& Endpoints::receive(std::uint32_t lane, NodeId node, PacketIndex& receiving,
                                  PacketIndex index, Cycle now) {
  if (receiving != kNone) [[unlikely]]
    fail(lane, "a head within a packet");
  if (index == kNone || packets_[index].destination != node ||
      packets_[index].head_ejected != kNever) [[unlikely]] {
    fail(lane, "a head that no source sent here");
  }
  Packet& packet = packets_[index];
  packet.head_ejected = now;
  receiving = index;
  return packet;
}

/// Takes the first packet of a queue; null if all tags of its source are in use.
inline Packet* Endpoints::take_first(Queue& queue, Cycle now) {
  const PacketIndex index = queue.first;
  Packet& packet = packets_[index];
  if (!has_tag(sources_[packet.source], index)) return nullptr;
  packet.injected = now;
  queue.first = next_[index];
  return &packet;
}

/// Gives a packet the next tag, and makes room until no other in flight has the same place.
inline bool Endpoints::has_tag(InFlight& source, PacketIndex index) {
  const std::uint32_t tag = source.next_tag;
  const auto is_free = [&] {
    return !source.by_tag.empty() && source.by_tag[tag & (source.by_tag.size() - 1)] == kNone;
  };
  while (!is_free()) [[unlikely]] {
      if (!make_room(source)) return false;
    }
  source.by_tag[tag & (source.by_tag.size() - 1)] = index;
  packets_[index].tag = tag;
  ++source.next_tag;
  return true;
}

}  // namespace annelid::traffic
