// The rule by which a call takes a hybrid that names none: docs/internals/algorithms/intercom.md,
// "Choosing". choice.cpp has it for calls on the core, native_rule.cpp for all others.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "firmware/collectives/intercom/cheapest.hpp"
#include "firmware/collectives/intercom/choice.hpp"
#include "firmware/collectives/intercom/prices.hpp"

namespace annelid::firmware::intercom {

using Operation = reg::Operation;

template <typename Times>
void find_near_first(bool line, Cheapest& cheapest, Operation operation, const Extents& extents,
                     std::uint32_t words) {
  const OnVector<Times> on(operation);
  std::array<std::uint32_t, Extents::kMost> vector;  // divided by all nearer extents
  std::uint32_t count = 0, farther = 1;
  for (; count < extents.count() && !on.is_short_best(words); ++count) {
    vector[count] = words;
    words = quotient(words, extents[count]);
  }
  if (count < extents.count()) {
    for (std::uint32_t i = count; i < extents.count(); ++i) farther *= extents[i];
    cheapest.add_short(log_up(farther) * on.short_step(words));
  }
  for (std::uint32_t i = count; i-- > 0; farther *= extents[i]) {
    with_divisors<Times::kHurries>(extents[i], [&](const auto& divisors) {
      cheapest.add_extent(divisors, NearFirst<Times, std::decay_t<decltype(divisors)>>(
                                        line, on, divisors, farther, vector[i]));
    });
  }
}

/// In a line, trees share channels only with near dimensions first. The rings of far dimensions
/// have longer messages, and an all-reduce has twice as many of them: there, the faster order.
template <typename Times>
HybridWords on_line(Operation operation, const Extents& extents, std::uint32_t words) {
  Cheapest far;
  with_divisors<Times::kHurries>(extents[0], [&](const auto& divisors) {
    far.add_extent(divisors, FarFirst<Times, std::decay_t<decltype(divisors)>>(
                                 OnVector<Times>(operation), divisors, words));
  });
  if (operation != Operation::kAllReduce) return far.words(kFarFirst);
  Cheapest near;
  find_near_first<Times>(true, near, operation, extents, words);
  return far.cycles() < near.cycles() ? far.words(kFarFirst) : near.words(0);
}

template <typename Times>
HybridWords on_vector(Operation operation, const Extents& extents, std::uint32_t words) {
  if (extents.count() == 1) return on_line<Times>(operation, extents, words);
  Cheapest cheapest;
  find_near_first<Times>(false, cheapest, operation, extents, words);
  return cheapest.words(0);
}

/// The prime factors of an extent, in ascending order, four bits each. 0: it has others than 2, 3
/// and 5, or is not listed.
inline constexpr std::uint32_t kFactored = 64, kFactorBits = 4, kFactor = 15;
inline constexpr auto kFactors = [] {
  std::array<std::uint32_t, kFactored + 1> factors{};
  for (std::uint32_t size = 2; size <= kFactored; ++size) {
    std::uint32_t left = size, bit = 0;
    for (const std::uint32_t prime : {2U, 3U, 5U}) {
      for (; left % prime == 0; left /= prime, bit += kFactorBits) factors[size] |= prime << bit;
    }
    if (left != 1) factors[size] = 0;
  }
  return factors;
}();

/// Finds the hybrid for blocks of so few words that start-ups are all that its steps take. The
/// fastest dimensions are then the prime factors 2, 3 and 5, the smallest one of each extent first:
/// a dimension of their product takes longer than both, and the short algorithm is not faster while
/// there are two factors 5 at most. Of more than seven factors 2, the first ones are one dimension.
/// Returns false if this does not hold, or the factors are too many.
template <typename Times>
bool take_factors(const Extents& extents, std::uint32_t words, HybridWords& chosen) {
  std::array<std::uint32_t, Extents::kMost> factors;
  std::uint32_t ranks = 1;
  for (std::uint32_t i = extents.count(); i-- > 0;) {
    if (extents[i] > kFactored || kFactors[extents[i]] == 0) return false;
    factors[i] = kFactors[extents[i]];
  }
  for (std::uint32_t i = 0; i < extents.count(); ++i) {
    const std::uint32_t lines = quotient(extents[i], factors[i] & kFactor);
    if (step<Times>(Times::kBucket, words * lines * lines) > Times::kBucket) return false;
    words *= extents[i];
    ranks *= extents[i];
  }
  // If the farthest extent has fewer factors than are joined, the others are too many.
  std::uint32_t& first = factors[extents.count() - 1];
  if (ranks == 256 || ranks == 512) {
    const std::uint32_t joined = ranks == 256 ? 2 : 3;
    first = first >> kFactorBits * joined << kFactorBits | 1U << joined;
  }
  HybridBuilder builder;
  std::uint32_t count = 0, fives = 0, size = 0;
  for (std::uint32_t i = extents.count(); i-- > 0;) {
    for (std::uint32_t list = factors[i]; list != 0; list >>= kFactorBits) {
      if (count != 0) builder.add(size);  // all but the last one
      if (++count > kMostDimensions) return false;
      size = list & kFactor;
      if (size == 5 && ++fives > 2) return false;
    }
  }
  chosen = builder.words(kNamed | kLong | kFarFirst);
  return true;
}

template <typename Times>
HybridWords blocks_far_first(Operation operation, const Extents& extents, std::uint32_t words) {
  HybridWords chosen;
  if (Times::kHurries && take_factors<Times>(extents, words, chosen)) return chosen;
  Cheapest cheapest;
  for (std::uint32_t i = 0, nearer = 1; i < extents.count(); ++i) {
    with_divisors<Times::kHurries>(extents[i], [&](const auto& divisors) {
      cheapest.add_extent(divisors,
                          Blocks<Times, std::decay_t<decltype(divisors)>>(
                              operation == Operation::kAllGather, divisors, nearer, words));
    });
    nearer *= extents[i];
    words *= extents[i];
  }
  return cheapest.words(kFarFirst);
}

/// A gather of at least two dimensions, the first one as small as possible, if that takes no more
/// steps than one tree.
inline HybridWords gather(std::uint32_t ranks) {
  std::uint32_t size = 2;
  while (size * size <= ranks && quotient(ranks, size) * size != ranks) size += size == 2 ? 1 : 2;
  if (size * size > ranks) return {0, kNamed};
  const std::uint32_t log = log_up(size);
  if (log + log_up(quotient(ranks, size)) != log_up(ranks)) return {0, kNamed};
  HybridBuilder builder;
  builder.add(size);
  return builder.words(kNamed | kLong | kFarFirst);
}

/// Whether the short algorithm on a vector is so fast that others could win no more than choosing
/// takes.
template <typename Times>
bool is_short_fast(Operation operation, std::uint32_t ranks, std::uint32_t words) {
  const OnVector<Times> on(operation);
  return log_up(ranks) * (on.short_step(words) - on.short_step(0)) <= Times::kWorthChoosing;
}

template <typename Times>
HybridWords choose_hybrid(Operation operation, const Extents& extents, std::uint32_t bytes,
                          bool in_order) {
  const HybridWords one_tree{0, kNamed};
  if (operation == Operation::kScatter || extents.count() == 0) return one_tree;
  std::uint32_t ranks = extents[0];
  for (std::uint32_t i = 1; i < extents.count(); ++i) ranks *= extents[i];
  if (operation == Operation::kGather) return gather(ranks);
  if (in_order) return one_tree;
  const std::uint32_t words = (bytes + 7) / 8;
  if (operation == Operation::kAllGather || operation == Operation::kReduceScatter)
    return blocks_far_first<Times>(operation, extents, words);
  if (is_short_fast<Times>(operation, ranks, words)) return one_tree;
  return on_vector<Times>(operation, extents, words);
}

}  // namespace annelid::firmware::intercom
