#include "nic/receive_engine.hpp"

#include <algorithm>

namespace annelid {

void ReceiveEngine::step(Cycle now) {
  Arrival& arrival = arrived_[(now + 1) & 1];  // of cycle now - 1
  if (!arrival.valid) return;
  arrival.valid = false;
  const Flit& flit = arrival.flit;
  router_->put_credit(flit.vc);
  Assembly& packet = assemblies_[flit.vc];
  switch (packet.next) {
    case Assembly::Next::kHead:
      head(packet, flit, now);
      break;
    case Assembly::Next::kHeader:
      header(packet, flit, now);
      break;
    case Assembly::Next::kData:
      data(packet, flit, now);
      break;
  }
}

void ReceiveEngine::head(Assembly& packet, const Flit& flit, Cycle now) {
  const HeadFields fields = unpack_head(flit.data);
  const NetworkConfig& network = shared_.config.network;
  packet.source = network.id(fields.source);
  packet.tag = fields.tag;
  if (!flit.head || flit.tail) {
    return bad_packet(packet, {reg::ErrorCause::kBadPacket, "no head, or nothing behind it"}, now);
  }
  if (fields.destination != shared_.address) {
    return bad_packet(packet, {reg::ErrorCause::kBadPacket, "for another node"}, now);
  }
  if (!network.contains(fields.source) || packet.source == shared_.node) {
    return bad_packet(packet, {reg::ErrorCause::kBadPacket, "from a node that cannot be"}, now);
  }
  packet.next = Assembly::Next::kHeader;
}

void ReceiveEngine::header(Assembly& packet, const Flit& flit, Cycle now) {
  const PacketHeader fields = unpack_header(flit.data);
  Fault fault;
  if (pack(fields) != flit.data || flit.head) {
    fault = {reg::ErrorCause::kBadPacket, "no header where it belongs"};
  } else if (fields.kind == reg::PacketKind::kGrant) {
    fault = flit.tail ? shared_.match.accept_grant(packet.source, packet.tag, fields)
                      : Fault{reg::ErrorCause::kBadPacket, "a grant with data"};
  } else if (fields.kind == reg::PacketKind::kData) {
    fault = flit.tail == (fields.bytes == 0)
                ? shared_.match.begin(packet.source, packet.tag, fields)
                : Fault{reg::ErrorCause::kBadPacket, "of another length than its header says"};
  } else {
    fault = {reg::ErrorCause::kBadPacket, "of unknown kind"};
  }
  if (fault) return bad_packet(packet, fault, now);
  packet.next = flit.tail ? Assembly::Next::kHead : Assembly::Next::kData;
  if (fields.kind == reg::PacketKind::kGrant) return;
  packet.slot = fields.slot;
  packet.offset = shared_.match.slot(fields.slot).offset;
  packet.left = fields.bytes;
  if (flit.tail) finish(packet, now);
}

void ReceiveEngine::data(Assembly& packet, const Flit& flit, Cycle now) {
  const std::uint32_t bytes = std::min(kFlitBytes, packet.left);
  if (flit.head || flit.tail != (bytes == packet.left)) {
    return bad_packet(packet,
                      {reg::ErrorCause::kBadPacket, "of another length than its header says"}, now);
  }
  shared_.memory.store(packet.offset, flit.data, bytes);
  packet.offset += bytes;
  packet.left -= bytes;
  if (flit.tail) finish(packet, now);
}

void ReceiveEngine::finish(Assembly& packet, Cycle now) {
  packet.next = Assembly::Next::kHead;
  const Receive& slot = shared_.match.slot(packet.slot);
  shared_.completions.add(local_, {true, slot.id, slot.bytes});
  if (shared_.observer != nullptr) {
    shared_.observer->received(
        now, {packet.source, shared_.node, packet.tag, slot.sequence, slot.bytes, 0});
  }
  shared_.match.finish(packet.slot, now);
}

void ReceiveEngine::bad_packet(const Assembly& packet, const Fault& fault, Cycle now) {
  shared_.fail(now, fault.cause,
               "packet from " + to_string(shared_.config.network.address(packet.source)) + " tag " +
                   std::to_string(packet.tag) + ": " + fault.text);
}

}  // namespace annelid
