// What a NIC waits for, in words.
#include <algorithm>
#include <bit>
#include <type_traits>
#include <vector>

#include "interface/names.hpp"
#include "nic/nic.hpp"
#include "systemc/network/node_text.hpp"

namespace annelid::nic {
namespace {

std::string message(NodeId peer, std::uint16_t tag, std::uint32_t bytes,
                    const systemc::NetworkConfig& network) {
  return node_text(network, network.address(peer)) + " tag " + std::to_string(tag) + " (" +
         std::to_string(bytes) + " bytes)";
}

std::string open_message(const ReceivePlace& receive, const systemc::NetworkConfig& network) {
  const std::string source =
      receive.any_source ? "any node" : node_text(network, network.address(receive.source));
  return source + (receive.any_tag ? ", any tag" : " tag " + std::to_string(receive.tag)) + " (" +
         std::to_string(receive.room) + " bytes)";
}

/// The places of a set whose records fit, oldest first.
template <typename Table, typename Fits>
std::vector<Place> by_age(PlaceSet set, const Table& table, const Fits& fits) {
  std::vector<Place> places;
  for (; set != 0; set &= set - 1) {
    const auto place = static_cast<Place>(std::countr_zero(set));
    if (fits(table[place])) places.push_back(place);
  }
  std::ranges::sort(places, {}, [&](Place place) { return table[place].age; });
  return places;
}

bool waits_open(const ReceivePlace& receive) {
  return receive.open && receive.state == ReceivePlace::State::kWaiting;
}

constexpr auto kUnderWay = [](const auto& record) {
  using Record = std::remove_cvref_t<decltype(record)>;
  return record.state != Record::State::kComplete;
};
constexpr auto kComplete = [](const auto& record) { return !kUnderWay(record); };

}  // namespace

std::string Nic::why(Place place, const ReceivePlace& receive) const {
  using State = ReceivePlace::State;
  if (waits_open(receive)) return "no node has requested it";
  const Peer& peer = *match_.find(receive.source);
  switch (receive.state) {
    case State::kWaiting: {
      if (receive.source == self_.node) return "no send to the own node has its tag";
      const Place offered = receives_.oldest(
          peer.receives, [](const ReceivePlace& r) { return r.state == State::kOffered; });
      if (const Place before = match_.turn_before(receive); before != kNoPlace) {
        return "in turn behind " + name_of(receives_[before]);
      }
      if (offered == kNoPlace) return "an older one with its tag was sent back";
      return name_of(receives_[offered]) + " is offered there first";
    }
    case State::kOffered:
      return peer.due.offer ? "its offer waits for the injection port"
                            : "offered, nothing has arrived";
    case State::kParked:
      return "its offer was sent back, the sender had others to send";
    case State::kGranted:
      return peer.due.grant && peer.due.granted == place ? "its grant waits for the injection port"
                                                         : "granted, nothing has arrived";
    case State::kArriving:
      return "arriving";
    case State::kDelivering:
      return peer.eager.taken && peer.eager.receive == place && !peer.eager.full
                 ? "arriving in the eager place"
                 : "being delivered";
    case State::kCombining:
      return "arrived, being combined";
    case State::kComplete:
      return "complete";
  }
  return "?";
}

std::string Nic::why(Place place, const SendPlace& send) const {
  using State = SendPlace::State;
  switch (send.state) {
    case State::kHeld:
      if (const TriggerUnit::Listed* const listed = flow_.held_for(place)) {
        const std::string unmet = lists_.unmet(listed->list, listed->dependencies);
        if (unmet.empty()) return "held behind another one of its list, with its tag";
        return "held, waits for " + unmet;
      }
      return "held, counter " + std::to_string(send.trigger) + " is " +
             std::to_string(completions_.counters()[send.trigger]) + " and must be " +
             std::to_string(send.threshold);
    case State::kStarting:
      return "in the start-up unit";
    case State::kWaiting: {
      if (send.open) return why_open(place, send);
      if (send.destination == self_.node) return "no receive from the own node has its tag";
      const Peer& peer = *match_.find(send.destination);
      if (sends_.oldest(peer.sends, [&](const SendPlace& s) { return s.tag == send.tag; }) !=
          place) {
        return "behind another one with its tag";
      }
      std::string text = "no offer with its tag";
      if (send.bytes <= self_.config.eager_bytes && !peer.eager_free) {
        text +=
            ", and the eager place there has a message with tag " + std::to_string(peer.eager_tag);
      }
      return text;
    }
    case State::kReady:
      return send.destination == self_.node ? "waits for the delivery engine"
                                            : "ready, behind another packet of its port";
    case State::kSending:
      return send.destination == self_.node ? "being delivered" : "being injected";
    case State::kComplete:
      return "complete";
  }
  return "?";
}

std::string Nic::why_open(Place place, const SendPlace& send) const {
  const PlaceSet waiting = match_.open_sends(send.destination);
  if (sends_.oldest(waiting, [](const SendPlace&) { return true; }) != place) {
    return "behind another open one to that node";
  }
  const Peer* const peer = match_.find(send.destination);
  if (peer != nullptr && peer->due.request) return "its request waits for the injection port";
  return "requested, and no receive there takes it";
}

std::string Nic::line_of(Place place, const ReceivePlace& receive) const {
  if (waits_open(receive)) {
    return "open " + name_of(receive) + " from " + open_message(receive, self_.config.network) +
           ": " + why(place, receive);
  }
  return name_of(receive) + " from " +
         message(receive.source, receive.tag, receive.room, self_.config.network) + ": " +
         why(place, receive);
}

std::string Nic::line_of(Place place, const SendPlace& send) const {
  if (send.join) return name_of(send) + ": " + why(place, send);
  std::string text = (send.open ? "open " : "") + name_of(send) + " to " +
                     message(send.destination, send.tag, send.bytes, self_.config.network);
  if (send.destination != self_.node) text += " on port " + std::to_string(send.port);
  return text + ": " + why(place, send);
}

std::vector<PeerWait> Nic::peer_waits() const {
  std::vector<PeerWait> waits;
  const auto arrived = [](const ReceivePlace& receive) {
    return receive.state == ReceivePlace::State::kCombining;
  };
  for (const Place place : by_age(completions_.receives(), receives_, kUnderWay)) {
    const ReceivePlace& receive = receives_[place];
    if (receive.source == self_.node || arrived(receive)) continue;
    if (waits_open(receive) && receive.any_source) continue;  // for no node in particular
    waits.push_back({receive.source, line_of(place, receive)});
  }
  for (const Place place : by_age(completions_.sends(), sends_, kUnderWay)) {
    const SendPlace& send = sends_[place];
    if (send.destination == self_.node || send.state != SendPlace::State::kWaiting) continue;
    waits.push_back({send.destination, line_of(place, send)});
  }
  return waits;
}

void Nic::describe_receives(std::string& text) const {
  for (const Place place : by_age(completions_.receives(), receives_, kUnderWay)) {
    text += line_of(place, receives_[place]) + '\n';
  }
}

void Nic::describe_sends(std::string& text) const {
  for (const SendEngine& engine : senders_) {
    if (engine.busy()) text += engine.describe() + '\n';
  }
  for (const Place place : by_age(completions_.sends(), sends_, kUnderWay)) {
    text += line_of(place, sends_[place]) + '\n';
  }
}

/// What other nodes have said and this one has no use for.
void Nic::describe_peers(std::string& text) const {
  const systemc::NetworkConfig& network = self_.config.network;
  std::vector<NodeId> nodes;
  for (const auto& [node, peer] : match_.peers()) {
    const bool unmatched = peer.eager.taken && peer.eager.receive == kNoPlace;
    if (peer.kept || unmatched) nodes.push_back(node);
  }
  std::ranges::sort(nodes);
  for (const NodeId node : nodes) {
    const Peer& peer = *match_.find(node);
    const std::string from = self_.text(network.address(node));
    if (peer.kept) {
      text += "offer of " + from + " tag " + std::to_string(peer.kept_tag) + ": no send for it\n";
    }
    if (peer.eager.taken && peer.eager.receive == kNoPlace) {
      text += "eager message from " + message(node, peer.eager.tag, peer.eager.bytes, network) +
              ": no receive for it\n";
    }
  }
  for (const OpenRequest& request : match_.requests()) {
    text += "request of " + self_.text(network.address(request.from)) + " tag " +
            std::to_string(request.tag) + ": no open receive for it\n";
  }
}

bool Nic::waits_for_any() const {
  return !by_age(completions_.receives(), receives_, [](const ReceivePlace& receive) {
            return waits_open(receive) && receive.any_source;
          }).empty();
}

std::string Nic::describe_wait() const {
  std::string text;
  if (trap_) {
    text += "halted by a trap, cause " + std::to_string(trap_->cause) + " (" +
            cause_name(trap_->cause) + ")\n";
  }
  if (error() != reg::ErrorCause::kNone) text += "error " + text_of(error()) + '\n';
  if (const std::string what = registers_.awaits(); !what.empty()) text += "awaits " + what + '\n';
  describe_receives(text);
  describe_sends(text);
  describe_peers(text);
  text += lists_.describe();
  const Completions& completions = completions_;
  const std::size_t complete = by_age(completions.receives(), receives_, kComplete).size() +
                               by_age(completions.sends(), sends_, kComplete).size() +
                               completions.lists_waiting();
  if (complete > 0) text += std::to_string(complete) + " completions not taken\n";
  if (calling()) {
    text += std::to_string(calls_.unfinished()) + " of its calls not finished\n";
  }
  if (!text.empty() && processor_) text += processor_->describe() + '\n';
  return text;
}

bool Nic::idle() const {
  const Completions& completions = completions_;
  return !calling() && (completions.sends() | completions.receives()) == 0 && !lists_.busy() &&
         completions.lists_waiting() == 0 && match_.idle() &&
         std::ranges::none_of(senders_, &SendEngine::busy) &&
         std::ranges::all_of(receivers_, &ReceiveEngine::idle);
}

}  // namespace annelid::nic
