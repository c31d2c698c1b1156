#include "nic/receive_engine.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include "systemc/network/slot.hpp"

namespace annelid::nic {

ReceiveEngine::ReceiveEngine(const Units& units, Port local)
    : self_(units.self),
      match_(units.match),
      receives_(units.receives),
      flow_(units.flow),
      errors_(units.errors),
      local_(local),
      ring_bits_(std::bit_width(static_cast<unsigned>(units.self.config.network.router.depth) - 1)),
      assemblies_(static_cast<std::size_t>(units.self.config.network.router.all_local_vcs())) {
  flits_.resize(assemblies_.size() << ring_bits_);
}

void ReceiveEngine::arrive(const systemc::Flit& flit, Cycle now) {
  Buffer& buffer = buffers_[flit.vc];
  assert(buffer.count < self_.config.network.router.depth && "a flit without a credit");
  const unsigned bit = 1u << flit.vc;
  newest_at_ = now;
  newest_alone_ = buffer.count == 0 ? bit : 0;
  filled_ |= bit;
  flit_at(flit.vc, buffer.count) = flit;
  ++buffer.count;
}

inline systemc::Flit ReceiveEngine::pop(Vc vc) {
  Buffer& buffer = buffers_[vc];
  const systemc::Flit flit = front(vc);
  buffer.first = static_cast<std::uint8_t>(wrap(buffer.first + 1u));
  if (--buffer.count == 0) filled_ &= ~(1u << vc);
  return flit;
}

inline Vc ReceiveEngine::pick(unsigned vcs) const {
  return static_cast<Vc>(systemc::round_robin(vcs, pointer_));
}

inline bool ReceiveEngine::stores(const Assembly& packet) const {
  return packet.next == Assembly::Next::kData && packet.receive != kNoPlace && !packet.failed &&
         !receives_[packet.receive].failed;
}

bool ReceiveEngine::needs_memory(Cycle at) const {
  const unsigned vcs = candidates(at);
  return vcs != 0 && stores(assemblies_[pick(vcs)]);
}

bool ReceiveEngine::streams(Cycle at) const {
  const unsigned vcs = candidates(at);
  return std::has_single_bit(vcs) && stores(assemblies_[pick(vcs)]);
}

/// Whether the flit is from the middle of the packet, and only goes to node memory.
inline bool ReceiveEngine::continues(const Assembly& packet, const systemc::Flit& flit) const {
  return stores(packet) && !receives_[packet.receive].combining() && !flit.head && !flit.tail &&
         packet.arrived + kFlitBytes < packet.bytes;
}

bool ReceiveEngine::add_places(Vc vc, std::vector<std::uint64_t*>& places) {
  if (filled_ != 1u << vc) return false;
  for (unsigned i = buffers_[vc].count; i-- > 0;) {
    systemc::Flit& flit = flit_at(vc, i);
    if (flit.head || flit.tail) return false;
    places.push_back(&flit.data);
  }
  return true;
}

void ReceiveEngine::consume(Vc vc, std::span<const std::uint64_t> flits) {
  Assembly& packet = assemblies_[vc];
  if (receives_[packet.receive].combining()) {
    kept_.assign(flits.rbegin(), flits.rend());
    kept_vc_ = vc;
    return;
  }
  flow_.store(packet.receive, packet.arrived, flits);
  packet.arrived += static_cast<std::uint32_t>(flits.size()) * kFlitBytes;
}

void ReceiveEngine::store_kept(Cycle now) {
  if (kept_.empty()) return;
  Assembly& packet = assemblies_[kept_vc_];
  flow_.store(packet.receive, packet.arrived, kept_.back(), kFlitBytes, now);
  kept_.pop_back();
  packet.arrived += kFlitBytes;
}

bool ReceiveEngine::idle() const {
  return filled_ == 0 && std::ranges::all_of(assemblies_, [](const Assembly& packet) {
           return packet.next == Assembly::Next::kHead;
         });
}

std::string_view ReceiveEngine::state() const {
  for (const Assembly& packet : assemblies_) {
    switch (packet.next) {
      case Assembly::Next::kHead:
        break;
      case Assembly::Next::kHeader:
        return "header";
      case Assembly::Next::kData:
        return "data";
      case Assembly::Next::kDrop:
        return "drop";
    }
  }
  return "";
}

ReceiveEngine::Effect ReceiveEngine::step(Cycle now, bool memory) {
  const unsigned vcs = candidates(now);
  if (vcs == 0) return Effect::kNone;
  const Vc vc = pick(vcs);
  Assembly& packet = assemblies_[vc];
  if (!memory && stores(packet)) return Effect::kNone;
  pointer_ = vc + 1u;
  const Effect effect = take(packet, pop(vc), now);
  router_->put_credit(vc);
  return effect;
}

inline ReceiveEngine::Effect ReceiveEngine::take(Assembly& packet, const systemc::Flit& flit,
                                                 Cycle now) {
  switch (packet.next) {
    case Assembly::Next::kHead:
      head(packet, flit, now);
      return packet.next == Assembly::Next::kHeader ? Effect::kNone : Effect::kAny;  // an error
    case Assembly::Next::kHeader:
      return header(packet, flit, now);
    case Assembly::Next::kData: {
      const bool alone = continues(packet, flit);
      data(packet, flit, now);
      return alone ? Effect::kNone : Effect::kAny;
    }
    case Assembly::Next::kDrop:
      if (flit.tail) packet.next = Assembly::Next::kHead;
  }
  return Effect::kAny;
}

inline void ReceiveEngine::head(Assembly& packet, const systemc::Flit& flit, Cycle now) {
  const systemc::HeadFields fields = systemc::unpack_head(flit.data);
  const systemc::NetworkConfig& network = self_.config.network;
  const char* wrong = nullptr;
  packet = {};
  packet.tag = fields.tag;
  if (!flit.head || flit.tail) {
    wrong = "no head, or nothing behind it";
  } else if (fields.destination != self_.address) {
    wrong = "for another node";
  } else if (!network.contains(fields.source) || fields.source == self_.address) {
    wrong = "from a node that cannot be";
  }
  if (wrong != nullptr) {
    errors_.fail(now, reg::ErrorCause::kBadPacket, {fields.source, fields.tag, 0},
                 "packet from " + self_.text(fields.source) + ": " + wrong);
    packet.next = flit.tail ? Assembly::Next::kHead : Assembly::Next::kDrop;
    return;
  }
  packet.source = network.id(fields.source);
  packet.next = Assembly::Next::kHeader;
}

ReceiveEngine::Effect ReceiveEngine::header(Assembly& packet, const systemc::Flit& flit,
                                            Cycle now) {
  const PacketHeader fields = unpack_header(flit.data);
  const char* wrong = nullptr;
  if (flit.head || pack(fields) != flit.data) {
    wrong = "no header where it belongs";
  } else {
    wrong = wrong_kind(fields, flit.vc);
    if (wrong == nullptr) wrong = begin(packet, fields, flit.tail, now);
  }
  if (wrong != nullptr) bad_packet(packet, wrong, now);
  if (wrong != nullptr || fields.kind == reg::PacketKind::kControl) {
    packet.next = flit.tail ? Assembly::Next::kHead : Assembly::Next::kDrop;
    return Effect::kMatch;
  }
  packet.bytes = fields.bytes;
  packet.next = Assembly::Next::kData;
  if (!flit.tail) return Effect::kMatch;
  finish(packet, now);
  return Effect::kAny;
}

/// With control VCs: whether a packet has come on a VC of the other kind.
const char* ReceiveEngine::wrong_kind(const PacketHeader& fields, Vc vc) const {
  const systemc::RouterConfig& router = self_.config.network.router;
  if (!router.control_vc) return nullptr;
  const bool on_control_vc = vc >= router.local_vcs;
  switch (fields.kind) {
    case reg::PacketKind::kControl:
      return on_control_vc ? nullptr : "a control packet on a data VC";
    case reg::PacketKind::kData:
    case reg::PacketKind::kEager:
      return on_control_vc ? "a message on the control VC" : nullptr;
  }
  return nullptr;
}

/// What is wrong with a packet by its header, which has its effect if nothing is.
const char* ReceiveEngine::begin(Assembly& packet, const PacketHeader& fields, bool tail,
                                 Cycle now) {
  switch (fields.kind) {
    case reg::PacketKind::kControl:
      if (!tail) return "a control packet with data";
      return match_.control(packet.source, packet.tag, fields.control, now);
    case reg::PacketKind::kData:
      if (tail != (fields.bytes == 0)) return "of another length than its header says";
      packet.receive = fields.place;
      return match_.data(packet.source, packet.tag, fields, now);
    case reg::PacketKind::kEager:
      if (tail != (fields.bytes == 0)) return "of another length than its header says";
      return match_.eager(packet.source, packet.tag, fields, packet.receive, now);
  }
  return "of unknown kind";
}

inline void ReceiveEngine::data(Assembly& packet, const systemc::Flit& flit, Cycle now) {
  const std::uint32_t bytes = std::min(kFlitBytes, packet.bytes - packet.arrived);
  if (!packet.failed && (flit.head || flit.tail != (packet.arrived + bytes == packet.bytes))) {
    packet.failed = true;
    bad_packet(packet, "of another length than its header says", now);
  }
  if (packet.receive == kNoPlace) {
    if (bytes > 0) match_.eager_place(packet.source).data[packet.arrived / 8] = flit.data;
  } else if (stores(packet)) {
    flow_.store(packet.receive, packet.arrived, flit.data, bytes, now);
  }
  packet.arrived += bytes;
  if (flit.tail) finish(packet, now);
}

void ReceiveEngine::finish(Assembly& packet, Cycle now) {
  packet.next = Assembly::Next::kHead;
  if (packet.receive == kNoPlace) {
    match_.eager_full(packet.source, packet.failed, now);
  } else {
    if (packet.failed) flow_.fail_receive(packet.receive);
    flow_.arrived(packet.receive, local_, now);
  }
}

void ReceiveEngine::bad_packet(const Assembly& packet, const char* what, Cycle now) const {
  const Address source = self_.config.network.address(packet.source);
  errors_.fail(
      now, reg::ErrorCause::kBadPacket, {source, packet.tag, 0},
      "packet from " + self_.text(source) + " tag " + std::to_string(packet.tag) + ": " + what);
}

}  // namespace annelid::nic
