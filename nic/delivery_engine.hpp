// Delivers from memory to memory, without the network: sends to the own node, and messages that
// came before their receive (docs/nic.md, section 4, Engines).
#pragma once

#include <optional>

#include "nic/shared.hpp"

namespace annelid::nic {

class DeliveryEngine {
 public:
  explicit DeliveryEngine(Shared& shared) : shared_(shared) {}

  /// `memory`: whether it may access node memory in this cycle.
  void step(Cycle now, bool memory);

  [[nodiscard]] bool can_act(Cycle at) const {
    return current_.has_value() || shared_.match.delivery_due(at);
  }
  /// Whether the next step would access node memory.
  [[nodiscard]] bool needs_memory() const;
  [[nodiscard]] bool busy() const { return current_.has_value(); }

 private:
  struct Current {
    Delivery delivery;
    std::uint32_t bytes = 0;   ///< of the message
    std::uint32_t passed = 0;  ///< cycles; as many as its packet has flits
  };

  void start(Cycle now);
  void move_flit(Cycle now);
  void finish(Cycle now);

  Shared& shared_;
  std::optional<Current> current_;
};

}  // namespace annelid::nic
