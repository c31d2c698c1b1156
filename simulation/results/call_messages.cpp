#include "simulation/results/call_messages.hpp"

#include <algorithm>
#include <span>

namespace annelid::simulation {

MessagesByStep::MessagesByStep(const std::vector<nic::MessageRecord>& messages) {
  for (std::uint32_t i = 0; i < messages.size(); ++i) {
    const nic::MessageInfo& info = messages[i].info;
    if (info.source == info.destination) continue;
    places_.push_back(i);
  }
  const auto step_of = [&](std::uint32_t place) { return messages[place].info.step; };
  std::ranges::stable_sort(places_, {}, step_of);
  for (std::size_t begin = 0; begin < places_.size();) {
    std::size_t end = begin + 1;
    while (end < places_.size() && step_of(places_[end]) == step_of(places_[begin])) ++end;
    steps_.push_back({step_of(places_[begin]), std::span(places_).subspan(begin, end - begin)});
    begin = end;
  }
}

}  // namespace annelid::simulation
