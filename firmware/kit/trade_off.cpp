#include "firmware/kit/trade_off.hpp"

#include "firmware/kit/used.hpp"

namespace annelid::firmware::kit {
namespace {

using reg::Algorithm;
using reg::Operation;

std::uint32_t ceil_log2(std::uint32_t n) {
  std::uint32_t log = 0;
  while (std::uint64_t{1} << log < n) ++log;
  return log;
}
bool is_power_of_two(std::uint32_t n) { return (n & (n - 1)) == 0; }

/// bytes * rate / 1024, without an overflow on the way.
std::uint64_t at_rate(std::uint64_t bytes, std::uint32_t rate) {
  return bytes >> 32 == 0 ? bytes * rate >> 10 : (bytes >> 10) * rate;
}

/// How many of the numbers 0 .. p-1 have a digit other than 0 at a place of this weight.
std::uint32_t with_digit(std::uint32_t p, std::uint32_t weight, std::uint32_t radix) {
  const std::uint64_t period = std::uint64_t{weight} * radix;
  const std::uint32_t whole = period > p ? 0 : p / static_cast<std::uint32_t>(period);
  const auto rest = static_cast<std::uint32_t>(p - whole * period);
  return p - whole * weight - (rest < weight ? rest : weight);
}

/// The best of what was tried, the first of several.
class Best {
 public:
  explicit Best(nic_choice& choice) : choice_(choice) {}

  void add(Algorithm algorithm, std::uint32_t parameter, const Measures& measures) {
    const std::uint64_t time = time_of(measures, choice_.costs);
    if (found_ && time >= time_) return;
    found_ = true;
    time_ = time;
    choice_.algorithm = static_cast<unsigned>(algorithm);
    choice_.parameter[1] = parameter;
  }

