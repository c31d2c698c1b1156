#include "nic/send_engine.hpp"

#include <algorithm>
#include <cassert>

namespace annelid::nic {
SendEngine::SendEngine(const Units& units, Port local)
    : self_(units.self),
      match_(units.match),
      sends_(units.sends),
      memory_(units.memory),
      completions_(units.completions),
      observers_(units.observers),
      local_(local),
      control_vc_(static_cast<Vc>(units.self.config.network.router.all_local_vcs() - 1)),
      message_vcs_(std::max(control_vc_, Vc{1})),
      shared_vc_(control_vc_ < message_vcs_) {
  const systemc::RouterConfig& router = units.self.config.network.router;
  std::fill_n(credits_.begin(), router.all_local_vcs(), static_cast<std::uint8_t>(router.depth));
}

void SendEngine::credit(Vc vc, Cycle now) {
  absorb(now);
  assert(!arrived_.valid && "two credits in one cycle");
  arrived_ = {true, vc, now};
}

inline void SendEngine::absorb(Cycle now) {
  if (!arrived_.valid || arrived_.at >= now) return;
  arrived_.valid = false;
  ++credits_[arrived_.vc];
  assert(credits_[arrived_.vc] <= self_.config.network.router.depth);
}

bool SendEngine::step(Cycle now, bool memory) {
  absorb(now);
  if (match_.waits(local_)) {
    if (takes_control(now)) control_ = control_packet(match_.take_control(local_));
    if (takes_message(now)) message_ = message_packet(match_.take_send(local_));
  }
  if (control_ && inject<true>(control_, now)) return false;
  if (!message_ || !(message_->sent < 2 || memory)) return false;
  inject<false>(message_, now);
  return !message_;
}

inline bool SendEngine::takes_control(Cycle at) const {
  return !control_ && !(shared_vc_ && message_) && match_.waits(local_) &&
         match_.control_due(local_, at);
}

inline bool SendEngine::takes_message(Cycle at) const {
  return !message_ && !(shared_vc_ && control_) && match_.waits(local_) &&
         match_.send_due(local_, at);
}

/// Whether the cycle's flit is one of a control packet.
bool SendEngine::sends_control(Cycle at) const {
  return (control_ || takes_control(at)) && has_credit(control_vc_, at);
}

inline bool SendEngine::has_credit(Vc vc, Cycle at) const {
  return credits_[vc] > 0 || (arrived_.valid && arrived_.vc == vc && arrived_.at < at);
}

SendEngine::Packet SendEngine::control_packet(const ControlToSend& control) const {
  Packet packet;
  packet.head = {control.to, self_.address, control.tag};
  PacketHeader header;
  header.kind = reg::PacketKind::kControl;
  header.control = control.word;
  packet.header = pack(header);
  return packet;
}

SendEngine::Packet SendEngine::message_packet(Place place) const {
  SendPlace& send = sends_[place];
  send.state = SendPlace::State::kSending;
  Packet packet;
  packet.head = {send.to, self_.address, send.tag};
  PacketHeader header;
  header.kind = send.eager ? reg::PacketKind::kEager : reg::PacketKind::kData;
  header.bytes = send.bytes;
  header.sequence = send.sequence;
  header.place = send.eager ? Place{0} : send.receive;
  packet.header = pack(header);
  packet.bytes = send.bytes;
  packet.send = place;
  packet.flits = flits_of(send.bytes);
  return packet;
}

// The lowest virtual channel of its kind with a credit, as a router chooses for a head. The engine
// sends one packet of a kind at a time, so none is ever owned by another packet.
inline bool SendEngine::choose_vc(Packet& packet) const {
  packet.vc = packet.control() ? control_vc_ : Vc{0};
  const Vc end = packet.control() ? control_vc_ + 1 : message_vcs_;
  while (packet.vc < end && credits_[packet.vc] == 0) ++packet.vc;
  return packet.vc < end;
}

inline std::uint64_t SendEngine::next_data(const Packet& packet) const {
  if (packet.sent == 0) return pack(packet.head);
  if (packet.sent == 1) return packet.header;
  const std::uint32_t done = (packet.sent - 2) * kFlitBytes;
  return memory_.load(sends_[packet.send].source_of(done),
                      std::min(kFlitBytes, packet.bytes - done));
}

template <bool control>
[[gnu::always_inline]] inline bool SendEngine::inject(std::optional<Packet>& under_way, Cycle now) {
  Packet& packet = *under_way;
  const bool head = packet.sent == 0;
  if (head ? !choose_vc(packet) : credits_[packet.vc] == 0) return false;
  if (head) tell_start(packet, now);
  const systemc::Flit flit{next_data(packet), packet.vc, head, packet.sent + 1 == packet.flits};
  if (observers_.fabric != nullptr) {
    observers_.fabric->injected(now, self_.node, local_, flit);
  }
  --credits_[packet.vc];
  ++packet.sent;
  router_->put_flit(flit);
  if (flit.tail) {
    if (!control) completions_.sent(packet.send, local_);
    under_way.reset();
  }
  return true;
}

void SendEngine::tell_start(const Packet& packet, Cycle now) const {
  const std::uint32_t step = packet.control() ? 0 : sends_[packet.send].step;
  if (observers_.fabric != nullptr) {
    observers_.fabric->packet(now, self_.node, local_,
                              {packet.head, packet.control(), packet.bytes, step});
  }
  if (!packet.control() && observers_.nic != nullptr) {
    observers_.nic->send_started(now, self_.info(sends_[packet.send]), local_);
  }
}

bool SendEngine::finds_work(Cycle at) const {
  if (takes_control(at) || takes_message(at) || sends_control(at)) return true;
  if (!message_) return false;
  if (message_->sent > 0) return has_credit(message_->vc, at);
  for (Vc vc = 0; vc < message_vcs_; ++vc) {
    if (has_credit(vc, at)) return true;
  }
  return false;
}

Cycle SendEngine::streams(Cycle at) const {
  if (!message_ || message_->sent < 2 || !has_credit(message_->vc, at)) return 0;
  if (takes_control(at) || sends_control(at)) return 0;
  return message_->flits - 1 - message_->sent;
}

void SendEngine::send(std::span<std::uint64_t> flits) {
  const SendPlace& send = sends_[message_->send];
  std::uint32_t at = (message_->sent - 2) * kFlitBytes;
  message_->sent += static_cast<std::uint32_t>(flits.size());
  if (send.block == 0) return memory_.read(send.source_of(at), std::as_writable_bytes(flits));
  for (std::uint64_t& flit : flits) {
    flit = memory_.load(send.source_of(at), kFlitBytes);
    at += kFlitBytes;
  }
}

std::string_view SendEngine::state(Cycle now) const {
  if (!busy()) return "";
  if (!can_act(now)) return "waits";
  if (sends_control(now) || !message_) return "control";
  return message_->sent == 0 ? "head" : message_->sent == 1 ? "header" : "data";
}

bool SendEngine::needs_memory(Cycle at) const {
  return message_ && message_->sent >= 2 && has_credit(message_->vc, at) && !sends_control(at);
}

std::string SendEngine::describe() const {
  std::string text;
  for (const auto* packet : {&control_, &message_}) {
    if (!*packet) continue;
    const Packet& p = **packet;
    if (!text.empty()) text += "; ";
    text += (p.control() ? "control packet to " : "message to ") + self_.text(p.head.destination);
    if (!p.control()) {
      text += " tag " + std::to_string(p.head.tag) + " (" + std::to_string(p.bytes) + " bytes)";
    }
    text += ", " + std::to_string(p.sent) + " of " + std::to_string(p.flits) + " flits sent";
  }
  return text;
}

}  // namespace annelid::nic
