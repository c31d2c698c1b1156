#include "firmware/collectives/broadcast.hpp"

#include <utility>

#include "firmware/platform/stop.hpp"

namespace annelid::firmware {

void BroadcastPlan::add(int step, Address to) {
  if (count_ == kMaxSends) stop("a broadcast plan has more sends than kMaxSends");
  const auto before = [](const Send& a, const Send& b) {
    if (a.step != b.step) return a.step < b.step;
    return a.to.y != b.to.y ? a.to.y < b.to.y : a.to.x < b.to.x;
  };
  // Insertion sort: few sends per step, and they come almost in order.
  std::size_t at = count_++;
  sends_[at] = {to, static_cast<std::uint8_t>(step)};
  for (; at > 0 && before(sends_[at], sends_[at - 1]); --at) std::swap(sends_[at], sends_[at - 1]);
}

Task broadcast_by(Node& node, Call call, BroadcastRule rule) {
  const Address self = node.self();  // one after the other, so that both builds agree on the order
  const Size size = node.size();
  const BroadcastPlan plan = rule(self, size, call.root);
  const auto message = [&call](Address peer, int step) {
    return Message{peer, call.offset, call.bytes, call.tag, static_cast<std::uint32_t>(step)};
  };
  // Made before the message is there, when there is time.
  std::array<std::optional<Transfer>, BroadcastPlan::kMaxSendsPerStep> under_way;

  if (plan.parent) co_await receive(node, message(*plan.parent, plan.receive_step));

  const std::span<const BroadcastPlan::Send> sends = plan.sends();
  for (std::size_t next = 0; next < sends.size();) {
    const std::uint8_t step = sends[next].step;
    std::size_t count = 0;
    for (; next < sends.size() && sends[next].step == step; ++next) {
      if (count == under_way.size()) stop("a step has more sends than kMaxSendsPerStep");
      under_way[count++].emplace(node, Transfer::Direction::kSend, message(sends[next].to, step));
    }
    for (std::size_t i = 0; i < count; ++i) {
      Transfer& sent = *under_way[i];  // a name: g++ 12 copies what `co_await *under_way[i]` awaits
      co_await sent;
    }
  }
  co_return reg::CallResult::kSuccess;
}

}  // namespace annelid::firmware
