// Broadcasts in packets in which a process exchanges with one partner a step and gets each packet
// once, and the reductions that are their reverse: docs/internals/algorithms/circulant.md, edst.md.
#pragma once

#include "firmware/collectives/players/ranked.hpp"

namespace annelid::firmware {

/// A packet, from 0, that goes to or comes from a relative rank.
struct PacketHop {
  std::uint32_t peer, packet;
};

/// Plays one process's part of the broadcast S, or of its reverse. S has
///
///   S(Ranked, packets)
///   Cursor first(), last()        a step of the broadcast: `number`, from 1, and what S needs
///   advance(Cursor&), retreat(Cursor&)
///   bool sends(Cursor, PacketHop&), receives(Cursor, PacketHop&)
///   bool sends_on(Cursor, PacketHop)   whether the process sends the packet that it receives
///   bool sends_last(Cursor, PacketHop) whether it sends the packet for the last time; asked once
///                                      for each send, from the last one to the first one
///   factor(size)                  c of groups.md, "Packets"
///
/// Reversed, the last send of a packet is the first message that its partial result takes in.
template <typename S>
class PacketPlan : public PlanOf<PacketPlan<S>> {
 public:
  PacketPlan(const Call& call, const Ranked& self, std::uint32_t packets)
      : call_(call),
        self_(self),
        reduces_(call.operation() == reg::Operation::kReduce),
        schedule_(self, packets),
        parts_(call.bytes(), packets),
        partial_(self.relative() == 0 ? call.target() : scratch_area(call, 0)),
        send_(start()),
        receive_(send_),
        sends_left_(schedule_.last().number),
        receives_left_(sends_left_) {
    this->last_reused = 0;
    this->most_receives = reduces_ ? Plan::kMany : packets;
  }

  bool send(PlannedMessage& m) {
    PacketHop hop{};
    for (bool found = false; !found; --sends_left_, move(send_)) {
      if (sends_left_ == 0) return false;
      found = reduces_ ? schedule_.receives(send_, hop) : schedule_.sends(send_, hop);
      if (!found) continue;
      const bool combined = reduces_ && schedule_.sends_on(send_, hop);
      set(m, step(send_), self_.address(hop.peer),
          place(combined ? partial_ : call_.source(), hop));
    }
    return true;
  }
  bool receive(PlannedMessage& m) {
    PacketHop hop{};
    for (bool found = false; !found; --receives_left_, move(receive_)) {
      if (receives_left_ == 0) return false;
      found = reduces_ ? schedule_.sends(receive_, hop) : schedule_.receives(receive_, hop);
      if (!found) continue;
      const Buffer own = place(call_.source(), hop);
      set(m, step(receive_), self_.address(hop.peer), own);
      if (!reduces_) continue;
      // Messages of one packet may be under way together: each has a place of its own.
      m.place = scratch_area(call_, 1 + staged_) + (own.offset - call_.source());
      staged_ = staged_ + 1 == kReceivesAhead ? 0 : staged_ + 1;
      m.flags = PlannedMessage::kCombines;
      m.target = place(partial_, hop).offset;
      m.operand = schedule_.sends_last(receive_, hop) ? own.offset : m.target;
    }
    return true;
  }

 private:
  static_assert(1 + kReceivesAhead <= kScratchBlocks);
  using Cursor = typename S::Cursor;

  [[nodiscard]] Cursor start() const { return reduces_ ? schedule_.last() : schedule_.first(); }
  void move(Cursor& at) { reduces_ ? schedule_.retreat(at) : schedule_.advance(at); }
  [[nodiscard]] std::uint32_t step(const Cursor& at) const {
    return reduces_ ? schedule_.last().number + 1 - at.number : at.number;
  }
  [[nodiscard]] Buffer place(std::uint32_t block, const PacketHop& hop) const {
    return parts_.run(block, hop.packet, hop.packet + 1);
  }

  const Call& call_;
  const Ranked& self_;
  bool reduces_;
  S schedule_;
  PartSizes parts_;
  std::uint32_t partial_;
  Cursor send_, receive_;
  std::uint32_t sends_left_, receives_left_;  // steps
  std::uint32_t staged_ = 0;
};

template <typename S>
inline constexpr MakePlan kMakePackets =
    [](PlanRoom& room, const Call& call, const Ranked& self) -> Plan& {
  if (self.size() == 1) {
    const bool keeps = call.operation() == reg::Operation::kBroadcast;
    return make_plan<OwnBlock>(
        room, keeps ? PlannedCopy{} : PlannedCopy{call.source(), call.target(), call.bytes()});
  }
  return make_plan<PacketPlan<S>>(room, call, self, packets_of(call, S::factor(self.size()), 200));
};
/// Performs the call's broadcast or reduction by S.
template <typename S>
Task play_packets(Context& me) {
  return play_part(me, kMakePackets<S>);
}

}  // namespace annelid::firmware
