#include "reference/exchanges/elimination_butterfly.hpp"

#include <algorithm>

#include "reference/schedule/index.hpp"
#include "reference/schedule/packets.hpp"

namespace annelid::reference {
namespace {

using RankList = std::vector<int>;

/// RankList in order of their positions, which have the same partial result.
struct RankGroup {
  RankList ranks;
  int value;
};

/// Groups of a round that become one. `gone` is empty if nothing is eliminated.
struct GroupMerge {
  RankList gone, lower, upper;
};

/// Parts [first, end).
struct PartRun {
  std::uint64_t first, end;
  [[nodiscard]] PartRun lower() const { return {first, (first + end) / 2}; }
  [[nodiscard]] PartRun upper() const { return {(first + end) / 2, end}; }
};

bool has_rank(const RankList& ranks, int rank) {
  return std::ranges::find(ranks, rank) != ranks.end();
}

/// A reduction while it is built, up to the step in which one group is left.
class EliminatingReduction {
 public:
  EliminatingReduction(int ranks, int halvings)
      : flow(ranks, std::uint64_t{1} << static_cast<unsigned>(halvings)), halvings_(halvings) {
    for (int r = 0; r < ranks; ++r) groups_.push_back({{r}, r});
    while (groups_.size() > 1) merge_all();
    last_ = static_cast<int>(flow.steps.size());
  }

  /// All ranks get the result.
  void give_to_all();
  /// The root gets the result.
  void gather(int root);

  DataFlow flow;

 private:
  /// A message of a round that halves.
  struct Sent {
    int step, from, to;
    PartRun run;
  };

  [[nodiscard]] int result() const { return groups_.front().value; }
  [[nodiscard]] int round() const { return static_cast<int>(rounds_.size()); }
  [[nodiscard]] bool halves(int round) const { return round < halvings_; }
  /// The run of a position when a round begins.
  [[nodiscard]] PartRun run_of(int position, int round) const {
    PartRun run{0, flow.parts};
    for (int z = 0; z < std::min(round, halvings_); ++z) {
      run = (position >> z & 1) == 0 ? run.lower() : run.upper();
    }
    return run;
  }

  void send(int step, int from, int to, PartRun run, int value) {
    flow.send(step, {from, to, run.first, run.end, value});
  }
  void merge_all();
  void pair(int step, const RankGroup& lower, const RankGroup& upper);
  void eliminate(const RankGroup& gone, const RankGroup& lower, const RankGroup& upper);
  void send_half(int step, int from, int to, PartRun half, int value) {
    send(step, from, to, half, value);
    halves_.push_back({step, from, to, half});
  }
  template <typename Wanted>
  bool give_to_eliminated(Wanted wanted);
  /// The ranks of a rank's group when a round begins.
  [[nodiscard]] RankList group_before(int round, int rank) const;

