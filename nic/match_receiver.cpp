// The receiver's half of the protocol: receives are offered, and find their messages.
#include "nic/match.hpp"

namespace annelid::nic {

using ReceiveState = ReceivePlace::State;

Place Match::oldest_receive(PlaceSet set, std::uint16_t tag) const {
  return receives_.oldest(set, [tag](const ReceivePlace& receive) { return receive.tag == tag; });
}

/// Whether the place was offered to the peer, and the offer has left. Any number may come in a
/// packet.
bool Match::is_offered(const Peer& peer, Place place) const {
  return (peer.receives & place_bit(place)) != 0 &&
         receives_[place].state == ReceiveState::kOffered && !peer.due.offer;
}

void Match::post(Place number, Cycle now) {
  ReceivePlace& receive = receives_[number];
  receive.state = ReceiveState::kWaiting;
  if (receive.open) return post_open(number, now);
  Peer& peer = peer_of(receive.source);
  peer.receives |= place_bit(number);
  if (receive.in_turn) turns_ |= place_bit(number);
  if (receive.source == self_) {
    const Place send = oldest_send(peer.sends, receive.tag);
    if (send != kNoPlace) join_own(peer, send, number, now);
    return;
  }
  match_eager(receive.source, peer, now);
  offer(peer, now);
}

void Match::parked(Peer& peer, Place place) {
  peer.outstanding = false;
  receives_[place].state = peer.asked ? ReceiveState::kWaiting : ReceiveState::kParked;
  peer.asked = false;
}

void Match::asked(Peer& peer) {
  for (PlaceSet set = peer.receives; set != 0; set &= set - 1) {
    ReceivePlace& receive = receives_[static_cast<Place>(std::countr_zero(set))];
    if (receive.state == ReceiveState::kParked) receive.state = ReceiveState::kWaiting;
  }
  // The ask may have overtaken the park of the offer that is still unanswered.
  peer.asked = peer.outstanding;
}

const char* Match::data(NodeId from, std::uint16_t tag, const PacketHeader& header, Cycle now) {
  Peer& peer = peer_of(from);
  const bool open = is_granted(from, peer, header.place);
  if (!open && !is_offered(peer, header.place)) return "data for a place that does not await it";
  if (receives_[header.place].tag != tag) return "data with another tag than its place has";
  if (open) {
    granted_ &= ~place_bit(header.place);
    give(peer, header.place, MatchInfo::How::kReceiveData, header.bytes, header.sequence, now);
    return nullptr;
  }
  peer.outstanding = peer.asked = false;
  give(peer, header.place, MatchInfo::How::kReceiveData, header.bytes, header.sequence, now);
  match_eager(from, peer, now);
  offer(peer, now);
  return nullptr;
}

const char* Match::eager(NodeId from, std::uint16_t tag, const PacketHeader& header, Place& receive,
                         Cycle now) {
  Peer& peer = peer_of(from);
  EagerPlace& place = peer.eager;
  if (config_.eager_bytes == 0) return "an eager message where there are none";
  if (header.bytes > config_.eager_bytes) return "an eager message longer than its place";
  if (place.taken) return "an eager message whose place is taken";
  receive = oldest_receive(peer.receives, tag);
  if (receive != kNoPlace && receives_[receive].state != ReceiveState::kOffered) {
    give(peer, receive, MatchInfo::How::kReceiveEager, header.bytes, header.sequence, now);
    free(peer, now);
    offer(peer, now);
    return nullptr;
  }
  // An offered receive's message may be on its way, and older than this one.
  receive = kNoPlace;
  ++eager_taken_;
  place.taken = true;
  place.full = place.failed = false;
  place.receive = kNoPlace;
  place.tag = tag;
  place.sequence = header.sequence;
  place.bytes = header.bytes;
  if (!place.data) place.data = std::make_unique<std::uint64_t[]>(config_.eager_bytes / kFlitBytes);
  return nullptr;
}

void Match::match_eager(NodeId from, Peer& peer, Cycle now) {
  EagerPlace& place = peer.eager;
  if (!place.taken || place.receive != kNoPlace) return;
  const Place receive = oldest_receive(peer.receives, place.tag);
  if (receive == kNoPlace || receives_[receive].state == ReceiveState::kOffered) return;
  place.receive = receive;
  give(peer, receive, MatchInfo::How::kReceiveStored, place.bytes, place.sequence, now);
  if (place.full) deliveries_.push({kNoPlace, receive, from, now + 1});
}

void Match::eager_full(NodeId from, bool failed, Cycle now) {
  EagerPlace& place = peer_of(from).eager;
  place.full = true;
  place.failed = failed;
  if (place.receive != kNoPlace) deliveries_.push({kNoPlace, place.receive, from, now + 1});
}

void Match::eager_delivered(NodeId from, Cycle now) {
  Peer& peer = peer_of(from);
  peer.eager.taken = false;
  --eager_taken_;
  free(peer, now);
}

void Match::free(Peer& peer, Cycle now) {
  peer.due.free = true;
  queue_control(peer, now);
}

/// Whenever the peer's state has changed.
void Match::offer(Peer& peer, Cycle now) {
  offer_next(peer, now);
  offer_turns(now);
}

void Match::offer_next(Peer& peer, Cycle now) {
  if (peer.outstanding || peer.receives == 0) return;
  const Place next = next_to_offer(peer.receives);
  if (next == kNoPlace) return;
  receives_[next].state = ReceiveState::kOffered;
  peer.outstanding = true;
  peer.due.offer = true;
  peer.due.offered = next;
  queue_control(peer, now);
}

/// The oldest of a peer's receives that waits, and that neither a turn nor an older receive of its
/// tag holds back.
Place Match::next_to_offer(PlaceSet receives) const {
  PlaceSet waiting = 0, held = 0;
  for (PlaceSet set = receives; set != 0; set &= set - 1) {
    const auto place = static_cast<Place>(std::countr_zero(set));
    const ReceivePlace& receive = receives_[place];
    const bool stands_back =
        receive.state == ReceiveState::kParked || turn_before(receive) != kNoPlace;
    if (stands_back) held |= place_bit(place);
    if (!stands_back && receive.state == ReceiveState::kWaiting) waiting |= place_bit(place);
  }
  const auto overtakes = [&](const ReceivePlace& receive) {
    return receives_.oldest(held, [&](const ReceivePlace& other) {
      return other.age < receive.age && other.tag == receive.tag;
    }) != kNoPlace;
  };
  return receives_.oldest(waiting,
                          [&](const ReceivePlace& receive) { return !overtakes(receive); });
}

Place Match::turn_before(const ReceivePlace& receive) const {
  if (!receive.in_turn) return kNoPlace;
  return receives_.oldest(turns_, [&](const ReceivePlace& other) {
    return other.tag == receive.tag && other.age < receive.age;
  });
}

/// Receives in turn have got their messages: those behind them in their tags are next.
void Match::offer_turns(Cycle now) {
  while (passed_ != 0) {
    const Place done = receives_.oldest(passed_, [](const ReceivePlace&) { return true; });
    passed_ &= ~place_bit(done);
    const Place next = oldest_receive(turns_, receives_[done].tag);
    if (next == kNoPlace) continue;
    const NodeId from = receives_[next].source;
    if (from != self_) offer_next(peer_of(from), now);
  }
}

}  // namespace annelid::nic
