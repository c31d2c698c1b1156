#include "studies/tune/radices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "reference/all_to_all.hpp"
#include "simulation/scenario/radix_keys.hpp"

namespace annelid::studies {
namespace {

/// What the paper compares algorithms by.
struct Measures {
  std::size_t steps = 0, blocks = 0;
  bool operator==(const Measures&) const = default;
};

Measures measures_of(int processes, const Radices& radices) {
  Measures m;
  for (const reference::IndexStep& step : reference::index_steps(processes, radices)) {
    ++m.steps;
    m.blocks += step.distances.size();
  }
  return m;
}

bool is_better(const Measures& a, const Measures& b) {
  return a.steps <= b.steps && a.blocks <= b.blocks && !(a == b);
}

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
  std::vector<std::pair<Measures, Radices>> kept;
  std::vector<Radices> all;
  for (std::uint32_t radix = 2; radix <= size; ++radix) {
    all.push_back({radix});
    kept.emplace_back(measures_of(processes, {radix}), Radices{radix});
  }
  std::vector<Radices> lists;
  Radices list;
  for (std::size_t count = 2; count <= simulation::kMostRadices; ++count) {
    add_lists(list, size, count, lists);
  }
  for (const Radices& candidate : lists) {
    const Measures m = measures_of(processes, candidate);
    const bool is_worse = std::ranges::any_of(
        kept, [&](const auto& other) { return other.first == m || is_better(other.first, m); });
    if (is_worse) continue;
    std::erase_if(kept, [&](const auto& other) {
      return other.second.size() > 1 && is_better(m, other.first);
    });
    kept.emplace_back(m, candidate);
  }
  std::vector<Radices> result;
  result.reserve(kept.size());
  for (auto& [measures, radices] : kept) result.push_back(std::move(radices));
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
