#include "reference/costs/ccl_model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "reference/costs/between.hpp"
#include "reference/costs/least_squares.hpp"

namespace annelid::reference::ccl {
namespace {

constexpr std::size_t kMostPieces = 4;

/// An algorithm of the plan. As its parameter, kAll stands for the number of processes.
constexpr std::uint32_t kAll = ~0U;
struct Kind {
  Operation operation;
  const char* algorithm;
  std::uint32_t parameter;
};
constexpr Kind kOfGroups[] = {
    {Operation::kBroadcast, "binomial", 0}, {Operation::kScatter, "radix", 2},
    {Operation::kScatter, "radix", kAll},   {Operation::kGather, "radix", 2},
    {Operation::kAllReduce, "leaders", 0},  {Operation::kAllReduce, "leaders", 1},
    {Operation::kAllReduce, "leaders", 2},  {Operation::kScan, "leaders", 0},
};
/// These run on all nodes. The exchange needs 2^d of them.
constexpr Kind kExchangeOfAll{Operation::kAllGather, "exchange", 0};
constexpr Kind kDirectOfAll{Operation::kAllToAll, "radix", kAll};
constexpr Kind kApart[] = {
    {Operation::kAllGather, "dissemination", 0},
    {Operation::kAllToAll, "radix", 2},
    {Operation::kGather, "radix", kAll},
};

Call call_of(const Kind& kind, int nodes, bool all, std::uint64_t bytes) {
  const std::uint32_t parameter =
      kind.parameter == kAll ? static_cast<std::uint32_t>(nodes) : kind.parameter;
  return {kind.operation, kind.algorithm, parameter, all ? 0 : nodes, bytes};
}

/// The part of C3 that lies in each piece.
Factors parts_of(const std::vector<double>& from, double c3) {
  Factors parts;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const double end = i + 1 < from.size() ? std::min(c3, from[i + 1]) : c3;
    parts.push_back(std::max(0.0, end - from[i]));
  }
  return parts;
}

/// The pieces begin at 0 and where equal shares of the points begin.
std::vector<double> beginnings(std::span<const Point> points) {
  std::vector<double> c3;
  for (const Point& p : points) c3.push_back(p.c3);
  std::ranges::sort(c3);
  std::vector<double> from = {0};
  for (std::size_t i = 1; i < kMostPieces; ++i) {
    const double next = c3[c3.size() * i / kMostPieces];
    if (next > from.back() && next < c3.back()) from.push_back(next);
  }
  return from;
}

/// The least squares among slopes that are not negative: the best of all choices of slopes that are
/// not 0.
std::vector<double> slopes_of(const std::vector<Factors>& points,
                              const std::vector<double>& values) {
  const std::size_t count = points.front().size();
  std::vector<double> best(count, 0);
  double least = 0;
  for (const double v : values) least += v * v;
  for (unsigned chosen = 1; chosen < 1U << count; ++chosen) {
    std::vector<Factors> some;
    for (const Factors& p : points) {
      Factors& factors = some.emplace_back();
      for (std::size_t i = 0; i < count; ++i) {
        if ((chosen >> i & 1) != 0) factors.push_back(p[i]);
      }
    }
    const LeastSquares solution = least_squares(some, values);
    const auto fits = [](const std::optional<double>& x) { return x && *x >= 0; };
    if (!std::ranges::all_of(solution.unknowns, fits)) continue;
    double squares = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      squares += std::pow(values[i] - solution.fitted[i], 2);
    }
    if (squares >= least) continue;
    least = squares;
    for (std::size_t i = 0, next = 0; i < count; ++i) {
      best[i] = (chosen >> i & 1) != 0 ? *solution.unknowns[next++] : 0;
    }
  }
  return best;
}

void require_times(std::span<const Point> points) {
  for (const Point& p : points) {
    if (!(p.time > 0)) throw std::invalid_argument("a time that is not positive");
  }
}

}  // namespace

std::vector<PlannedCall> plan(int nodes, const std::vector<std::uint64_t>& lengths,
                              const std::vector<int>& groups) {
  std::vector<PlannedCall> all;
  const auto add = [&all](Part part, const Kind& kind, int n, bool whole, std::uint64_t bytes) {
    all.push_back({call_of(kind, n, whole, bytes), part});
  };
  const auto of_groups = [&](Part part, const std::vector<int>& counts,
                             const std::vector<std::uint64_t>& bytes) {
    for (const std::uint64_t length : bytes) {
      for (const int n : counts) {
        for (const Kind& kind : kOfGroups) add(part, kind, n, false, length);
      }
    }
  };
  const auto of_all = [&](Part part, const std::vector<std::uint64_t>& bytes) {
    for (const std::uint64_t length : bytes) {
      if (std::has_single_bit(static_cast<unsigned>(nodes)))
        add(part, kExchangeOfAll, nodes, true, length);
      add(part, kDirectOfAll, nodes, true, length);
    }
  };
  const std::vector<std::uint64_t> between = lengths_between(lengths);
  of_groups(Part::kFit, groups, lengths);
  of_all(Part::kFit, lengths);
  of_groups(Part::kLengths, groups, between);
  of_all(Part::kLengths, between);
  of_groups(Part::kGroups, counts_between(groups), lengths);
  for (const std::uint64_t length : lengths) {
    for (const Kind& kind : kApart) add(Part::kApart, kind, nodes, true, length);
  }
  return all;
}

std::vector<int> usual_groups(int nodes) {
  std::vector<int> groups;
  for (int n = kFewest; n < nodes; n *= 2) groups.push_back(n);
  groups.push_back(nodes);
  return groups;
}

double Model::f(double c3) const {
  double sum = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const double end = i + 1 < pieces.size() ? std::min(c3, pieces[i + 1].from) : c3;
    sum += std::max(0.0, end - pieces[i].from) * pieces[i].slope;
  }
  return sum;
}

Model fit(std::span<const Point> free, std::span<const Point> loaded) {
  require_times(free);
  require_times(loaded);
  std::vector<Factors> factors;
  if (free.empty()) throw std::invalid_argument("no runs");
  for (const Point& p : free) factors.push_back({p.c1 / p.time, p.c2 / p.time, 1 / p.time});
  const LeastSquares lines = least_squares(factors, std::vector<double>(free.size(), 1.0));
  if (lines.rank < factors.front().size()) {
    throw std::invalid_argument("the runs' C1 and C2 do not determine ts, tc and the set-up");
  }
  Model model{*lines.unknowns[0], *lines.unknowns[1], *lines.unknowns[2], {}};
  if (loaded.empty()) return model;

  const std::vector<double> from = beginnings(loaded);
  std::vector<double> longer;
  factors.clear();
  for (const Point& p : loaded) {
    factors.push_back(parts_of(from, p.c3));
    for (double& x : factors.back()) x /= p.time;
    longer.push_back((p.time - model.free(p)) / p.time);
  }
  const std::vector<double> slopes = slopes_of(factors, longer);
  for (std::size_t i = 0; i < from.size(); ++i) model.pieces.push_back({from[i], slopes[i]});
  return model;
}

Deviations deviations(const Model& model, std::span<const Point> points, bool with_f) {
  if (points.empty()) return {};
  Deviations result;
  std::vector<double> all;
  for (const Point& p : points) {
    all.push_back(std::abs((with_f ? model.time(p) : model.free(p)) / p.time - 1));
  }
  result.worst = static_cast<std::size_t>(std::ranges::max_element(all) - all.begin());
  result.largest = all[result.worst];
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::ranges::nth_element(all, middle);
  result.median = *middle;
  return result;
}

}  // namespace annelid::reference::ccl
