// Decides which node may send which message: the protocol of offers and eager places
// (docs/internals/nic/messages.md).
//
// A posted receive is offered to its source, one receive at a time. The source keeps the offer
// until it has the message, or it sends the offer back (parks it) and asks for it again later. A
// short message for which there is no offer goes into the place that the receiver keeps for each
// peer.
//
// Open messages have a protocol of their own: the sender requests, and the receiver grants.
#pragma once

#include <array>
#include <memory>
#include <unordered_map>
#include <vector>

#include "nic/combine_unit.hpp"
#include "nic/errors.hpp"
#include "nic/fifo.hpp"
#include "nic/nic_config.hpp"
#include "nic/places.hpp"

namespace annelid::nic {

/// A peer's message that arrived before its receive.
struct EagerPlace {
  bool taken = false;
  bool full = false;         ///< its tail has arrived
  bool failed = false;       ///< its length differed from that in its header
  Place receive = kNoPlace;  ///< the receive that it is matched with
  std::uint16_t tag = 0, sequence = 0;
  std::uint32_t bytes = 0;
  std::unique_ptr<std::uint64_t[]> data;  ///< allocated at the first use
};

/// What a node keeps for each other node that it communicates with. For the node itself only the
/// sets are used.
struct Peer {
  Address address{};
  Port port = 0;  ///< the injection port of control packets to it
  // As the sender to the peer.
  PlaceSet sends = 0;   ///< waiting sends
  bool kept = false;    ///< an offer waits for its send
  bool wanted = false;  ///< an offer was sent back since the last ask
  bool eager_free = true;
  Place kept_place = 0;
  std::uint16_t kept_tag = 0, eager_tag = 0;
  std::uint16_t sequence = 0;
  // As the receiver from the peer.
  bool outstanding = false;  ///< an offer is unanswered
  bool asked = false;
  PlaceSet receives = 0;  ///< waiting, offered and parked receives
  EagerPlace eager;
  // In both roles.
  bool queued = false;  ///< it is in a control queue
  ControlWord due;      ///< the content of the next control packet
};

/// What a node knows of a peer for open messages.
struct OpenPeer {
  PlaceSet sends = 0;      ///< waiting open sends to the peer
  bool requested = false;  ///< a request for the oldest of them is unanswered
};

/// A peer's request that no receive fits.
struct OpenRequest {
  NodeId from = 0;
  std::uint16_t tag = 0;
};

/// A control packet to inject.
struct ControlToSend {
  Address to{};
  std::uint16_t tag = 0;
  ControlWord word;
};

/// Work of the delivery engine: a send to the node itself, or the message in a peer's eager place.
struct Delivery {
  Place send = kNoPlace;  ///< kNoPlace: the message is in the eager place
  Place receive = kNoPlace;
  NodeId peer = 0;
  Cycle ready = 0;  ///< the first cycle in which it can start
};

/// Nothing that a call changes in cycle `now` is injected or delivered before now + 1.
class Match {
 public:
  Match(const NicConfig& config, NodeId self, PlaceTable<SendPlace>& sends,
        PlaceTable<ReceivePlace>& receives, CombineUnit& combine_unit, Errors& errors)
      : config_(config),
        self_(self),
        sends_(sends),
        receives_(receives),
        combine_unit_(combine_unit),
        errors_(errors) {}

  // ---- Core and start-up unit -----------------------------------------------------------------

  /// A receive is posted.
  void post(Place receive, Cycle now);
  /// A send enters the start-up unit and gets the pair's next sequence number.
  void enter(Place send);
  /// A send leaves the start-up unit.
  void admit(Place send, Cycle now);

  // ---- Receive engines ------------------------------------------------------------------------

  // The result says what is wrong with the packet, or is nullptr. A wrong packet has no effect.
  const char* control(NodeId from, std::uint16_t tag, const ControlWord& word, Cycle now);
  /// The header of a data packet arrives: from now on its receive, header.place, is arriving.
  const char* data(NodeId from, std::uint16_t tag, const PacketHeader& header, Cycle now);
  /// The header of an eager message arrives. `receive` becomes the receive that gets the message
  /// directly, or kNoPlace if the message goes to the eager place.
  const char* eager(NodeId from, std::uint16_t tag, const PacketHeader& header, Place& receive,
                    Cycle now);
  [[nodiscard]] EagerPlace& eager_place(NodeId from) { return peer_of(from).eager; }
  /// The tail of a message in the eager place has arrived.
  void eager_full(NodeId from, bool failed, Cycle now);

  // ---- Send engines ---------------------------------------------------------------------------

  /// Whether an engine may have something to take. This is cheap, because it is called in every
  /// cycle.
  [[nodiscard]] bool waits(Port local) const { return (waiting_ >> local & 1) != 0; }
  /// A bit for each such port.
  [[nodiscard]] unsigned waiting() const { return waiting_; }
  [[nodiscard]] bool control_due(Port local, Cycle at) const {
    return !control_[local].empty() && control_[local].front().ready <= at;
  }
  ControlToSend take_control(Port local);
  [[nodiscard]] bool send_due(Port local, Cycle at) const {
    return !ready_[local].empty() && sends_[ready_[local].front()].ready <= at;
  }
  Place take_send(Port local);

