// An account of a run's cycles: the critical path, and what each of its cycles was spent on
// (docs/how-to/run-a-collective.md, "Where the cycles went").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nic/message_log.hpp"
#include "nic/nic_config.hpp"
#include "systemc/analysis/packet_tracker.hpp"

namespace annelid::simulation {

/// What a cycle was spent on.
enum class Cause : std::uint8_t {
  kStartUp,   ///< alpha of a send, gamma of a receive
  kFlits,     ///< a message passes its sender's injection channel
  kHops,      ///< the path, and the NICs' own cycles at its two ends
  kWaits,     ///< a wait; Stretch::for_whom says for what
  kFirmware,  ///< from the last completion that a process saw to what it did then
  kCopies,    ///< a message of a process to itself
  kCombining  ///< the combine unit, behind the last flit
};
inline constexpr std::size_t kCauses = 7;
[[nodiscard]] const char* name_of(Cause cause);

/// Cycles [begin, begin + cycles) of the critical path, all spent on one thing.
struct Stretch {
  Cause cause = Cause::kFirmware;
  NodeId node = 0;  ///< where
  Cycle begin = 0, cycles = 0;
  std::uint32_t step = 0;  ///< of the message; 0 for a node's own cycles
  std::string for_whom;    ///< of a wait. On the path: the message that was in the way longest
};

struct Account {
  /// From the first cycle to the last one without a gap. No stretch is empty.
  std::vector<Stretch> stretches;

  [[nodiscard]] Cycle total() const;
  [[nodiscard]] Cycle total(Cause cause) const;
};

/// What a run leaves behind.
struct AccountedRun {
  const nic::NicConfig& config;
  const std::vector<nic::MessageRecord>& messages;
  const std::vector<systemc::PacketRecord>& packets;  ///< of the whole run
  const std::vector<Cycle>& called;                   ///< by node
  const std::vector<Cycle>& finished;                 ///< by node
  Cycle start = 0;                                    ///< the first cycle of the run
};

/// Follows the critical path backwards, from the end of the call that ended last: from what a
/// process did to the last completion that it saw before, from a completion to the send of its
/// message, and so on up to a process's call.
[[nodiscard]] Account account_of(const AccountedRun& run);

}  // namespace annelid::simulation
