#include "reference/schedule/combinations.hpp"

namespace annelid::reference {

Combinations::Combinations(int ranks) : ranks_(ranks) {
  for (int r = 0; r < ranks; ++r) values_.push_back({{}, {r, r + 1}});
}

int Combinations::combine(int left, int right) {
  if (left == kNone) return right;
  if (right == kNone) return left;
  const std::uint64_t operands =
      static_cast<std::uint64_t>(left) << 32U | static_cast<std::uint64_t>(right);
  const auto [found, is_new] = of_operands_.try_emplace(operands, static_cast<int>(size()));
  if (!is_new) return found->second;
  const Run a = at(left).run, b = at(right).run;
  const bool joined = a.first < a.end && b.first < b.end && a.end == b.first;
  values_.push_back({{left, right}, joined ? Run{a.first, b.end} : Run{}});
  return found->second;
}

std::optional<Combinations::Run> Combinations::in_order(int value) const {
  const Run run = at(value).run;
  if (run.first == run.end) return std::nullopt;
  return run;
}

std::vector<int> Combinations::operands_of(int value) const {
  std::vector<int> ranks, open{value};
  while (!open.empty()) {
    const int next = open.back();
    open.pop_back();
    if (next < ranks_) {
      ranks.push_back(next);
      continue;
    }
    open.push_back(operands(next).right);
    open.push_back(operands(next).left);
  }
  return ranks;
}

std::vector<bool> Combinations::needed_for(const std::vector<int>& wanted) const {
  std::vector<bool> needed(size(), false);
  for (const int value : wanted) needed[static_cast<std::size_t>(value)] = true;
  for (std::size_t i = size(); i-- > static_cast<std::size_t>(ranks_);) {
    if (!needed[i]) continue;
    needed[static_cast<std::size_t>(values_[i].operands.left)] = true;
    needed[static_cast<std::size_t>(values_[i].operands.right)] = true;
  }
  return needed;
}

}  // namespace annelid::reference
