// What the tests of data flows share: ports, results with concatenation as the operator, and what
// each operation must have brought about.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <string>

#include "reference/schedule/data_flow.hpp"

namespace annelid::reference {

enum class Ports : std::uint8_t { kFullDuplex, kHalfDuplex };

/// In a step a rank sends one message and receives one; in half duplex it does one of the two.
inline void expect_one_port(const DataFlow& flow, Ports ports = Ports::kFullDuplex) {
  const auto ranks = static_cast<std::size_t>(flow.ranks());
  for (std::size_t s = 0; s < flow.steps.size(); ++s) {
    std::vector<int> sends(ranks, 0), receives(ranks, 0);
    for (const FlowMessage& m : flow.steps[s]) {
      const int sent = ++sends[static_cast<std::size_t>(m.from)];
      const int received = ++receives[static_cast<std::size_t>(m.to)];
      ASSERT_LE(sent, 1) << "step " << s + 1 << ", rank " << m.from;
      ASSERT_LE(received, 1) << "step " << s + 1 << ", rank " << m.to;
    }
    if (ports == Ports::kFullDuplex) continue;
    for (std::size_t r = 0; r < ranks; ++r) {
      ASSERT_LE(sends[r] + receives[r], 1) << "step " << s + 1 << ", rank " << r;
    }
  }
}

/// Whose blocks each rank has in the end, in the order of the operands: what a concatenation of
/// the ranks' names spells. All parts of a rank's result must be there once, and spell the same.
inline std::vector<std::vector<int>> spelled(const DataFlow& flow) {
  const auto ranks = static_cast<std::size_t>(flow.ranks());
  std::vector<int> wanted;
  for (const FlowResult& r : flow.results) wanted.push_back(r.value);
  const auto words = flow.values.evaluated<std::vector<int>>(
      wanted, [](int rank) { return std::vector<int>{rank}; },
      [](std::vector<int> left, const std::vector<int>& right) {
        left.insert(left.end(), right.begin(), right.end());
        return left;
      });
  std::vector<std::vector<int>> results(ranks);
  std::vector<std::uint64_t> next(ranks, 0);
  for (const FlowResult& result : flow.results) {
    const auto& word = words[static_cast<std::size_t>(result.value)];
    for (auto r = static_cast<std::size_t>(result.first_rank);
         r < static_cast<std::size_t>(result.end_rank); ++r) {
      EXPECT_EQ(result.first, next[r]) << "rank " << r << ": parts that are missing or twice there";
      if (result.first == 0) {
        results[r] = word;
      } else {
        std::vector<int> one = results[r], other = word;
        std::ranges::sort(one);
        std::ranges::sort(other);
        EXPECT_EQ(one, other) << "rank " << r << ": parts of different blocks";
        if (!std::ranges::is_sorted(word)) results[r] = word;
      }
      next[r] = result.end;
    }
  }
  for (const std::uint64_t end : next) EXPECT_TRUE(end == 0 || end == flow.parts);
  return results;
}

/// first .. end - 1.
inline std::vector<int> ranks_between(int first, int end) {
  std::vector<int> ranks(static_cast<std::size_t>(end - first));
  std::iota(ranks.begin(), ranks.end(), first);
  return ranks;
}

inline void expect_no_violation(const DataFlow& flow) {
  const auto found = violation(flow);
  ASSERT_FALSE(found.has_value()) << *found;
}

/// What the tests of data flows range over.
inline constexpr int kMostRanks = 130;
inline constexpr std::array kPackets = {1, 2, 3, 7};

/// log2 of a number of ranks, rounded up.
inline int log2_of(int ranks) { return std::bit_width(static_cast<unsigned>(ranks - 1)); }

inline int steps_of(const DataFlow& flow) { return static_cast<int>(flow.steps.size()); }

inline std::vector<int> sorted(std::vector<int> ranks) {
  std::ranges::sort(ranks);
  return ranks;
}

inline void expect_broadcast(const DataFlow& flow, int root, Ports ports = Ports::kFullDuplex) {
  expect_no_violation(flow);
  expect_one_port(flow, ports);
  for (const auto& word : spelled(flow)) ASSERT_EQ(word, std::vector<int>{root});
}

/// All ranks once, in order if that is asked for.
inline void expect_all_blocks(const std::vector<int>& word, int ranks, bool in_order) {
  ASSERT_EQ(sorted(word), ranks_between(0, ranks));
  if (in_order) {
    ASSERT_EQ(word, sorted(word));
  }
}

/// At the root alone.
inline void expect_reduction(const DataFlow& flow, int root, bool in_order,
                             Ports ports = Ports::kFullDuplex) {
  expect_no_violation(flow);
  expect_one_port(flow, ports);
  const auto words = spelled(flow);
  for (int r = 0; r < flow.ranks(); ++r) {
    const auto& word = words[static_cast<std::size_t>(r)];
    if (r == root) {
      ASSERT_NO_FATAL_FAILURE(expect_all_blocks(word, flow.ranks(), in_order));
    } else {
      ASSERT_TRUE(word.empty());
    }
  }
}

inline void expect_all_reduction(const DataFlow& flow, bool in_order) {
  expect_no_violation(flow);
  expect_one_port(flow);
  for (const auto& word : spelled(flow)) {
    ASSERT_NO_FATAL_FAILURE(expect_all_blocks(word, flow.ranks(), in_order));
  }
}

inline void expect_scan(const DataFlow& flow, bool exclusive, Ports ports = Ports::kFullDuplex) {
  expect_no_violation(flow);
  expect_one_port(flow, ports);
  const auto words = spelled(flow);
  for (int r = 0; r < flow.ranks(); ++r) {
    ASSERT_EQ(words[static_cast<std::size_t>(r)], ranks_between(0, exclusive ? r : r + 1));
  }
  for (const auto& step : flow.steps) {
    for (const FlowMessage& m : step) {
      ASSERT_LT(flow.values.in_order(m.value).value().end, flow.ranks())
          << m.from << " -> " << m.to << ": no rank is above the last, to need this";
    }
  }
}

/// (step, from, to), by steps.
inline std::vector<std::array<int, 3>> messages_of(const DataFlow& flow) {
  std::vector<std::array<int, 3>> list;
  for (std::size_t s = 0; s < flow.steps.size(); ++s) {
    for (const FlowMessage& m : flow.steps[s]) {
      list.push_back({static_cast<int>(s) + 1, m.from, m.to});
    }
  }
  std::ranges::sort(list);
  return list;
}
using Messages = std::vector<std::array<int, 3>>;

/// All of few ranks: a root may stand in any place of a schedule.
inline std::vector<int> roots_of(int ranks) {
  constexpr int kFew = 16;
  if (ranks > kFew) return {0, ranks / 3, ranks - 1};
  std::vector<int> all(static_cast<std::size_t>(ranks));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

inline bool first_or_last(int root, int ranks) { return root == 0 || root == ranks - 1; }

}  // namespace annelid::reference
