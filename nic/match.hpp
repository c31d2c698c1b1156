// Which node may send which message: the protocol of offers and eager places
// (docs/internals/nic.md, section 4).
//
// A posted receive is offered to its source, one at a time; the source keeps the offer until it has
// the message, or sends it back (parks it) and asks for it again later. A short message for which
// there is no offer goes into the place that the receiver keeps for each peer.
#pragma once

#include <array>
#include <memory>
#include <unordered_map>

#include "nic/combine_unit.hpp"
#include "nic/errors.hpp"
#include "nic/fifo.hpp"
#include "nic/nic_config.hpp"
#include "nic/places.hpp"

namespace annelid::nic {

/// The message of one peer that came before its receive.
struct EagerPlace {
  bool taken = false;
  bool full = false;         ///< its tail has come
  bool failed = false;       ///< it had another length than its header said
  Place receive = kNoPlace;  ///< that it is matched with
  std::uint16_t tag = 0, sequence = 0;
  std::uint32_t bytes = 0;
  std::unique_ptr<std::uint64_t[]> data;  ///< from the first use on
};

/// What a node keeps for each other node that it has to do with; of the own node only the sets.
struct Peer {
  // As sender to it.
  PlaceSet sends = 0;   ///< waiting ones
  bool kept = false;    ///< an offer waits for its send
  bool wanted = false;  ///< an offer was sent back since the last ask
  bool eager_free = true;
  Place kept_place = 0;
  std::uint16_t kept_tag = 0, eager_tag = 0;
  std::uint16_t sequence = 0;
  // As receiver from it.
  bool outstanding = false;  ///< an offer is unanswered
  bool asked = false;
  PlaceSet receives = 0;  ///< waiting, offered and parked ones
  EagerPlace eager;
  // Both.
  bool queued = false;  ///< in a control queue
  ControlWord due;      ///< what the next control packet says
};

/// A control packet to inject.
struct ControlToSend {
  NodeId to = 0;
  std::uint16_t tag = 0;
  ControlWord word;
};

/// Work of the delivery engine: a send to the own node, or the message in the peer's eager place.
struct Delivery {
  Place send = kNoPlace;  ///< kNoPlace: from the eager place
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
  /// A send enters the start-up unit: the pair's next number.
  void enter(Place send);
  /// A send leaves it.
  void admit(Place send, Cycle now);

  // ---- Receive engines ------------------------------------------------------------------------

  // The result is what is wrong with the packet, nullptr if nothing is; a wrong one has no effect.
  const char* control(NodeId from, std::uint16_t tag, const ControlWord& word, Cycle now);
  /// The header of data: its receive, header.place, is arriving.
  const char* data(NodeId from, std::uint16_t tag, const PacketHeader& header, Cycle now);
  /// The header of an eager message. `receive` becomes the receive that it goes to directly, or
  /// kNoPlace: then it goes to the eager place.
  const char* eager(NodeId from, std::uint16_t tag, const PacketHeader& header, Place& receive,
                    Cycle now);
  [[nodiscard]] EagerPlace& eager_place(NodeId from) { return peers_[from].eager; }
  /// The tail of a message in the eager place has come.
  void eager_full(NodeId from, bool failed, Cycle now);

  // ---- Send engines ---------------------------------------------------------------------------

  /// Whether an engine may have something to take. Cheap: it is asked in every cycle.
  [[nodiscard]] bool waits(Port local) const { return (waiting_ >> local & 1) != 0; }
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
  /// The receive in turn that this one is held by, kNoPlace if it is not held.
  [[nodiscard]] Place turn_before(const ReceivePlace& receive) const;
  /// nullptr if there was nothing with that node.
  [[nodiscard]] const Peer* find(NodeId node) const {
    const auto found = peers_.find(node);
    return found == peers_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] const std::unordered_map<NodeId, Peer>& peers() const { return peers_; }

 private:
  struct Queued {
    NodeId peer = 0;
    Cycle ready = 0;
  };

  // Sender.
  [[nodiscard]] Place oldest_send(PlaceSet set, std::uint16_t tag) const;
  void make_ready(Place send, Place receive, bool eager, Cycle now);
  void offered(NodeId from, Peer& peer, std::uint16_t tag, Place place, Cycle now);
  void send_back(NodeId to, Peer& peer, Place place, Cycle now);
  void ask(NodeId to, Peer& peer, Cycle now);
  void freed(NodeId from, Peer& peer, Cycle now);
  // Receiver.
  [[nodiscard]] Place oldest_receive(PlaceSet set, std::uint16_t tag) const;
  [[nodiscard]] bool is_offered(const Peer& peer, Place place) const;
  void parked(Peer& peer, Place place);
  void asked(Peer& peer);
  void match_eager(NodeId from, Peer& peer, Cycle now);
  void offer(NodeId to, Peer& peer, Cycle now);
  void offer_next(NodeId to, Peer& peer, Cycle now);
  void offer_turns(Cycle now);
  void give(Peer& peer, Place receive, MatchInfo::How how, std::uint32_t bytes,
            std::uint16_t sequence, Cycle now);
  void free(NodeId to, Peer& peer, Cycle now);
  // Both.
  void update_waiting(Port local);
  void request(NodeId to, Peer& peer, Cycle now);
  void join_own(Peer& own, Place send, Place receive, Cycle now);

  const NicConfig& config_;
  const NodeId self_;
  PlaceTable<SendPlace>& sends_;
  PlaceTable<ReceivePlace>& receives_;
  CombineUnit& combine_unit_;
  Errors& errors_;
  std::unordered_map<NodeId, Peer> peers_;            ///< nothing depends on its order
  std::array<Fifo<Queued>, kMaxLocalPorts> control_;  ///< by injection port
  std::array<Fifo<Place>, kMaxLocalPorts> ready_;     ///< sends, likewise
  std::uint32_t waiting_ = 0;  ///< a bit for each port with a control packet or a ready send
  Fifo<Delivery> deliveries_;
  PlaceSet turns_ = 0;             ///< receives in turn that have no message yet
  PlaceSet passed_ = 0;            ///< that have just got one
  std::uint32_t eager_taken_ = 0;  ///< eager places
};

}  // namespace annelid::nic