 private:
  nic_choice& choice_;
  std::uint64_t time_ = 0;
  bool found_ = false;
};

void try_leaders(Operation operation, std::uint32_t p, std::uint64_t bytes, Best& best) {
  if (!has_used(operation, Algorithm::kLeaders)) return;
  const bool scans = operation != Operation::kAllReduce;
  std::uint32_t most = ceil_log2(p);
  if (scans && !is_power_of_two(p)) --most;  // rounded down
  for (std::uint32_t k = 0; k <= most; ++k) {
    best.add(Algorithm::kLeaders, k,
             scans ? measures_of_leaders_scan(p, k, bytes) : measures_of_leaders(p, k, bytes));
  }
}

/// All small radices, then those that are twice as large, and p.
void try_radices(Operation operation, std::uint32_t p, std::uint64_t bytes, Best& best) {
  if (!has_used(operation, Algorithm::kRadix)) return;
  constexpr std::uint32_t kAllUpTo = 16;
  const bool exchanges = operation == Operation::kAllToAll;
  for (std::uint32_t radix = 2;;) {
    if (radix > p) radix = p < 2 ? 2 : p;
    best.add(Algorithm::kRadix, radix,
             exchanges ? measures_of_radix_exchange(p, radix, bytes)
                       : measures_of_radix_tree(p, radix, bytes));
    if (radix >= p) return;
    radix = radix < kAllUpTo ? radix + 1 : 2 * radix;
  }
}

/// The packets for which T is the smallest: sqrt(m tc (d - 1) / ts), to the nearest power of two.
std::uint32_t packets_for(std::uint64_t bytes, std::uint32_t d, const nic_costs& costs) {
  constexpr std::uint32_t kMost = 1U << 15;
  std::uint32_t packets = 1;
  const std::uint64_t square = at_rate(bytes, costs.transfer) * (d - 1);
  while (packets < kMost && packets < bytes &&
         std::uint64_t{2} * packets * packets * costs.start_up < square) {
    packets *= 2;
  }
  return packets;
}

/// A broadcast or a reduction: a binomial tree, or edge-disjoint trees of a hypercube.
void try_trees(Operation operation, std::uint32_t p, std::uint64_t bytes, const nic_costs& costs,
               Best& best) {
  const std::uint32_t d = ceil_log2(p);
  const std::uint64_t all = (p - 1) * bytes;
  if (has_used(operation, Algorithm::kBinomial)) {
    best.add(Algorithm::kBinomial, 0, {d, d * bytes, all});
  }
  if (p > 1 && is_power_of_two(p) && has_used(operation, Algorithm::kEdst)) {
    const std::uint32_t packets = packets_for(bytes, d, costs), steps = packets + d - 1;
    best.add(Algorithm::kEdst, packets, {steps, (bytes + packets - 1) / packets * steps, all});
  }
}

/// Section 4.3's circulant graph is the best in all measures; for 2^d ranks the exchange of Section
/// 4.4 is as good, and rotates nothing.
void try_concat(std::uint32_t p, Best& best) {
  const bool exchanges =
      is_power_of_two(p) && has_used(Operation::kAllGather, Algorithm::kExchange);
  if (exchanges) {
    best.add(Algorithm::kExchange, 0, {});
  } else if (has_used(Operation::kAllGather, Algorithm::kDissemination)) {
    best.add(Algorithm::kDissemination, 0, {});
  }
}

}  // namespace

std::uint64_t time_of(const Measures& measures, const nic_costs& costs) {
  return measures.steps * costs.start_up + at_rate(measures.in_sequence, costs.transfer) +
         at_rate(measures.of_all, costs.load);
}

Measures measures_of_leaders(std::uint32_t p, std::uint32_t k, std::uint64_t bytes) {
  const std::uint32_t groups = ((p - 1) >> k) + 1, exchange = ceil_log2(groups);
  const std::uint64_t steps = exchange + 2 * std::uint64_t{k};
  return {steps, steps * bytes,
          (std::uint64_t{groups} * exchange + 2 * std::uint64_t{p - groups}) * bytes};
}

Measures measures_of_leaders_scan(std::uint32_t p, std::uint32_t k, std::uint64_t bytes) {
  const std::uint32_t leaders = p >> k, exchange = ceil_log2(leaders);
  std::uint64_t steps = k + std::uint64_t{exchange}, messages = 0;
  for (std::uint32_t i = 0; i < exchange; ++i) messages += leaders - (1U << i);
  for (std::uint32_t i = 1; i <= k; ++i) {
    const std::uint32_t half = 1U << (i - 1);
    messages += p >> i;
    if (3 * half > p) continue;
    ++steps;
    messages += (p - half) >> i;
  }
  return {steps, steps * bytes, messages * bytes};
}

Measures measures_of_radix_tree(std::uint32_t p, std::uint32_t radix, std::uint64_t bytes) {
  Measures all;
  for (std::uint64_t weight = 1; weight < p; weight *= radix) {
    const auto w = static_cast<std::uint32_t>(weight);
    for (std::uint32_t first = w, z = 1; z < radix && first < p; ++z, first += w) {
      ++all.steps;
      all.in_sequence += (p - first < w ? p - first : w) * bytes;
    }
    all.of_all += with_digit(p, w, radix) * bytes;
  }
  return all;
}

Measures measures_of_radix_exchange(std::uint32_t p, std::uint32_t radix, std::uint64_t bytes) {
  Measures all;
  for (std::uint64_t weight = 1; weight < p; weight *= radix) {
    const auto w = static_cast<std::uint32_t>(weight);
    const std::uint32_t digits = (p - 1) / w;  // those that a number below p has there, without 0
    all.steps += digits < radix - 1 ? digits : radix - 1;
    all.in_sequence += with_digit(p, w, radix) * bytes;
  }
  all.of_all = all.in_sequence * p;
  return all;
}

void choose_by_costs(Operation operation, std::uint32_t p, std::uint64_t bytes,
                     nic_choice& choice) {
  Best best(choice);
  switch (operation) {
    case Operation::kBroadcast:
    case Operation::kReduce:
      return try_trees(operation, p, bytes, choice.costs, best);
    case Operation::kAllReduce:
    case Operation::kScan:
    case Operation::kExscan:
      return try_leaders(operation, p, bytes, best);
    case Operation::kScatter:
    case Operation::kGather:
    case Operation::kAllToAll:
      return try_radices(operation, p, bytes, best);
    case Operation::kAllGather:
      return try_concat(p, best);
    default:
      return;
  }
}

}  // namespace annelid::firmware::kit
