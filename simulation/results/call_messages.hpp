// The messages of a call that has ended, in their order and by their steps.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "nic/message_log.hpp"

namespace annelid::simulation {

/// Places of messages in a list, in the order of the list.
struct StepMessages {
  std::uint32_t step = 0;
  std::span<const std::uint32_t> places;
};

/// A list of messages by their steps, in ascending order; those to the own node are copies, and
/// in no step.
class MessagesByStep {
 public:
  explicit MessagesByStep(const std::vector<nic::MessageRecord>& messages);
  MessagesByStep(MessagesByStep&&) = default;
  MessagesByStep(const MessagesByStep&) = delete;
  MessagesByStep& operator=(const MessagesByStep&) = delete;
  MessagesByStep& operator=(MessagesByStep&&) = delete;
  ~MessagesByStep() = default;

  /// The steps that have messages.
  [[nodiscard]] const std::vector<StepMessages>& steps() const { return steps_; }

 private:
  std::vector<std::uint32_t> places_;
  std::vector<StepMessages> steps_;  ///< parts of places_
};

struct CallMessages {
  std::vector<nic::MessageRecord> all;  ///< sorted as nic::MessageLog::records() are
  MessagesByStep by_step{all};

  explicit CallMessages(std::vector<nic::MessageRecord> messages) : all(std::move(messages)) {}
};

}  // namespace annelid::simulation
