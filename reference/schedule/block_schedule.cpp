#include "reference/schedule/block_schedule.hpp"

#include <set>

namespace annelid::reference {
namespace {

[[noreturn]] void refuse(std::size_t step, const BlockMessage& m, int block, const char* why) {
  throw std::invalid_argument("step " + std::to_string(step + 1) + ": " + to_string(m.from) +
                              " -> " + to_string(m.to) + ": " + why + " block " +
                              std::to_string(block));
}

}  // namespace

Schedule schedule_of(const BlockSchedule& messages, std::uint64_t bytes) {
  Schedule schedule;
  schedule.steps.reserve(messages.size());
  for (const auto& messages_of_step : messages) {
    Step& step = schedule.steps.emplace_back();
    step.reserve(messages_of_step.size());
    for (const BlockMessage& m : messages_of_step) {
      step.push_back({m.from, m.to, m.blocks.size() * bytes});
    }
  }
  return schedule;
}

std::vector<std::vector<int>> blocks_after(const Network& net, const BlockSchedule& messages,
                                           const std::vector<std::vector<int>>& held) {
  std::vector<std::set<int>> has;
  has.reserve(held.size());
  for (const auto& blocks : held) has.emplace_back(blocks.begin(), blocks.end());
  const auto of = [&](Node n) -> std::set<int>& {
    return has.at(static_cast<std::size_t>(index_of(net, n)));
  };
  for (std::size_t step = 0; step < messages.size(); ++step) {
    // What is sent in a step was held before it.
    for (const BlockMessage& m : messages[step]) {
      for (int block : m.blocks) {
        if (!of(m.from).contains(block)) refuse(step, m, block, "the sender does not hold");
      }
    }
    for (const BlockMessage& m : messages[step]) {
      for (int block : m.blocks) {
        if (!of(m.to).insert(block).second) refuse(step, m, block, "the receiver has already");
      }
    }
  }
  std::vector<std::vector<int>> after;
  after.reserve(has.size());
  for (const auto& blocks : has) after.emplace_back(blocks.begin(), blocks.end());
  return after;
}

}  // namespace annelid::reference