  // ---- Delivery engine ------------------------------------------------------------------------

  [[nodiscard]] bool delivery_due(Cycle at) const {
    return !deliveries_.empty() && deliveries_.front().ready <= at;
  }
  Delivery take_delivery() { return deliveries_.pop(); }
  /// The message in the peer's eager place was delivered.
  void eager_delivered(NodeId from, Cycle now);

  // ---- Reports --------------------------------------------------------------------------------

  /// Whether no control packet, delivery or eager message waits.
  [[nodiscard]] bool idle() const;
  /// The receive in turn that delays this one, or kNoPlace if none does.
  [[nodiscard]] Place turn_before(const ReceivePlace& receive) const;
  /// Null if there was no communication with that node.
  [[nodiscard]] const Peer* find(NodeId node) const {
    const auto found = peers_.find(node);
    return found == peers_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] const std::unordered_map<NodeId, Peer>& peers() const { return peers_; }
  /// The open sends to a node that wait.
  [[nodiscard]] PlaceSet open_sends(NodeId to) const {
    const auto found = open_peers_.find(to);
    return found == open_peers_.end() ? 0 : found->second.sends;
  }
  /// In the order of their arrival.
  [[nodiscard]] const std::vector<OpenRequest>& requests() const { return requests_; }

 private:
  struct Queued {
    Peer* peer = nullptr;
    Cycle ready = 0;
  };
  struct Recent {
    NodeId node = 0;
    Peer* peer = nullptr;
  };

  /// Made at the first use.
  Peer& peer_of(NodeId node) {
    Recent& recent = recent_[node % recent_.size()];
    if (recent.peer == nullptr || recent.node != node) recent = {node, &find_or_make(node)};
    return *recent.peer;
  }
  Peer& find_or_make(NodeId node);

  // Sender.
  [[nodiscard]] Place oldest_send(PlaceSet set, std::uint16_t tag) const;
  void make_ready(Place send, Place receive, bool eager, Cycle now);
  void offered(Peer& peer, std::uint16_t tag, Place place, Cycle now);
  void send_back(Peer& peer, Place place, Cycle now);
  void ask(Peer& peer, Cycle now);
  void freed(Peer& peer, Cycle now);
  // Receiver.
  [[nodiscard]] Place oldest_receive(PlaceSet set, std::uint16_t tag) const;
  [[nodiscard]] bool is_offered(const Peer& peer, Place place) const;
  void parked(Peer& peer, Place place);
  void asked(Peer& peer);
  void match_eager(NodeId from, Peer& peer, Cycle now);
  void offer(Peer& peer, Cycle now);
  void offer_next(Peer& peer, Cycle now);
  [[nodiscard]] Place next_to_offer(PlaceSet receives) const;
  void offer_turns(Cycle now);
  void give(Peer& peer, Place receive, MatchInfo::How how, std::uint32_t bytes,
            std::uint16_t sequence, Cycle now);
  void free(Peer& peer, Cycle now);
  // Open messages, both roles.
  void admit_open(Place send, Cycle now);
  void request_next(NodeId to, Cycle now);
  void granted(NodeId from, Place receive, Cycle now);
  void post_open(Place receive, Cycle now);
  void requested(NodeId from, std::uint16_t tag, Cycle now);
  void grant(Place receive, const OpenRequest& request, Cycle now);
  [[nodiscard]] const char* wrong_open(NodeId from, const Peer& peer,
                                       const ControlWord& word) const;
  [[nodiscard]] bool is_granted(NodeId from, const Peer& peer, Place place) const;
  // Both.
  void update_waiting(Port local);
  void queue_control(Peer& peer, Cycle now);
  void join_own(Peer& own, Place send, Place receive, Cycle now);

  const NicConfig& config_;
  const NodeId self_;
  PlaceTable<SendPlace>& sends_;
  PlaceTable<ReceivePlace>& receives_;
  CombineUnit& combine_unit_;
  Errors& errors_;
  std::unordered_map<NodeId, Peer> peers_;            ///< results do not depend on its order
  std::array<Recent, 4> recent_;                      ///< peers that are found without the table
  std::array<Fifo<Queued>, kMaxLocalPorts> control_;  ///< by injection port
  std::array<Fifo<Place>, kMaxLocalPorts> ready_;     ///< sends, by injection port
  std::uint32_t waiting_ = 0;  ///< a bit for each port with a control packet or a ready send
  Fifo<Delivery> deliveries_;
  PlaceSet turns_ = 0;             ///< receives in turn without a message so far
  PlaceSet passed_ = 0;            ///< receives in turn that have just got one
  std::uint32_t eager_taken_ = 0;  ///< eager places in use
  std::unordered_map<NodeId, OpenPeer> open_peers_;
  std::vector<OpenRequest> requests_;
  PlaceSet open_receives_ = 0;  ///< waiting
  PlaceSet granted_ = 0;        ///< open receives whose message has not come
};

}  // namespace annelid::nic
