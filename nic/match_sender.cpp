// The sender's half of the protocol: sends find offers and eager places.
#include "nic/match.hpp"

namespace annelid::nic {

using SendState = SendPlace::State;

Place Match::oldest_send(PlaceSet set, std::uint16_t tag) const {
  return sends_.oldest(set, [tag](const SendPlace& send) { return send.tag == tag; });
}

// Sends leave the start-up unit in the order in which they enter it.
void Match::enter(Place number) {
  SendPlace& send = sends_[number];
  send.state = SendState::kStarting;
  send.sequence = peer_of(send.destination).sequence++;
  sends_.make_youngest(number);
}

void Match::make_ready(Place number, Place receive, bool eager, Cycle now) {
  SendPlace& send = sends_[number];
  send.state = SendState::kReady;
  send.receive = receive;
  send.eager = eager;
  send.ready = now + 1;
  ready_[send.port].push(number);
  waiting_ |= 1u << send.port;
  using How = MatchInfo::How;
  const How how = send.open ? How::kSendGranted : eager ? How::kSendEager : How::kSendOffered;
  errors_.matched(now, {how, send.destination, send.tag});
}

void Match::admit(Place number, Cycle now) {
  SendPlace& send = sends_[number];
  if (send.open) return admit_open(number, now);
  Peer& peer = peer_of(send.destination);
  const bool is_own = send.destination == self_;
  if (peer.kept && peer.kept_tag == send.tag) {
    peer.kept = false;
    return make_ready(number, peer.kept_place, false, now);
  }
  if (!is_own && config_.eager_bytes > 0 && send.bytes <= config_.eager_bytes && peer.eager_free &&
      oldest_send(peer.sends, send.tag) == kNoPlace) {
    peer.eager_free = false;
    peer.eager_tag = send.tag;
    return make_ready(number, kNoPlace, true, now);
  }
  send.state = SendState::kWaiting;
  peer.sends |= place_bit(number);
  if (is_own) {
    const Place receive = oldest_receive(peer.receives, send.tag);
    if (receive != kNoPlace) join_own(peer, number, receive, now);
    return;
  }
  const bool park = peer.kept, had_wanted = peer.wanted;
  if (park) {
    peer.kept = false;
    send_back(peer, peer.kept_place, now);
  }
  if (had_wanted) ask(peer, now);
  peer.wanted = park;
}

void Match::offered(Peer& peer, std::uint16_t tag, Place place, Cycle now) {
  // The eager message under way is older than every send that could take the offer.
  const bool of_eager = !peer.eager_free && peer.eager_tag == tag;
  const Place send = of_eager ? kNoPlace : oldest_send(peer.sends, tag);
  if (send != kNoPlace) {
    peer.sends &= ~place_bit(send);
    make_ready(send, place, false, now);
  } else if (of_eager || peer.sends != 0) {
    send_back(peer, place, now);
  } else {
    peer.kept = true;
    peer.kept_tag = tag;
    peer.kept_place = place;
  }
}

void Match::send_back(Peer& peer, Place place, Cycle now) {
  peer.due.park = true;
  peer.due.parked = place;
  peer.wanted = true;
  queue_control(peer, now);
}

void Match::ask(Peer& peer, Cycle now) {
  peer.due.ask = true;
  peer.wanted = false;
  queue_control(peer, now);
}

void Match::freed(Peer& peer, Cycle now) {
  peer.eager_free = true;
  if (peer.wanted && peer.sends != 0) ask(peer, now);
}

}  // namespace annelid::nic
