// What packets can do in a network: every place that a packet of a kind can come to, and where it
// can go from there. Only this counts, as opposed to transitions that no packet can use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "deadlock/network.hpp"

namespace annelid::deadlock {

/// A number of a state.
using StateId = std::uint32_t;

/// A packet of a kind at the front of a place, or about to be injected.
struct State {
  std::uint32_t place = 0;  ///< places() + n: node n is about to inject it
  Packet packet;
  /// The sender of the packet; of an answer, the node that answers. Only networks with answers know
  /// it.
  std::uint32_t source = 0;
};

/// A step from one state to the next.
struct Step {
  StateId to = 0;
  bool escape = false;
};

class States {
 public:
  /// The most states that are looked at.
  static constexpr std::size_t kMost = 8'000'000;

  /// Finds all states. `complete()` is false if there are more than `most`.
  explicit States(const Network& network, std::size_t most = kMost);

  [[nodiscard]] bool complete() const { return complete_; }
  [[nodiscard]] StateId count() const { return static_cast<StateId>(states_.size()); }
  [[nodiscard]] const State& operator[](StateId x) const { return states_[x]; }
  [[nodiscard]] std::uint32_t place(StateId x) const { return states_[x].place; }
  /// Where it may go next. Without any, the packet is delivered, or it is stranded.
  [[nodiscard]] std::span<const Step> next(StateId x) const {
    return {steps_.data() + first_step_[x], steps_.data() + first_step_[x + 1]};
  }
  [[nodiscard]] bool delivered(StateId x) const { return delivered_[x]; }
  [[nodiscard]] bool injected(StateId x) const { return states_[x].place >= places_; }
  /// States from which a step leads to x.
  [[nodiscard]] std::span<const StateId> before(StateId x) const {
    return {before_.data() + first_before_[x], before_.data() + first_before_[x + 1]};
  }
  /// The states at a place.
  [[nodiscard]] std::span<const StateId> at(std::uint32_t place) const {
    return {by_place_.data() + first_at_[place], by_place_.data() + first_at_[place + 1]};
  }
  [[nodiscard]] std::size_t steps() const { return steps_.size(); }

  /// A state from which a packet can never be delivered, if there is one; if possible, one from
  /// which it can go nowhere.
  [[nodiscard]] std::optional<StateId> hopeless() const;

 private:
  friend class Explorer;

  std::uint32_t places_;
  bool complete_ = true;
  std::vector<State> states_;
  std::vector<bool> delivered_;
  std::vector<std::uint32_t> first_step_, first_before_, first_at_;
  std::vector<Step> steps_;
  std::vector<StateId> before_, by_place_;
};

}  // namespace annelid::deadlock
