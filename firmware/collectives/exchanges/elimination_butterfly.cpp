// Reduction and all-reduce by a butterfly with 3-2 elimination (Rabenseifner and Träff 2004):
// docs/internals/algorithms/by-rank.md, "Elimination butterfly".
// PARAMETER_1: rounds halve that begin with more words than this; 0: 400.
#include "firmware/collectives/exchanges/eliminations.hpp"
#include "firmware/collectives/players/ranked.hpp"

namespace annelid::firmware::elimination_butterfly {
namespace {

constexpr std::uint32_t kUsualThreshold = 400;

std::uint32_t halvings_of(const Call& call, std::uint32_t rounds) {
  const std::uint32_t asked = call.parameter(1) & kPacketBits;
  const std::uint32_t threshold = asked != 0 ? asked : kUsualThreshold;
  const std::uint32_t words = (call.bytes() + 7) / 8;
  std::uint32_t halvings = 0;
  while (halvings < rounds && words > threshold << halvings) ++halvings;
  return halvings;
}

class EliminationPlan : public PlanOf<EliminationPlan> {
 public:
  EliminationPlan(const Call& call, const Ranked& self)
      : call_(call),
        self_(self),
        all_(call.operation() == reg::Operation::kAllReduce),
        rounds_(self.size(), self.ranks().own(), halvings_of(call, floor_log2(self.size()))),
        root_(self.size(), self.root(), rounds_.halvings()),
        parts_(call.bytes(), rounds_.parts()),
        result_(all_ || self.ranks().own() == self.root() ? call.target()
                                                          : scratch_area(call, kResultArea)),
        halves_(rounds_.halvings() == rounds_.count() ? result_ : scratch_area(call, kHalvesArea)) {
    if (self.size() == 1) copy = {call.source(), result_, call.bytes()};
  }

  bool send(PlannedMessage& m) {
    while (sent_.round < rounds_.count()) {
      const Slot slot = sent_;
      ++sent_;
      const std::uint32_t from = place_of(sends_);
      if (rounds_.received(slot.round, slot.second).any()) sends_ = after(slot, sends_);
      const Move move = rounds_.sent(slot.round, slot.second);
      if (!move.any()) continue;
      set(m, slot.step(), move, from);
      return true;
    }
    return send_result(m);
  }
  bool receive(PlannedMessage& m) {
    while (received_.round < rounds_.count()) {
      const Slot slot = received_;
      ++received_;
      const Move move = rounds_.received(slot.round, slot.second);
      if (!move.any()) continue;
      combine(m, slot, move);
      return true;
    }
    return receive_result(m);
  }

 private:
  /// Areas of SCRATCH. Results of rounds that do not halve take turns in four.
  static constexpr std::uint32_t kHalvesArea = 0, kArrivalArea = 1, kTurnAreas = 2, kTurns = 4,
                                 kResultArea = 6;

  /// A step of a round: its first or its second one.
  struct Slot {
    std::uint32_t round = 0, second = 0;
    [[nodiscard]] std::uint32_t step() const { return round + second + 1; }
    Slot& operator++() {
      round += second;
      second ^= 1;
      return *this;
    }
  };
  /// A partial result, and how many results of rounds that do not halve were made for it.
  enum class Lies : std::uint8_t { kAtSource, kInHalves, kInTurns, kAtResult };
  struct Partial {
    Lies where = Lies::kAtSource;
    std::uint32_t turns = 0;
  };

  void set(PlannedMessage& m, std::uint32_t step, const Move& move, std::uint32_t place) const {
    firmware::set(m, step, self_.ranks().address(move.peer), run_at(place, move));
  }
  [[nodiscard]] Buffer run_at(std::uint32_t place, const Move& move) const {
    return parts_.run(place, move.run.first, move.run.end());
  }
  [[nodiscard]] std::uint32_t place_of(const Partial& partial) const {
    switch (partial.where) {
      case Lies::kAtSource:
        return call_.source();
      case Lies::kInHalves:
        return halves_;
      case Lies::kInTurns:
        return scratch_area(call_, kTurnAreas + partial.turns % kTurns);
      default:
        return result_;
    }
  }
  /// The partial result that a receive makes of the one before it.
  [[nodiscard]] Partial after(const Slot& slot, const Partial& before) const {
    if (rounds_.halves(slot.round)) return {Lies::kInHalves};
    const bool last = rounds_.is_last(slot.round, slot.second);
    return {last ? Lies::kAtResult : Lies::kInTurns, before.turns + 1};
  }
  void combine(PlannedMessage& m, const Slot& slot, const Move& move) {
    const std::uint32_t operand = place_of(partial_), step = slot.step();
    partial_ = after(slot, partial_);
    const bool halves = rounds_.halves(slot.round);
    const std::uint32_t target = place_of(partial_);
    set(m, step, move, halves ? scratch_area(call_, kArrivalArea) : target);
    m.operand = run_at(operand, move).offset;
    m.target = run_at(target, move).offset;
    m.flags = PlannedMessage::kCombines;
    if (move.peer < self_.ranks().own()) m.flags |= PlannedMessage::kMessageLeft;
    if (halves) {
      m.not_before = step - 1;  // then the run is smaller
    } else if (partial_.turns > kTurns) {
      m.not_before = step - (kTurns - 1);
    }
  }

