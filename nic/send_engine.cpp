#include "nic/send_engine.hpp"

#include <algorithm>
#include <cassert>

namespace annelid {

SendEngine::SendEngine(Shared& shared, Port local) : shared_(shared), local_(local) {
  const RouterConfig& router = shared.config.network.router;
  std::fill_n(credits_.begin(), router.local_vcs, static_cast<std::uint8_t>(router.depth));
}

void SendEngine::credit(Vc vc, Cycle now) {
  absorb(now);
  assert(!arrived_.valid && "two credits in one cycle");
  arrived_ = {true, vc, now};
}

void SendEngine::absorb(Cycle now) {
  if (!arrived_.valid || arrived_.at >= now) return;
  arrived_.valid = false;
  ++credits_[arrived_.vc];
  assert(credits_[arrived_.vc] <= shared_.config.network.router.depth);
}

void SendEngine::step(Cycle now, bool memory) {
  absorb(now);
  if (!packet_) take(now);
  if (packet_ && (packet_->sent < 2 || memory)) inject(*packet_, now);
}

void SendEngine::take(Cycle now) {
  if (!shared_.match.waits(local_)) return;
  if (shared_.match.control_due(local_, now)) {
    packet_ = control_packet(shared_.match.take_control(local_));
  } else if (shared_.match.send_due(local_, now)) {
    packet_ = message_packet(shared_.match.take_send(local_));
  }
}

SendEngine::Packet SendEngine::control_packet(const ControlToSend& control) const {
  Packet packet;
  packet.head = {shared_.config.network.address(control.to), shared_.address, control.tag};
  packet.header.kind = reg::PacketKind::kControl;
  packet.header.control = control.word;
  return packet;
}

SendEngine::Packet SendEngine::message_packet(Place place) const {
  SendPlace& send = shared_.sends[place];
  send.state = SendPlace::State::kSending;
  Packet packet;
  packet.head = {shared_.config.network.address(send.destination), shared_.address, send.tag};
  packet.header.kind = send.eager ? reg::PacketKind::kEager : reg::PacketKind::kData;
  packet.header.bytes = send.bytes;
  packet.header.sequence = send.sequence;
  packet.header.place = send.eager ? Place{0} : send.receive;
  packet.send = place;
  packet.flits = flits_of(send.bytes);
  return packet;
}

// The lowest virtual channel with a credit, as a router chooses for a head. The engine sends one
// packet at a time, so none is ever owned by another packet.
bool SendEngine::choose_vc(Packet& packet) const {
  const auto vc = std::ranges::find_if(credits_, [](std::uint8_t credits) { return credits > 0; });
  packet.vc = static_cast<Vc>(vc - credits_.begin());
  return vc != credits_.end();
}

Flit SendEngine::next_flit(const Packet& packet) const {
  Flit flit;
  flit.vc = packet.vc;
  flit.head = packet.sent == 0;
  flit.tail = packet.sent + 1 == packet.flits;
  if (packet.sent == 0) {
    flit.data = pack(packet.head);
  } else if (packet.sent == 1) {
    flit.data = pack(packet.header);
  } else {
    const SendPlace& send = shared_.sends[packet.send];
    const std::uint32_t done = (packet.sent - 2) * kFlitBytes;
    flit.data = shared_.memory.load(send.source_of(done), std::min(kFlitBytes, send.bytes - done));
  }
  return flit;
}

void SendEngine::inject(Packet& packet, Cycle now) {
  const bool head = packet.sent == 0;
  if (head ? !choose_vc(packet) : credits_[packet.vc] == 0) return;
  const Flit flit = next_flit(packet);
  if (head) tell_start(packet, now);
  if (shared_.fabric_observer != nullptr) {
    shared_.fabric_observer->injected(now, shared_.node, local_, flit);
  }
  --credits_[packet.vc];
  ++packet.sent;
  router_->put_flit(flit);
  if (!flit.tail) return;
  if (!packet.control()) shared_.sent(packet.send, local_);
  packet_.reset();
}

void SendEngine::tell_start(const Packet& packet, Cycle now) const {
  const std::uint32_t step = packet.control() ? 0 : shared_.sends[packet.send].step;
  if (shared_.fabric_observer != nullptr) {
    shared_.fabric_observer->packet(now, shared_.node, local_,
                                    {packet.head, packet.control(), packet.header.bytes, step});
  }
  if (!packet.control() && shared_.observer != nullptr) {
    shared_.observer->send_started(now, shared_.info(shared_.sends[packet.send]), local_);
  }
}

bool SendEngine::can_act(Cycle at) const {
  if (!packet_) {
    return shared_.match.waits(local_) &&
           (shared_.match.control_due(local_, at) || shared_.match.send_due(local_, at));
  }
  const auto has_credit = [&](Vc vc) {
    return credits_[vc] > 0 || (arrived_.valid && arrived_.vc == vc && arrived_.at < at);
  };
  if (packet_->sent > 0) return has_credit(packet_->vc);
  for (Vc vc = 0; vc < kMaxVcs; ++vc) {
    if (has_credit(vc)) return true;
  }
  return false;
}

std::string_view SendEngine::state(Cycle now) const {
  if (!packet_) return "";
  if (!can_act(now)) return "waits";
  if (packet_->control()) return "control";
  return packet_->sent == 0 ? "head" : packet_->sent == 1 ? "header" : "data";
}

std::string SendEngine::describe() const {
  if (!packet_) return "";
  std::string text = packet_->control() ? "control packet" : "message";
  text += " to " + to_string(packet_->head.destination);
  if (!packet_->control()) {
    text += " tag " + std::to_string(packet_->head.tag) + " (" +
            std::to_string(packet_->header.bytes) + " bytes)";
  }
  return text + ", " + std::to_string(packet_->sent) + " of " + std::to_string(packet_->flits) +
         " flits sent";
}

}  // namespace annelid
