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

void SendEngine::step(Cycle now) {
  absorb(now);
  if (!packet_) take(now);
  if (packet_) inject(*packet_, now);
}

void SendEngine::take(Cycle now) {
  if (shared_.match.grant_due(local_, now)) {
    const GrantToSend grant = shared_.match.take_grant(local_);
    start(grant.to, grant.tag, grant.header, 2);
  } else if (!queue().empty() && queue().front().ready <= now && Match::may_send(queue().front())) {
    take_message(now);
  }
}

void SendEngine::take_message(Cycle now) {
  const Send send = shared_.queue(local_).pop();
  const std::uint32_t room = send.peer->grant_room;
  if (send.bytes > room) {
    shared_.fail(now, reg::ErrorCause::kTooLong,
                 "message of " + std::to_string(send.bytes) + " bytes to " +
                     to_string(shared_.config.network.address(send.destination)) +
                     ", which has room for " + std::to_string(room));
    return;
  }
  const SlotNumber slot = Match::take(send);
  start(send.destination, send.tag, {reg::PacketKind::kData, send.bytes, send.sequence, slot},
        flits_of(send.bytes));
  packet_->send = send;
}

void SendEngine::start(NodeId to, std::uint16_t tag, const PacketHeader& header,
                       std::uint32_t flits) {
  Packet packet;
  packet.head = {shared_.config.network.address(to), shared_.address, tag};
  packet.header = header;
  packet.flits = flits;
  packet_ = packet;
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
    const std::uint32_t done = (packet.sent - 2) * kFlitBytes;
    flit.data = shared_.memory.load(std::uint64_t{packet.send.offset} + done,
                                    std::min(kFlitBytes, packet.send.bytes - done));
  }
  return flit;
}

void SendEngine::inject(Packet& packet, Cycle now) {
  const bool head = packet.sent == 0;
  if (head ? !choose_vc(packet) : credits_[packet.vc] == 0) return;
  const Flit flit = next_flit(packet);
  const MessageInfo info = info_of(packet.send, shared_.node);
  if (shared_.fabric_observer != nullptr) {
    if (head) {
      shared_.fabric_observer->packet(
          now, shared_.node, local_,
          {packet.head, packet.control(), packet.send.bytes, packet.send.step});
    }
    shared_.fabric_observer->injected(now, shared_.node, local_, flit);
  }
  if (head && !packet.control() && shared_.observer != nullptr) {
    shared_.observer->send_started(now, info, local_);
  }
  --credits_[packet.vc];
  ++packet.sent;
  router_->put_flit(flit);
  if (!flit.tail) return;
  if (!packet.control()) {
    shared_.completions.add(local_, {false, packet.send.id, packet.send.bytes});
    if (shared_.observer != nullptr) shared_.observer->send_completed(now, info);
  }
  packet_.reset();
}

bool SendEngine::can_act(Cycle at) const {
  if (packet_) {
    const auto credits = [&](Vc vc) {
      return credits_[vc] + (arrived_.valid && arrived_.vc == vc && arrived_.at < at);
    };
    if (packet_->sent > 0) return credits(packet_->vc) > 0;
    for (Vc vc = 0; vc < kMaxVcs; ++vc) {
      if (credits(vc) > 0) return true;
    }
    return false;
  }
  return shared_.match.grant_due(local_, at) ||
         (!queue().empty() && queue().front().ready <= at && Match::may_send(queue().front()));
}

std::string SendEngine::describe() const {
  if (!packet_) return "";
  return std::string(packet_->control() ? "grant" : "message") + " to " +
         to_string(packet_->head.destination) + " tag " + std::to_string(packet_->head.tag) +
         (packet_->control() ? "" : " (" + std::to_string(packet_->send.bytes) + " bytes)") + ", " +
         std::to_string(packet_->sent) + " of " + std::to_string(packet_->flits) + " flits sent";
}

}  // namespace annelid
