#include "reference/recursive_doubling.hpp"

#include <algorithm>

namespace annelid::reference {
namespace {

/// Part of the sorted list, and the place of the node in it that holds the message.
struct Segment {
  std::size_t first, length, holder;
};

}  // namespace

Schedule recursive_doubling_broadcast(const Network& size, Node root, std::uint64_t bytes) {
  require(size, root);
  std::vector<Node> list;
  list.reserve(static_cast<std::size_t>(size.nodes()));
  for (int i = 0; i < size.nodes(); ++i) list.push_back(node_at(size, i));
  std::sort(list.begin(), list.end());  // x first

  const auto root_place =
      static_cast<std::size_t>(std::lower_bound(list.begin(), list.end(), root) - list.begin());
  std::vector<Segment> segments{{0, list.size(), root_place}};
  Schedule schedule;
  while (std::any_of(segments.begin(), segments.end(),
                     [](const Segment& s) { return s.length > 1; })) {
    Step step;
    std::vector<Segment> halves;
    for (const Segment& s : segments) {
      if (s.length == 1) continue;
      const std::size_t lower = (s.length + 1) / 2, middle = s.first + lower;
      const bool holder_is_lower = s.holder < middle;
      const std::size_t receiver = holder_is_lower ? middle : middle - 1;
      step.push_back({list[s.holder], list[receiver], bytes});
      halves.push_back({s.first, lower, holder_is_lower ? s.holder : receiver});
      halves.push_back({middle, s.length - lower, holder_is_lower ? receiver : s.holder});
    }
    schedule.steps.push_back(step);
    segments = halves;
  }
  return schedule;
}

}  // namespace annelid::reference
