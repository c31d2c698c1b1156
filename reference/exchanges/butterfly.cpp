#include "reference/exchanges/butterfly.hpp"

#include "reference/schedule/index.hpp"

namespace annelid::reference {
namespace {

/// Ranks folded to a power of two of processes: of the first ranks, the odd ones give their blocks
/// to the even ones below them.
struct Fold {
  explicit Fold(int ranks) {
    while (2 * processes <= ranks) processes *= 2;
    pairs = ranks - processes;
  }

  [[nodiscard]] int rank(int process) const {
    return process < pairs ? 2 * process : process + pairs;
  }
  [[nodiscard]] int process(int rank) const { return rank < 2 * pairs ? rank / 2 : rank - pairs; }
  [[nodiscard]] bool gave_away(int rank) const { return rank < 2 * pairs && rank % 2 == 1; }

  int processes = 1, pairs = 0;
};

/// Parts [first, end).
struct Run {
  std::uint64_t first, end;
  [[nodiscard]] Run lower() const { return {first, (first + end) / 2}; }
  [[nodiscard]] Run upper() const { return {(first + end) / 2, end}; }
};

/// A reduction while it is built: the step that was the last one, and each process's partial
/// result.
struct Reduction {
  Reduction(int ranks, std::uint64_t parts) : flow(ranks, parts), fold(ranks) {
    for (int v = 0; v < fold.processes; ++v) partial.push_back(fold.rank(v));
    if (fold.pairs == 0) return;
    ++step;
    for (int v = 0; v < fold.pairs; ++v) {
      flow.send(step, {2 * v + 1, 2 * v, 0, parts, 2 * v + 1});
      partial[at(v)] = flow.values.combine(2 * v, 2 * v + 1);
    }
  }

  void send(int from_process, int to_process, Run run) {
    flow.send(step, {fold.rank(from_process), fold.rank(to_process), run.first, run.end,
                     partial[at(from_process)]});
  }
  /// What the pairs at this distance exchanged is combined at both, the lower ranks on the left.
  void combine_pairs(int distance) {
    for (int v = 0; v < fold.processes; ++v) {
      if ((v & distance) != 0) continue;
      int &lower = partial[at(v)], &higher = partial[at(v + distance)];
      lower = higher = flow.values.combine(lower, higher);
    }
  }

  DataFlow flow;
  Fold fold;
  std::vector<int> partial;
  int step = 0;
};

/// All to the ranks that gave their blocks away, or to one of them.
void unfold(Reduction& r, int first_rank, int end_rank) {
  bool any = false;
  for (int rank = first_rank; rank < end_rank; ++rank) any = any || r.fold.gave_away(rank);
  if (any) ++r.step;
  for (int rank = first_rank; rank < end_rank; ++rank) {
    if (!r.fold.gave_away(rank)) continue;
    r.flow.send(r.step, {rank - 1, rank, 0, r.flow.parts, r.partial[0]});
  }
  r.flow.results.push_back({first_rank, end_rank, 0, r.flow.parts, r.partial[0]});
}

Reduction butterfly(int ranks) {
  Reduction r(ranks, 1);
  for (int distance = 1; distance < r.fold.processes; distance *= 2) {
    ++r.step;
    for (int v = 0; v < r.fold.processes; ++v) r.send(v, v ^ distance, {0, 1});
    r.combine_pairs(distance);
  }
  return r;
}

/// A reduction of which process v has the run runs[v].
struct Scattered {
  Reduction reduction;
  std::vector<Run> runs;
};

Scattered halved(int ranks) {
  const auto parts = static_cast<std::uint64_t>(Fold(ranks).processes);
  Scattered s{Reduction(ranks, parts), std::vector<Run>(parts, {0, parts})};
  for (int distance = 1; distance < static_cast<int>(parts); distance *= 2) {
    ++s.reduction.step;
    for (int v = 0; v < static_cast<int>(parts); ++v) {
      Run& run = s.runs[at(v)];
      const bool keeps_lower = (v & distance) == 0;
      s.reduction.send(v, v ^ distance, keeps_lower ? run.upper() : run.lower());
      run = keeps_lower ? run.lower() : run.upper();
    }
    s.reduction.combine_pairs(distance);
  }
  return s;
}

Run joined(Run a, Run b) { return {std::min(a.first, b.first), std::max(a.end, b.end)}; }

}  // namespace

DataFlow butterfly_all_reduction(int ranks) {
  Reduction r = butterfly(ranks);
  unfold(r, 0, ranks);
  return r.flow;
}

DataFlow butterfly_reduction(int ranks, int root) {
  Reduction r = butterfly(ranks);
  unfold(r, root, root + 1);
  return r.flow;
}

DataFlow rabenseifner_all_reduction(int ranks) {
  auto [r, runs] = halved(ranks);
  for (int distance = r.fold.processes / 2; distance > 0; distance /= 2) {
    ++r.step;
    const std::vector<Run> before = runs;
    for (int v = 0; v < r.fold.processes; ++v) {
      r.send(v, v ^ distance, before[at(v)]);
      runs[at(v)] = joined(before[at(v)], before[at(v ^ distance)]);
    }
  }
  unfold(r, 0, ranks);
  return r.flow;
}

DataFlow rabenseifner_reduction(int ranks, int root) {
  auto [r, runs] = halved(ranks);
  const int target = r.fold.process(root);
  for (int distance = r.fold.processes / 2; distance > 0; distance /= 2) {
    ++r.step;
    for (int v = 0; v < r.fold.processes; ++v) {
      // Those that still have a run agree with the target above this bit. The half that differs in
      // it gives its run to the other.
      if ((v ^ target) / distance != 1) continue;
      r.send(v, v ^ distance, runs[at(v)]);
      runs[at(v ^ distance)] = joined(runs[at(v)], runs[at(v ^ distance)]);
    }
  }
  unfold(r, root, root + 1);
  return r.flow;
}

}  // namespace annelid::reference
