#include "nic/match.hpp"

#include <bit>
#include <cassert>

#include "systemc/route.hpp"

namespace annelid {
namespace {

constexpr Fault bad_packet(const char* text) { return {reg::ErrorCause::kBadPacket, text}; }

}  // namespace

void Match::post(const Receive& receive, Cycle now) {
  assert(free_ != 0);
  const auto number = static_cast<SlotNumber>(std::countr_zero(free_));
  free_ &= free_ - 1;
  Receive& slot = slots_[number];
  slot = receive;
  slot.state = Receive::State::kWaiting;
  slot.ready = now + 1;
  slot.next = kNoSlot;

  Peer& peer = peers_[receive.source];
  if (peer.first == kNoSlot) {
    peer.first = number;
  } else {
    slots_[peer.last].next = number;
  }
  peer.last = number;
  if (receive.source != self_ && !peer.outstanding) grant_next(peer, now + 1);
}

SlotNumber Match::unlink_first(Peer& peer) {
  const SlotNumber number = peer.first;
  peer.first = slots_[number].next;
  return number;
}

void Match::grant_next(Peer& peer, Cycle ready) {
  const SlotNumber number = unlink_first(peer);
  Receive& slot = slots_[number];
  slot.state = Receive::State::kGranting;
  slot.ready = ready;
  peer.outstanding = true;
  const Port output =
      first_output(network_, network_.address(self_), network_.address(slot.source));
  grants_[static_cast<std::size_t>(output % network_.router.local_ports)].push(number);
}

GrantToSend Match::take_grant(Port local) {
  const SlotNumber number = grants_[local].pop();
  Receive& slot = slots_[number];
  slot.state = Receive::State::kGranted;
  const std::uint16_t sequence = peers_[slot.source].grants_made++;
  return {slot.source, slot.tag, {reg::PacketKind::kGrant, slot.room, sequence, number}};
}

Fault Match::begin(NodeId source, std::uint16_t tag, const PacketHeader& header) {
  if (header.slot >= slots_.size()) return bad_packet("data for a slot that does not exist");
  Receive& slot = slots_[header.slot];
  if (slot.state != Receive::State::kGranted) return bad_packet("data for a slot without a grant");
  if (slot.source != source) return bad_packet("data for a slot of another source");
  if (slot.tag != tag) return bad_packet("data for a slot with another tag");
  if (header.sequence != peers_[source].messages_arrived) {
    return bad_packet("data out of the pair's order");
  }
  if (header.bytes > slot.room) {
    return {reg::ErrorCause::kTooLong, "the message is longer than the receive's room"};
  }
  ++peers_[source].messages_arrived;
  slot.state = Receive::State::kArriving;
  slot.bytes = header.bytes;
  slot.sequence = header.sequence;
  return {};
}

void Match::finish(SlotNumber number, Cycle now) {
  Receive& slot = slots_[number];
  Peer& peer = peers_[slot.source];
  if (slot.source == self_) {
    assert(peer.first == number);
    unlink_first(peer);
  } else {
    peer.outstanding = false;
    if (peer.first != kNoSlot) grant_next(peer, now + 1);
  }
  slot.state = Receive::State::kFree;
  free_ |= std::uint64_t{1} << number;
}

void Match::number(Send& send) {
  Peer& peer = peers_[send.destination];
  send.sequence = peer.sends_posted++;
  send.peer = &peer;  // elements of an unordered_map stay where they are
}

Fault Match::accept_grant(NodeId from, std::uint16_t tag, const PacketHeader& header) {
  Peer& peer = peers_[from];
  if (from == self_) return bad_packet("a grant from the own node");
  if (peer.granted) return bad_packet("a grant whose place is taken");
  if (header.sequence != peer.grants_arrived) return bad_packet("a grant out of the pair's order");
  if (header.slot >= slots_.size()) return bad_packet("a grant for a slot that does not exist");
  ++peer.grants_arrived;
  peer.granted = true;
  peer.grant_tag = tag;
  peer.grant_room = header.bytes;
  peer.grant_slot = header.slot;
  return {};
}

SlotNumber Match::own_receive(Cycle at) const {
  const auto peer = peers_.find(self_);
  if (peer == peers_.end() || peer->second.first == kNoSlot) return kNoSlot;
  const SlotNumber number = peer->second.first;
  return slots_[number].ready <= at ? number : kNoSlot;
}

}  // namespace annelid