  // After the rounds, the result goes to ranks that left in rounds that did not halve. Then follow
  // the rounds that halve, from the last one on.

  [[nodiscard]] bool result_goes_to_leavers() const {
    return all_ ? rounds_.any_leaves_whole() : root_.leaves_whole();
  }
  [[nodiscard]] Move to_leaver() const {
    for (std::uint32_t z = rounds_.halvings(); z < rounds_.count(); ++z) {
      if (!all_ && (z != root_.left() || !rounds_.has_part_for(root_))) continue;
      if (const Move move = rounds_.result_sent(z); move.any()) return move;
    }
    return {};
  }
  [[nodiscard]] Move to_own_as_leaver() const {
    if (!rounds_.leaves_whole()) return {};
    const bool wanted = all_ || (rounds_.left() == root_.left() && rounds_.has_part_for(root_));
    return wanted ? rounds_.result_received() : Move{};
  }
  /// The slots of the rounds that halve, from the last one on.
  [[nodiscard]] Slot slot_from_end(std::uint32_t index) const {
    return {rounds_.halvings() - 1 - index / 2, 1 - index % 2};
  }
  [[nodiscard]] std::uint32_t step_after_rounds(const Slot& slot) const {
    const std::uint32_t before = rounds_.steps() + (result_goes_to_leavers() ? 1 : 0);
    if (all_) return before + rounds_.halving_steps() + 1 - slot.step();
    // The halves come to a root that left in two steps.
    const bool after_two = slot.round < root_.left() && root_.left() < rounds_.halvings();
    const bool second_of_two = slot.round == root_.left() && slot.second == 0;
    return before + rounds_.halvings() - slot.round + (after_two || second_of_two ? 1 : 0);
  }

  bool send_result(PlannedMessage& m) {
    while (results_sent_ <= 2 * rounds_.halvings()) {
      const std::uint32_t index = results_sent_++;
      if (index == 0) {
        const Move move = to_leaver();
        if (!move.any()) continue;
        set(m, rounds_.steps() + 1, move, result_);
        return true;
      }
      const Slot slot = slot_from_end(index - 1);
      const Move move = all_ ? rounds_.received(slot.round, slot.second)
                             : rounds_.gather_sent(root_, slot.round, slot.second);
      if (!move.any()) continue;
      set(m, step_after_rounds(slot), move, result_);
      return true;
    }
    return false;
  }
  bool receive_result(PlannedMessage& m) {
    while (results_received_ <= 2 * rounds_.halvings()) {
      const std::uint32_t index = results_received_++;
      if (index == 0) {
        const Move move = to_own_as_leaver();
        if (!move.any()) continue;
        set(m, rounds_.steps() + 1, move, result_);
        return true;
      }
      const Slot slot = slot_from_end(index - 1);
      const Move move = all_ ? rounds_.sent(slot.round, slot.second)
                             : rounds_.gather_received(root_, slot.round, slot.second);
      if (!move.any()) continue;
      set(m, step_after_rounds(slot), move, result_);
      m.not_before = rounds_.steps();
      return true;
    }
    return false;
  }

  const Call& call_;
  const Ranked& self_;
  bool all_;
  Eliminations rounds_, root_;  // as this process and as the root see them
  PartSizes parts_;
  std::uint32_t result_, halves_;  // where the result and the results of rounds that halve lie
  Slot sent_, received_;           // the next ones
  Partial sends_, partial_;        // at the next send, and at the next receive
  std::uint32_t results_sent_ = 0, results_received_ = 0;
};

}  // namespace

CallResult check(const Context& me) { return check_ranked(me, kPacketBits, true); }

Task run(Context& me) { return play_part<EliminationPlan>(me); }

}  // namespace annelid::firmware::elimination_butterfly
