#include "reference/costs/intercom_ranking.hpp"

#include <algorithm>

namespace annelid::reference::intercom {
namespace {

/// Adds a hybrid, unless its messages are there already.
void append_hybrid(Collective collective, const Hybrid& hybrid, std::vector<Hybrid>& hybrids) {
  const std::size_t dimensions = hybrid.mesh.dimensions().size();
  const auto stages = stages_of(collective, hybrid.form, dimensions);
  const bool known = std::ranges::any_of(hybrids, [&](const Hybrid& other) {
    return other.mesh == hybrid.mesh && stages_of(collective, other.form, dimensions) == stages;
  });
  if (!known) hybrids.push_back(hybrid);
}

void append_both_templates(Collective collective, const LogicalMesh& mesh,
                           std::vector<Hybrid>& hybrids) {
  append_hybrid(collective, {mesh, Template::kLong}, hybrids);
  append_hybrid(collective, {mesh, Template::kShort}, hybrids);
}

/// Adds both templates on these sizes, and the short template with the last sizes as one.
void append_joined(Collective collective, std::vector<int> sizes, Nearness nearness,
                   std::vector<Hybrid>& hybrids) {
  append_both_templates(collective, LogicalMesh(sizes, nearness), hybrids);
  while (sizes.size() > 1) {
    const int last = sizes.back();
    sizes.pop_back();
    sizes.back() *= last;
    append_hybrid(collective, {LogicalMesh(sizes, nearness), Template::kShort}, hybrids);
  }
}

/// All lists of factors of the first size, each followed by all those of the second, and so on.
std::vector<std::vector<int>> factorizations_in_turn(const std::vector<int>& sizes) {
  std::vector<std::vector<int>> lists{{}};
  for (int size : sizes) {
    std::vector<std::vector<int>> longer;
    for (const auto& list : lists) {
      for (const auto& factors : factorizations(size)) {
        longer.push_back(list);
        longer.back().insert(longer.back().end(), factors.begin(), factors.end());
      }
    }
    lists = std::move(longer);
  }
  return lists;
}

}  // namespace

std::vector<Hybrid> hybrids_of(Collective collective, int p) {
  std::vector<Hybrid> hybrids;
  for (const auto& sizes : factorizations(p)) {
    append_both_templates(collective, LogicalMesh(sizes, Nearness::kNearFirst), hybrids);
    append_both_templates(collective, LogicalMesh(sizes, Nearness::kFarFirst), hybrids);
  }
  return hybrids;
}

std::vector<Hybrid> hybrids_of(Collective collective, const Submesh& submesh) {
  if (submesh.order.empty()) return hybrids_of(collective, 1);
  std::vector<int> near_to_far;
  for (std::size_t d : submesh.order) near_to_far.push_back(submesh.size[d]);
  const std::vector<int> far_to_near(near_to_far.rbegin(), near_to_far.rend());
  std::vector<Hybrid> hybrids;
  for (const auto& sizes : factorizations_in_turn(near_to_far)) {
    append_joined(collective, sizes, Nearness::kNearFirst, hybrids);
  }
  for (const auto& sizes : factorizations_in_turn(far_to_near)) {
    append_joined(collective, sizes, Nearness::kFarFirst, hybrids);
  }
  return hybrids;
}

std::vector<Ranked> ranking(const Call& call, const std::vector<Hybrid>& hybrids,
                            const Network& net, const std::vector<Node>& nodes,
                            const Machine& machine) {
  std::vector<Ranked> ranked;
  for (const Hybrid& hybrid : hybrids) {
    const StagedSchedule schedule = schedule_of(call, hybrid);
    const std::vector<StepLoad> loads = loads_of(schedule, net, nodes);
    ranked.push_back({hybrid, time_of(machine, loads), stage_contention(schedule, loads)});
  }
  std::ranges::stable_sort(ranked, {}, &Ranked::time);
  return ranked;
}

}  // namespace annelid::reference::intercom
