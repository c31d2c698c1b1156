// Executes a schedule on symbolic data: every byte is the set of the contributions in it. Knows the
// operations of Barnett and others 1994, Table 1, and no algorithm.
#pragma once

#include <optional>
#include <string>

#include "reference/intercom/schedule.hpp"

namespace annelid::reference::intercom {

struct Execution {
  /// The first broken rule, in words, or nothing.
  std::optional<std::string> violation;
  /// Whether all results are combined in the order of ranks, so that the operator need not commute.
  /// True for operations that combine nothing.
  bool in_order = true;
  /// The most often that a rank receives the same byte, to be put and not combined.
  int most_deliveries = 0;
};

/// Executes the schedule and looks for violations of these rules:
///
/// * The blocks of the vector are those of all ranks, each once, with the lengths of the call.
/// * A message lies within the vector. It goes from a rank to another.
/// * In a step, a rank sends at most one message, and receives at most one.
/// * In a step, a rank sends no byte that it also receives. So it needs no copy.
/// * A sender has what it sends before the step begins.
/// * In a stage, a rank receives each byte at most once, unless it combines it.
/// * A byte that is put has all contributions that the operation gives it.
/// * A byte that is combined has no contribution that the receiver has: each counts once.
/// * At the end, each rank has what Table 1 says.
///
/// Throws std::invalid_argument if there are more than kMostExecutedRanks ranks.
inline constexpr int kMostExecutedRanks = 1024;
Execution execute(const Call& call, const StagedSchedule& schedule);

}  // namespace annelid::reference::intercom