  int halvings_;
  bool late_ = false;  ///< whether the last group is a step behind
  int last_ = 0;
  std::vector<RankGroup> groups_;
  std::vector<std::vector<GroupMerge>> rounds_;
  std::vector<Sent> halves_;
};

void EliminatingReduction::pair(int step, const RankGroup& lower, const RankGroup& upper) {
  for (int j = 0; j < 1 << round(); ++j) {
    const PartRun run = run_of(j, round());
    const int low = lower.ranks[at(j)], high = upper.ranks[at(j)];
    if (halves(round())) {
      send_half(step, low, high, run.upper(), lower.value);
      send_half(step, high, low, run.lower(), upper.value);
    } else {
      send(step, low, high, run, lower.value);
      send(step, high, low, run, upper.value);
    }
  }
}

void EliminatingReduction::eliminate(const RankGroup& gone, const RankGroup& lower,
                                     const RankGroup& upper) {
  const int step = round() + 1, both = flow.values.combine(gone.value, lower.value);
  for (int j = 0; j < 1 << round(); ++j) {
    const PartRun run = run_of(j, round());
    const int leaves = gone.ranks[at(j)], low = lower.ranks[at(j)], high = upper.ranks[at(j)];
    if (halves(round())) {
      send_half(step, leaves, low, run.lower(), gone.value);
      send_half(step, low, leaves, run.upper(), lower.value);
      send_half(step + 1, leaves, high, run.upper(), both);
      send_half(step + 1, high, low, run.lower(), upper.value);
    } else {
      send(step, leaves, low, run, gone.value);
      send(step + 1, low, high, run, both);
      send(step + 1, high, low, run, upper.value);
    }
  }
}

void EliminatingReduction::merge_all() {
  const bool odd = groups_.size() % 2 == 1;
  late_ = late_ || odd;
  std::vector<RankGroup> merged;
  std::vector<GroupMerge> merges;
  const auto merge = [&](const RankGroup* gone, const RankGroup& lower, const RankGroup& upper) {
    RankGroup group{lower.ranks, flow.values.combine(lower.value, upper.value)};
    if (gone != nullptr) {
      const int both = flow.values.combine(gone->value, lower.value);
      group.value = flow.values.combine(both, upper.value);
    }
    group.ranks.insert(group.ranks.end(), upper.ranks.begin(), upper.ranks.end());
    merged.push_back(group);
    merges.push_back({gone != nullptr ? gone->ranks : RankList{}, lower.ranks, upper.ranks});
  };
  const std::size_t pairs_end = odd ? groups_.size() - 3 : groups_.size();
  for (std::size_t i = 0; i < pairs_end; i += 2) {
    const bool last = i + 2 == groups_.size();
    pair(round() + (last && late_ ? 2 : 1), groups_[i], groups_[i + 1]);
    merge(nullptr, groups_[i], groups_[i + 1]);
  }
  if (odd) {
    const RankGroup *gone = &groups_[pairs_end], *lower = gone + 1, *upper = gone + 2;
    eliminate(*gone, *lower, *upper);
    merge(gone, *lower, *upper);
  }
  groups_ = merged;
  rounds_.push_back(merges);
}

/// The result to the ranks that left in rounds that did not halve, if `wanted` says so. Returns
/// whether there were any.
template <typename Wanted>
bool EliminatingReduction::give_to_eliminated(Wanted wanted) {
  bool any = false;
  for (int z = halvings_; z < round(); ++z) {
    const GroupMerge& last = rounds_[at(z)].back();
    for (std::size_t j = 0; j < last.gone.size(); ++j) {
      if (!wanted(last.gone[j])) continue;
      send(last_ + 1, last.lower[j], last.gone[j], run_of(static_cast<int>(j), z), result());
      any = true;
    }
  }
  return any;
}

void EliminatingReduction::give_to_all() {
  const int before = last_ + (give_to_eliminated([](int) { return true; }) ? 1 : 0);
  int steps = 0;
  for (const Sent& sent : halves_) steps = std::max(steps, sent.step);
  for (const Sent& sent : halves_) {
    send(before + steps + 1 - sent.step, sent.to, sent.from, sent.run, result());
  }
  flow.results.push_back({0, flow.ranks(), 0, flow.parts, result()});
}

RankList EliminatingReduction::group_before(int round, int rank) const {
  if (round == 0) return {rank};
  for (const GroupMerge& m : rounds_[at(round - 1)]) {
    if (!has_rank(m.lower, rank) && !has_rank(m.upper, rank)) continue;
    RankList group = m.lower;
    group.insert(group.end(), m.upper.begin(), m.upper.end());
    return group;
  }
  return {};
}

void EliminatingReduction::gather(int root) {
  // A rank of the group that gets the result before round z: the root, or, if it left earlier, one
  // of the last group.
  RankList target = {root};
  for (int z = 0; z < halvings_; ++z) {
    const GroupMerge& last = rounds_[at(z)].back();
    target.push_back(has_rank(last.gone, target.back()) ? last.upper.front() : target.back());
  }
  const RankList first = group_before(halvings_, target.back());
  int step = last_;
  if (give_to_eliminated([&](int rank) { return has_rank(first, rank); })) ++step;
  for (int z = halvings_ - 1; z >= 0; --z) {
    for (const GroupMerge& m : rounds_[at(z)]) {
      const bool to_gone = has_rank(m.gone, target[at(z)]);
      const bool to_lower = has_rank(m.lower, target[at(z)]);
      if (!to_gone && !to_lower && !has_rank(m.upper, target[at(z)])) continue;
      ++step;
      for (int j = 0; j < 1 << z; ++j) {
        const PartRun run = run_of(j, z);
        const int low = m.lower[at(j)], high = m.upper[at(j)];
        if (to_gone) {
          send(step, high, m.gone[at(j)], run.upper(), result());
          send(step + 1, low, m.gone[at(j)], run.lower(), result());
        } else if (to_lower) {
          send(step, high, low, run.upper(), result());
        } else {
          send(step, low, high, run.lower(), result());
        }
      }
      if (to_gone) ++step;
    }
  }
  flow.results.push_back({root, root + 1, 0, flow.parts, result()});
}

}  // namespace

int halving_rounds(int ranks, std::uint64_t words, std::uint32_t parameter) {
  const std::uint32_t asked = parameter & 0xFFFFU;
  const std::uint64_t threshold = asked != 0 ? asked : 2 * kReckonedStartUp;
  int rounds = 0;
  for (; 2 << rounds <= ranks && words > threshold; ++rounds) words = (words + 1) / 2;
  return rounds;
}

DataFlow elimination_all_reduction(int ranks, int halvings) {
  EliminatingReduction reduction(ranks, halvings);
  reduction.give_to_all();
  return reduction.flow;
}

DataFlow elimination_reduction(int ranks, int halvings, int root) {
  EliminatingReduction reduction(ranks, halvings);
  reduction.gather(root);
  return reduction.flow;
}

}  // namespace annelid::reference
