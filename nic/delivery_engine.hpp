// Delivers messages from memory to memory, without the network: sends to the node itself, and
// messages that arrived before their receive (docs/internals/nic/engines.md).
#pragma once

#include <optional>

#include "nic/completions.hpp"
#include "nic/match.hpp"
#include "nic/message_flow.hpp"
#include "nic/node_identity.hpp"
#include "nic/observers.hpp"

namespace annelid::nic {

class DeliveryEngine {
 public:
  struct Units {
    const NodeIdentity& self;
    Match& match;
    PlaceTable<SendPlace>& sends;
    const PlaceTable<ReceivePlace>& receives;
    const NodeMemory& memory;
    MessageFlow& flow;
    Completions& completions;
    const Observers& observers;
  };
  explicit DeliveryEngine(const Units& units)
      : self_(units.self),
        match_(units.match),
        sends_(units.sends),
        receives_(units.receives),
        memory_(units.memory),
        flow_(units.flow),
        completions_(units.completions),
        observers_(units.observers) {}

  /// Executes cycle `now`. `memory` says whether it may access node memory in this cycle.
  void step(Cycle now, bool memory);

  [[nodiscard]] bool can_act(Cycle at) const {
    return current_.has_value() || match_.delivery_due(at);
  }
  /// Whether the next step would access node memory.
  [[nodiscard]] bool needs_memory() const;
  [[nodiscard]] bool busy() const { return current_.has_value(); }

 private:
  struct Current {
    Delivery delivery;
    std::uint32_t bytes = 0;   ///< size of the message
    std::uint32_t passed = 0;  ///< cycles so far; a message takes as many as its packet has flits
  };

  void start(Cycle now);
  void move_flit(Cycle now);
  void finish(Cycle now);

  const NodeIdentity& self_;
  Match& match_;
  PlaceTable<SendPlace>& sends_;
  const PlaceTable<ReceivePlace>& receives_;
  const NodeMemory& memory_;
  MessageFlow& flow_;
  Completions& completions_;
  const Observers& observers_;
  std::optional<Current> current_;
};

}  // namespace annelid::nic
