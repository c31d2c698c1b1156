// Who may send what to whom: receive slots and grants (docs/nic.md, section 4).
//
// The receiver speaks first. A posted receive makes a grant for its source, at most one per source
// at a time; the source keeps it in the one place that it has for this peer, and may then send the
// message with the same tag.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "nic/fifo.hpp"
#include "nic/packet.hpp"
#include "systemc/config.hpp"

namespace annelid {

/// Nothing, or the error that a packet or message makes and what is wrong with it.
struct Fault {
  reg::ErrorCause cause = reg::ErrorCause::kNone;
  const char* text = "";
  explicit operator bool() const { return cause != reg::ErrorCause::kNone; }
};

using SlotNumber = std::uint16_t;
inline constexpr SlotNumber kNoSlot = 0xffff;

/// A receive slot.
struct Receive {
  enum class State : std::uint8_t {
    kFree,
    kWaiting,   ///< behind another one of the same source; or from the own node
    kGranting,  ///< its grant waits for the injection port
    kGranted,   ///< its grant was taken by the send engine
    kArriving,
  };
  State state = State::kFree;
  NodeId source = 0;
  std::uint32_t offset = 0, room = 0;
  std::uint32_t bytes = 0;     ///< of the message that arrives
  std::uint16_t sequence = 0;  ///< likewise
  std::uint16_t tag = 0, id = 0;
  Cycle ready = 0;            ///< the first cycle in which an engine may act on it
  SlotNumber next = kNoSlot;  ///< the next one posted for the same source
};

/// What a node keeps for each other node that it has to do with.
struct Peer {
  // As sender to it: the grant place, and the sequence numbers of messages.
  bool granted = false;
  std::uint16_t grant_tag = 0;
  SlotNumber grant_slot = 0;
  std::uint32_t grant_room = 0;
  std::uint16_t sends_posted = 0, sends_taken = 0, grants_arrived = 0;
  // As receiver from it: the receives that wait, and the outstanding grant.
  SlotNumber first = kNoSlot, last = kNoSlot;
  bool outstanding = false;
  std::uint16_t grants_made = 0, messages_arrived = 0;
};

/// A queued send.
struct Send {
  NodeId destination = 0;
  std::uint32_t offset = 0, bytes = 0, step = 0;
  std::uint16_t tag = 0, id = 0, sequence = 0;
  Cycle ready = 0;
  Peer* peer = nullptr;
};

/// A grant that is to be sent.
struct GrantToSend {
  NodeId to = 0;
  std::uint16_t tag = 0;
  PacketHeader header;
};

class Match {
 public:
  Match(const NetworkConfig& network, NodeId self) : network_(network), self_(self) {}

  // ---- Receiver -------------------------------------------------------------------------------

  /// Posts a receive in cycle `now`: source, offset, room, tag and id are given. The caller has
  /// made sure that a slot is free.
  void post(const Receive& receive, Cycle now);
  /// Whether a grant may leave by this injection port in cycle `at`, and the one that waits
  /// longest.
  [[nodiscard]] bool grant_due(Port local, Cycle at) const {
    const auto& queue = grants_[local];
    return !queue.empty() && slots_[queue.front()].ready <= at;
  }
  GrantToSend take_grant(Port local);
  /// The header of a data packet has arrived.
  Fault begin(NodeId source, std::uint16_t tag, const PacketHeader& header);
  /// The last byte of a slot's message has arrived; the slot is free. The next receive from the
  /// same source can be granted from cycle now + 1 on.
  void finish(SlotNumber slot, Cycle now);
  [[nodiscard]] const Receive& slot(SlotNumber number) const { return slots_[number]; }

  // ---- Sender ---------------------------------------------------------------------------------

  /// Gives a new send its sequence number and its peer.
  void number(Send& send);
  Fault accept_grant(NodeId from, std::uint16_t tag, const PacketHeader& header);
  /// Whether this send is the next of its pair and has its grant.
  [[nodiscard]] static bool may_send(const Send& send) {
    const Peer& peer = *send.peer;
    return peer.granted && peer.grant_tag == send.tag && peer.sends_taken == send.sequence;
  }
  /// Uses the grant up; the result is the slot.
  static SlotNumber take(const Send& send) {
    send.peer->granted = false;
    ++send.peer->sends_taken;
    return send.peer->grant_slot;
  }

  // ---- The own node ---------------------------------------------------------------------------

  /// The oldest receive from the own node, if it can be acted on in cycle `at`, else kNoSlot.
  [[nodiscard]] SlotNumber own_receive(Cycle at) const;

 private:
  void grant_next(Peer& peer, Cycle ready);
  SlotNumber unlink_first(Peer& peer);

  NetworkConfig network_;
  NodeId self_;
  std::array<Receive, reg::kReceivePlaces> slots_;
  std::uint64_t free_ = ~std::uint64_t{0};
  static_assert(reg::kReceivePlaces == 64, "free_ has a bit for each slot");
  std::array<Fifo<SlotNumber>, kMaxLocalPorts> grants_;  ///< by injection port
  std::unordered_map<NodeId, Peer> peers_;               ///< nothing depends on its order
};

}  // namespace annelid
