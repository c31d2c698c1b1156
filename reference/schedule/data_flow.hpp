// Schedules by rank that state the contents of every message: which parts of which combined value.
// From such a schedule follow the result, and whether each sender can have what it sends.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reference/schedule/combinations.hpp"
#include "reference/schedule/parts.hpp"

namespace annelid::reference {

/// Parts [first, end) of a value, sent from one rank to another.
struct FlowMessage {
  int from, to;
  std::uint64_t first, end;
  int value;
};

/// The packets first .. end - 1 over one edge. Each packet is one part, in a message of its own.
/// The first goes in `step`, and each further packet `period` steps after the previous one
/// (docs/internals/algorithms/groups.md, "Packets").
struct Stream {
  int from, to;
  int step, period;
  std::uint64_t first, end;
  int value;
};

/// The result at the ranks first_rank .. end_rank - 1: the parts [first, end) of a value.
struct FlowResult {
  int first_rank, end_rank;
  std::uint64_t first, end;
  int value;
};

struct DataFlow {
  DataFlow(int rank_count, std::uint64_t part_count) : parts(part_count), values(rank_count) {}

  std::uint64_t parts;  ///< that a block is cut into
  Combinations values;
  std::vector<std::vector<FlowMessage>> steps;  ///< steps[0] is step 1
  std::vector<FlowResult> results;

  [[nodiscard]] int ranks() const { return values.ranks(); }
  /// Add messages. They throw std::invalid_argument beyond kMostMessages, because the schedule
  /// would take too much memory.
  void send(int step, const FlowMessage& message);
  void send(const Stream& stream);

  static constexpr std::uint64_t kMostMessages = std::uint64_t{1} << 24;

 private:
  std::uint64_t messages_ = 0;
};

/// Returns the messages between nodes. Rank r is at nodes[r].
PartSchedule placed(const DataFlow& flow, const std::vector<Node>& nodes);

/// Returns the first broken rule, in words, or nothing. A message or result must be a rank's own
/// block, a value that the rank received in an earlier step, or a combination of these. No result
/// may contain a block twice.
std::optional<std::string> violation(const DataFlow& flow);

}  // namespace annelid::reference
