// What sender and receiver have in common, the queues of the engines, and the own node.
#include "nic/match.hpp"

#include <algorithm>
#include <string>

#include "nic/arithmetic.hpp"
#include "nic/node_identity.hpp"

namespace annelid::nic {

Peer& Match::find_or_make(NodeId node) {
  const auto [found, is_new] = peers_.try_emplace(node);
  Peer& peer = found->second;
  if (!is_new) return peer;
  const systemc::NetworkConfig& network = config_.network;
  peer.address = network.address(node);
  if (node != self_) peer.port = port_by_route(network, network.address(self_), peer.address);
  return peer;
}

void Match::queue_control(Peer& peer, Cycle now) {
  if (peer.queued) return;
  peer.queued = true;
  control_[peer.port].push({&peer, now + 1});
  waiting_ |= 1u << peer.port;
}

void Match::update_waiting(Port local) {
  if (control_[local].empty() && ready_[local].empty()) waiting_ &= ~(1u << local);
}

Place Match::take_send(Port local) {
  const Place send = ready_[local].pop();
  update_waiting(local);
  return send;
}

ControlToSend Match::take_control(Port local) {
  Peer& peer = *control_[local].pop().peer;
  ControlToSend control{peer.address, 0, peer.due};
  if (control.word.offer) control.tag = receives_[control.word.offered].tag;
  peer.queued = false;
  peer.due = {};
  update_waiting(local);
  return control;
}

// A wrong packet must not have half an effect, so everything is judged first.
const char* Match::control(NodeId from, std::uint16_t tag, const ControlWord& word, Cycle now) {
  Peer& peer = peer_of(from);
  if (word == ControlWord{}) return "a control packet that says nothing";
  if (word.free && peer.eager_free) return "a free of an eager place that is not taken";
  if (word.park && !is_offered(peer, word.parked)) return "a park of what was not offered";
  if (word.offer && (peer.kept || peer.due.park)) return "an offer while one is kept";
  if (const char* const wrong = wrong_open(from, peer, word)) return wrong;
  if (word.free) freed(peer, now);
  if (word.park) parked(peer, word.parked);
  if (word.ask) asked(peer);
  if (word.park || word.ask) {
    match_eager(from, peer, now);
    offer(peer, now);
  }
  if (word.offer) offered(peer, tag, word.offered, now);
  if (word.grant) granted(from, word.granted, now);
  if (word.request) requested(from, word.requested, now);
  return nullptr;
}

void Match::give(Peer& peer, Place number, MatchInfo::How how, std::uint32_t bytes,
                 std::uint16_t sequence, Cycle now) {
  using How = MatchInfo::How;
  ReceivePlace& receive = receives_[number];
  peer.receives &= ~place_bit(number);
  if (receive.in_turn) {
    turns_ &= ~place_bit(number);
    passed_ |= place_bit(number);
  }
  receive.state = how == How::kReceiveData || how == How::kReceiveEager
                      ? ReceivePlace::State::kArriving
                      : ReceivePlace::State::kDelivering;
  errors_.matched(now, {how, receive.source, receive.tag});
  receive.bytes = bytes;
  receive.sequence = sequence;
  const std::uint32_t element = element_bytes(receive.type);
  reg::ErrorCause cause = reg::ErrorCause::kNone;
  std::string expected;
  if (bytes > receive.room) {
    cause = reg::ErrorCause::kTooLong;
    expected = ", the receive has room for " + std::to_string(receive.room);
  } else if (receive.combining() && bytes % element != 0) {
    cause = reg::ErrorCause::kBadCombine;
    expected = ", expected a multiple of " + std::to_string(element);
  }
  receive.failed = cause != reg::ErrorCause::kNone;
  if (receive.combining() && !receive.failed && bytes > 0) {
    combine_unit_.begin(number, bytes);
  } else if (receive.combining()) {
    combine_unit_.drop(number);
  }
  if (!receive.failed) return;
  errors_.fail(now, cause, {receive.from, receive.tag, receive.id},
               "a message of " + std::to_string(bytes) + " bytes" + expected);
}

void Match::join_own(Peer& own, Place send, Place receive, Cycle now) {
  own.sends &= ~place_bit(send);
  sends_[send].state = SendPlace::State::kReady;
  sends_[send].receive = receive;
  give(own, receive, MatchInfo::How::kOwn, sends_[send].bytes, sends_[send].sequence, now);
  deliveries_.push({send, receive, self_, now + 1});
  offer_turns(now);
}

bool Match::idle() const {
  const auto empty = [](const auto& queue) { return queue.empty(); };
  return std::ranges::all_of(control_, empty) && std::ranges::all_of(ready_, empty) &&
         deliveries_.empty() && eager_taken_ == 0 && requests_.empty();
}

}  // namespace annelid::nic
