#include "simulation/results/call_messages.hpp"

#include <cstddef>
#include <span>
#include <utility>

#include "base/label_map.hpp"

namespace annelid::simulation {
namespace {

bool is_in_step(const nic::MessageInfo& info) { return info.source != info.destination; }
std::uint32_t step_of(const nic::MessageInfo& info) { return info.step; }

}  // namespace

MessagesByStep::MessagesByStep(const std::vector<nic::MessageRecord>& messages) {
  LabelMap<std::size_t> ends;  // by step: first the number of its places, then where they end
  std::size_t count = 0;
  for (const nic::MessageRecord& m : messages) {
    if (!is_in_step(m.info)) continue;
    ++ends[step_of(m.info)];
    ++count;
  }
  places_.resize(count);
  std::size_t begin = 0;
  for (auto& [step, end] : ends.map()) {
    steps_.push_back({step, std::span(places_).subspan(begin, end)});
    begin += std::exchange(end, begin);
  }
  for (std::uint32_t i = 0; i < messages.size(); ++i) {
    const nic::MessageInfo& info = messages[i].info;
    if (is_in_step(info)) places_[ends[step_of(info)]++] = i;
  }
}

}  // namespace annelid::simulation
