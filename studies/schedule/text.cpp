#include "studies/schedule/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/counted.hpp"
#include "simulation/scenario/count_keys.hpp"

namespace annelid::studies {
namespace {

using reference::Step;
using reference::StepContention;

std::set<reference::Channel> contended(const StepContention& step) {
  std::set<reference::Channel> channels;
  for (const reference::Conflict& c : step.conflicts) channels.insert(c.channel);
  return channels;
}

}  // namespace

std::string step_text(const Step& step, const StepContention& contention) {
  return counted(step.size(), "message") + ", " + counted(contention.hops, "hop");
}

std::string contended_text(const StepContention& contention) {
  const std::size_t channels = contended(contention).size();
  return channels == 0 ? "" : counted(channels, "channel") + " contended";
}

std::string totals_text(const simulation::Collective& c, const reference::Schedule& schedule) {
  std::size_t channels = 0;
  int load = 1;
  for (const StepContention& step : reference::contention(c.network, schedule)) {
    channels += contended(step).size();
    load = std::max(load, step.max_load);
  }
  const std::uint64_t messages = schedule.messages();
  std::string text = fmt::format("{}, {}, {}", counted(schedule.steps.size(), "step"),
                                 counted(messages, "message"),
                                 counted(reference::hops(c.network, schedule), "hop"));
  if (!c.lengths.empty()) text += ", blocks of " + simulation::block_text(c);
  if (channels == 0) return text + "; no stepwise contention";
  return text + fmt::format("; {} contended in a step, by up to {} messages",
                            counted(channels, "channel"), load);
}

}  // namespace annelid::studies
