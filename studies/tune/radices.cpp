#include "studies/tune/radices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "reference/all_to_all/all_to_all.hpp"
#include "simulation/scenario/radix_keys.hpp"

namespace annelid::studies {
namespace {

/// A choice, the messages of a process, and what the paper compares algorithms by.
struct Candidate {
  Radices radices;
  std::vector<std::pair<int, std::vector<int>>> messages;  ///< how far each goes, and its blocks
  std::size_t blocks = 0;
  [[nodiscard]] std::size_t steps() const { return messages.size(); }
};

Candidate candidate_of(int processes, Radices radices) {
  Candidate c;
  for (reference::IndexStep& step : reference::index_steps(processes, radices)) {
    c.blocks += step.distances.size();
    c.messages.emplace_back(step.shift, std::move(step.distances));
  }
  c.radices = std::move(radices);
  return c;
}

/// Whether another one has fewer steps or blocks, and no more of the other.
class Comparison {
 public:
  void add(const Candidate& c) {
    const auto [least, is_new] = blocks_.emplace(c.steps(), c.blocks);
    if (!is_new) least->second = std::min(least->second, c.blocks);
  }
  [[nodiscard]] bool has_better(const Candidate& c) const {
    return std::ranges::any_of(blocks_, [&c](const auto& other) {
      const auto [steps, blocks] = other;
      return steps < c.steps() ? blocks <= c.blocks : steps == c.steps() && blocks < c.blocks;
    });
  }

 private:
  std::map<std::size_t, std::size_t> blocks_;  ///< the fewest with so many steps
};

/// Lists of so many radices that leave no place without digits. The last radix is the least that
/// the other ones leave.
void add_lists(Radices& list, std::uint32_t distances, std::size_t count,
               std::vector<Radices>& all) {
  if (list.size() + 1 == count) {
    list.push_back(distances);
    all.push_back(list);
    list.pop_back();
    return;
  }
  // At least 2 for each of the others.
  for (std::uint32_t radix = 2; (distances + radix - 1) / radix >= 2; ++radix) {
    list.push_back(radix);
    add_lists(list, (distances + radix - 1) / radix, count, all);
    list.pop_back();
  }
}

}  // namespace

std::vector<Radices> radices_to_tune(int processes) {
  const auto size = static_cast<std::uint32_t>(std::max(processes, 2));
  std::vector<Radices> lists;
  Radices list;
  for (std::size_t count = 2; count <= simulation::kMostRadices; ++count) {
    add_lists(list, size, count, lists);
  }
  std::vector<Candidate> candidates;
  Comparison comparison;
  for (std::uint32_t radix = 2; radix <= size; ++radix) {
    candidates.push_back(candidate_of(processes, {radix}));
  }
  for (Radices& radices : lists) candidates.push_back(candidate_of(processes, std::move(radices)));
  for (const Candidate& c : candidates) comparison.add(c);

  std::vector<Radices> result;
  std::set<decltype(Candidate::messages)> seen;
  for (Candidate& c : candidates) {
    const bool is_new = seen.insert(c.messages).second;
    if (c.radices.size() > 1 && (!is_new || comparison.has_better(c))) continue;
    result.push_back(std::move(c.radices));
  }
  return result;
}

simulation::Settings with_radices(const simulation::Settings& call, const Radices& radices,
                                  const std::string& origin) {
  simulation::Settings s = call;
  if (radices.size() == 1) {
    s.set("collective.parameter", simulation::Value::of_integer(radices.front()), origin);
    return s;
  }
  std::vector<simulation::Value> list;
  for (const std::uint32_t radix : radices) list.push_back(simulation::Value::of_integer(radix));
  s.set("collective.radices", simulation::Value::of_list(std::move(list)), origin);
  return s;
}

std::string name_with_radices(const simulation::Collective& c) {
  const Radices radices = simulation::mixed_radices(c);
  std::string name(c.algorithm->name);
  if (!radices.empty()) return fmt::format("{} {}", name, fmt::join(radices, ","));
  const bool has_radix = c.operation() == reference::Operation::kAllToAll && c.parameter != 0;
  return has_radix ? fmt::format("{} {}", name, c.parameter) : name;
}

}  // namespace annelid::studies
