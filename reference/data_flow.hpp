// Schedules by rank that say what every message holds: which parts of which combined value. So the
// schedule says what the result must be, and whether a sender can have what it sends.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reference/combinations.hpp"
#include "reference/parts.hpp"

namespace annelid::reference {

/// Parts [first, end) of a value, sent from one rank to another.
struct FlowMessage {
  int from, to;
  std::uint64_t first, end;
  int value;
};

/// The packets first .. end - 1 over one edge, each one part in a message of its own. The first
/// goes in `step`, and each of the others `period` steps after the one before
/// (docs/internals/algorithms/groups.md, "Packets").
struct Stream {
  int from, to;
  int step, period;
  std::uint64_t first, end;
  int value;
};

/// What the ranks first_rank .. end_rank - 1 have at the end: the parts [first, end) of a value.
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
  /// Throws std::invalid_argument beyond kMostMessages, as the schedule would take too much memory.
  void send(int step, const FlowMessage& message);
  void send(const Stream& stream);

  static constexpr std::uint64_t kMostMessages = std::uint64_t{1} << 24;

 private:
  std::uint64_t messages_ = 0;
};

/// The messages between nodes. Rank r is at nodes[r].
PartSchedule placed(const DataFlow& flow, const std::vector<Node>& nodes);

/// The first broken rule, in words. A message or result must be a rank's own block, a value that
/// the rank received in an earlier step, or a combination of these. No result may have a block
/// twice.
std::optional<std::string> violation(const DataFlow& flow);

}  // namespace annelid::reference
