// Open messages: the sender requests, and the receiver grants
// (docs/internals/nic/open-messages.md).
#include <algorithm>

#include "nic/match.hpp"

namespace annelid::nic {
namespace {

bool fits(const ReceivePlace& receive, const OpenRequest& request) {
  return (receive.any_source || receive.source == request.from) &&
         (receive.any_tag || receive.tag == request.tag);
}

constexpr auto kAny = [](const auto&) { return true; };

}  // namespace

// ---- Sender -------------------------------------------------------------------------------------

void Match::admit_open(Place number, Cycle now) {
  SendPlace& send = sends_[number];
  send.state = SendPlace::State::kWaiting;
  open_peers_[send.destination].sends |= place_bit(number);
  request_next(send.destination, now);
}

void Match::request_next(NodeId to, Cycle now) {
  OpenPeer& open = open_peers_[to];
  if (open.requested || open.sends == 0) return;
  open.requested = true;
  const std::uint16_t tag = sends_[sends_.oldest(open.sends, kAny)].tag;
  if (to == self_) return requested(self_, tag, now);
  Peer& peer = peer_of(to);
  peer.due.request = true;
  peer.due.requested = tag;
  queue_control(peer, now);
}

void Match::granted(NodeId from, Place receive, Cycle now) {
  OpenPeer& open = open_peers_[from];
  const Place send = sends_.oldest(open.sends, kAny);
  open.sends &= ~place_bit(send);
  open.requested = false;
  if (from == self_) {
    granted_ &= ~place_bit(receive);
    join_own(peer_of(self_), send, receive, now);
  } else {
    make_ready(send, receive, false, now);
  }
  request_next(from, now);
}

// ---- Receiver -----------------------------------------------------------------------------------

void Match::post_open(Place number, Cycle now) {
  const ReceivePlace& receive = receives_[number];
  const auto oldest = std::ranges::find_if(
      requests_, [&](const OpenRequest& request) { return fits(receive, request); });
  if (oldest == requests_.end()) {
    open_receives_ |= place_bit(number);
    return;
  }
  const OpenRequest request = *oldest;
  requests_.erase(oldest);
  grant(number, request, now);
}

void Match::requested(NodeId from, std::uint16_t tag, Cycle now) {
  const OpenRequest request{from, tag};
  errors_.matched(now, {MatchInfo::How::kRequest, from, tag});
  const Place receive = receives_.oldest(
      open_receives_, [&](const ReceivePlace& waiting) { return fits(waiting, request); });
  if (receive == kNoPlace) {
    requests_.push_back(request);
    return;
  }
  open_receives_ &= ~place_bit(receive);
  grant(receive, request, now);
}

void Match::grant(Place number, const OpenRequest& request, Cycle now) {
  ReceivePlace& receive = receives_[number];
  receive.state = ReceivePlace::State::kGranted;
  receive.source = request.from;
  receive.from = config_.network.address(request.from);
  receive.tag = request.tag;
  granted_ |= place_bit(number);
  errors_.matched(now, {MatchInfo::How::kReceiveGranted, request.from, request.tag});
  if (request.from == self_) return granted(self_, number, now);
  Peer& peer = peer_of(request.from);
  peer.due.grant = true;
  peer.due.granted = number;
  queue_control(peer, now);
}

// ---- What no NIC sends --------------------------------------------------------------------------

const char* Match::wrong_open(NodeId from, const Peer& peer, const ControlWord& word) const {
  if (word.request && std::ranges::find(requests_, from, &OpenRequest::from) != requests_.end()) {
    return "a request while one is valid";
  }
  if (word.request && peer.due.grant) return "a request while the grant of one is due";
  if (!word.grant) return nullptr;
  const auto open = open_peers_.find(from);
  if (open == open_peers_.end() || !open->second.requested || peer.due.request) {
    return "a grant without a request";
  }
  return nullptr;
}

/// Whether the place was granted to the peer, and the grant has left. Any number may come in a
/// packet.
bool Match::is_granted(NodeId from, const Peer& peer, Place place) const {
  return (granted_ & place_bit(place)) != 0 && receives_[place].source == from &&
         !(peer.due.grant && peer.due.granted == place);
}

}  // namespace annelid::nic
