// Delivers messages to the own node: from memory to memory, without the network.
#pragma once

#include <optional>

#include "nic/shared.hpp"

namespace annelid {

class OwnDelivery {
 public:
  explicit OwnDelivery(Shared& shared) : shared_(shared) {}

  void step(Cycle now);
  [[nodiscard]] bool can_act(Cycle at) const { return current_.has_value() || matched(at); }
  [[nodiscard]] bool busy() const { return current_.has_value(); }
  [[nodiscard]] const Fifo<Send>& queue() const { return shared_.queue(CompletionQueue::kOwnNode); }

 private:
  /// Whether the oldest send and the oldest receive can be joined in cycle `at`.
  [[nodiscard]] bool matched(Cycle at) const;
  void start(Cycle now);
  void finish(Cycle now);

  struct Current {
    Send send;
    SlotNumber slot = 0;
    std::uint32_t passed = 0;  ///< cycles; as many as the packet would have flits
  };
  Shared& shared_;
  std::optional<Current> current_;
};

}  // namespace annelid
