#include "reference/costs/depth_contention.hpp"

#include <algorithm>
#include <tuple>

#include "reference/checks/contention.hpp"
#include "reference/costs/latency.hpp"

namespace annelid::reference {
namespace {

/// A message's flits on a channel: one in each cycle of [begin, end).
struct Use {
  Channel channel;
  Cycle begin, end;
  std::size_t step;
};

std::size_t dimension_of(const Channel& c) {
  if (c.from.x != c.to.x) return 0;
  return c.from.y != c.to.y ? 1 : 2;
}

}  // namespace

SharedChannels shared_channels(const Network& net, const Schedule& schedule, const Timing& timing,
                               const Prediction& prediction) {
  std::vector<Use> uses;
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    for (std::size_t m = 0; m < schedule.steps[i].size(); ++m) {
      const Message& message = schedule.steps[i][m];
      Cycle begin = prediction.messages[i][m].head + timing.pipeline;
      std::size_t switches = 0;  // of one-port routers that the message has gone through
      for (const Channel& c : route(net, message.from, message.to)) {
        for (; timing.one_port && switches < dimension_of(c); ++switches) begin += timing.pipeline;
        uses.push_back({c, begin, begin + flits_of(message.bytes), i});
        begin += timing.pipeline + timing.link_registers;
      }
    }
  }
  std::ranges::sort(uses, [](const Use& a, const Use& b) {
    return std::tie(a.channel, a.begin, a.step) < std::tie(b.channel, b.begin, b.step);
  });
  SharedChannels shared;
  for (std::size_t a = 0; a < uses.size(); ++a) {
    for (std::size_t b = a + 1;
         b < uses.size() && uses[b].channel == uses[a].channel && uses[b].begin < uses[a].end;
         ++b) {
      const std::size_t apart =
          std::max(uses[a].step, uses[b].step) - std::min(uses[a].step, uses[b].step);
      (apart == 0 ? shared.same_step : shared.other_steps) += 1;
      if (apart == 1) ++shared.neighbours;
      shared.flit_cycles += std::min(uses[a].end, uses[b].end) - uses[b].begin;
    }
  }
  return shared;
}

}  // namespace annelid::reference
