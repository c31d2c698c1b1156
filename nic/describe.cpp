// What a NIC waits for, in words, and the names of errors.
#include <algorithm>

#include "nic/nic.hpp"

namespace annelid {
namespace {

std::string message(NodeId peer, std::uint16_t tag, std::uint32_t bytes,
                    const NetworkConfig& network) {
  return to_string(network.address(peer)) + " tag " + std::to_string(tag) + " (" +
         std::to_string(bytes) + " bytes)";
}

const char* why(const Receive& receive, NodeId self) {
  switch (receive.state) {
    case Receive::State::kFree:
      return "free";
    case Receive::State::kWaiting:
      return receive.source == self ? "waits for the own node's send"
                                    : "waits for the receive before it";
    case Receive::State::kGranting:
      return "its grant waits for the injection port";
    case Receive::State::kGranted:
      return "granted, nothing has arrived";
    case Receive::State::kArriving:
      return "arriving";
  }
  return "?";
}

std::string why(const Send& send, bool first, bool engine_busy, NodeId self) {
  if (!first || engine_busy) return "behind another packet of its port";
  if (send.destination == self) return "no receive with this tag is the own node's oldest";
  if (!send.peer->granted) return "no grant";
  if (send.peer->sends_taken != send.sequence) return "behind another message of the pair";
  return "the grant has tag " + std::to_string(send.peer->grant_tag);
}

}  // namespace

const char* to_string(reg::ErrorCause cause) {
  switch (cause) {
    case reg::ErrorCause::kNone:
      return "NONE";
    case reg::ErrorCause::kSendOverflow:
      return "SEND_OVERFLOW";
    case reg::ErrorCause::kRecvOverflow:
      return "RECV_OVERFLOW";
    case reg::ErrorCause::kBadAddress:
      return "BAD_ADDRESS";
    case reg::ErrorCause::kBadRange:
      return "BAD_RANGE";
    case reg::ErrorCause::kTooLong:
      return "TOO_LONG";
    case reg::ErrorCause::kBadPort:
      return "BAD_PORT";
    case reg::ErrorCause::kBadPacket:
      return "BAD_PACKET";
  }
  return "?";
}

void Nic::describe_receives(std::string& text) const {
  for (SlotNumber number = 0; number < reg::kReceivePlaces; ++number) {
    const Receive& receive = shared_.match.slot(number);
    if (receive.state == Receive::State::kFree) continue;
    text += "receive " + std::to_string(receive.id) + " from " +
            message(receive.source, receive.tag, receive.room, shared_.config.network) + ": " +
            why(receive, shared_.node) + '\n';
  }
}

void Nic::describe_sends(std::string& text) const {
  for (const SendEngine& engine : senders_) {
    if (engine.busy()) text += engine.describe() + '\n';
  }
  if (own_.busy()) text += "message to the own node under way\n";
  for (unsigned engine = 0; engine < shared_.sends.size(); ++engine) {
    const bool own = engine == CompletionQueue::kOwnNode;
    const bool busy = own ? own_.busy() : engine < senders_.size() && senders_[engine].busy();
    for (std::size_t i = 0; i < shared_.sends[engine].size(); ++i) {
      const Send& send = shared_.sends[engine][i];
      text += "send " + std::to_string(send.id) + " to " +
              message(send.destination, send.tag, send.bytes, shared_.config.network) +
              (own ? "" : " on port " + std::to_string(engine)) + ": " +
              why(send, i == 0, busy, shared_.node) + '\n';
    }
  }
}

std::string Nic::describe_wait() const {
  std::string text;
  if (trap_) text += "trapped, cause " + std::to_string(trap_->cause) + '\n';
  if (shared_.error != reg::ErrorCause::kNone) {
    text += std::string("stopped by ") + to_string(shared_.error) + '\n';
  }
  if (const std::string what = registers_.awaits(); !what.empty()) text += "awaits " + what + '\n';
  describe_receives(text);
  describe_sends(text);
  if (!shared_.completions.empty()) {
    text += std::to_string(shared_.completions.size()) + " completions not taken\n";
  }
  if (calling()) text += "its call is not finished\n";
  if (!text.empty() && processor_) text += processor_->describe() + '\n';
  return text;
}

bool Nic::idle() const {
  const CompletionQueue& completions = shared_.completions;
  return !calling() && completions.send_space() == reg::kSendPlaces &&
         completions.receive_space() == reg::kReceivePlaces &&
         std::ranges::none_of(senders_, &SendEngine::busy);
}

}  // namespace annelid
