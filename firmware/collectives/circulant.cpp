// Broadcast in packets over a circulant graph, in the fewest steps:
// docs/internals/algorithms/circulant.md; Träff and Ripke 2008. PARAMETER_1: packets, or 0: by the
// block's length.
#include "firmware/collectives/circulant_schedule.hpp"
#include "firmware/collectives/ranked.hpp"

namespace annelid::firmware::circulant {
namespace {

class CirculantPlan : public PlanOf<CirculantPlan> {
 public:
  CirculantPlan(const Call& call, const Ranked& self, std::uint32_t packets)
      : call_(call),
        self_(self),
        own_(self.relative()),
        packets_(static_cast<std::int32_t>(packets)),
        graph_(self.size()),
        parts_(call.bytes(), packets),
        steps_(packets - 1 + graph_.rounds()) {
    const std::uint32_t rounds = graph_.rounds();
    // The first step is such that the last one ends a run of all rounds.
    const std::uint32_t over = (packets - 1) % rounds, first = over == 0 ? 0 : rounds - over;
    send_ = receive_ = {first, 1 - static_cast<std::int32_t>(first), 1};
    graph_.find_receives(own_, receives_);
    graph_.find_sends(own_, sends_);
  }

  bool send(PlannedMessage& m) {
    for (; send_.step <= steps_; advance(send_)) {
      const std::uint32_t to = graph_.to(own_, send_.round);
      const std::int32_t packet = packet_of(sends_, send_);
      if (to == 0 || packet < 1) continue;
      set(m, send_.step, self_.address(to), place(packet));
      advance(send_);
      return true;
    }
    return false;
  }
  bool receive(PlannedMessage& m) {
    if (own_ == 0) return false;
    for (; receive_.step <= steps_; advance(receive_)) {
      const std::int32_t packet = packet_of(receives_, receive_);
      if (packet < 1) continue;
      Buffer buffer = place(packet);
      if (packet == packets_ && lasts_++ > 0) {
        // The last packet comes again in place of those behind it. It may be under way.
        buffer.offset = scratch_area(call_, lasts_ % kScratchBlocks);
      }
      set(m, receive_.step, self_.address(graph_.from(own_, receive_.round)), buffer);
      advance(receive_);
      return true;
    }
    return false;
  }

 private:
  struct Cursor {
    std::uint32_t round;  // of the graph
    std::int32_t base;    // what the schedules' packets are relative to
    std::uint32_t step;
  };
  void advance(Cursor& at) const {
    ++at.step;
    if (++at.round < graph_.rounds()) return;
    at.round = 0;
    at.base += static_cast<std::int32_t>(graph_.rounds());
  }
  [[nodiscard]] std::int32_t packet_of(const CirculantGraph::Schedule& schedule,
                                       const Cursor& at) const {
    const std::int32_t packet = schedule[at.round] + at.base;
    return packet < packets_ ? packet : packets_;
  }
  [[nodiscard]] Buffer place(std::int32_t packet) const {
    const auto part = static_cast<std::uint32_t>(packet - 1);
    return parts_.run(call_.source(), part, part + 1);
  }

  const Call& call_;
  const Ranked& self_;
  std::uint32_t own_;
  std::int32_t packets_;
  CirculantGraph graph_;
  PartSizes parts_;
  std::uint32_t steps_;
  Cursor send_, receive_;
  std::uint32_t lasts_ = 0;
  CirculantGraph::Schedule sends_, receives_;
};

}  // namespace

CallResult check(const Context& me) { return check_ranked(me, kPacketBits, false, true); }

Task run(Context& me) {
  const Ranked self(me);
  const std::uint32_t rounds = ceil_log2(self.size());
  if (!self.member() || rounds == 0) co_return CallResult::kSuccess;
  CirculantPlan plan(me.call(), self, packets_of(me.call(), rounds > 2 ? rounds - 1 : 1, 200));
  co_return co_await play(me, plan);
}

}  // namespace annelid::firmware::circulant
