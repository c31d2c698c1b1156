#include "deadlock/judge.hpp"

#include <algorithm>
#include <utility>

#include "deadlock/dependencies.hpp"
#include "deadlock/elimination.hpp"

namespace annelid::deadlock {
namespace {

/// A shortest way of a packet from its injection.
std::vector<StateId> way_to(const States& states, StateId end) {
  std::vector<std::pair<StateId, std::size_t>> open{{end, 0}};
  std::vector<bool> seen(states.count());
  seen[end] = true;
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (states.injected(open[i].first)) {
      std::vector<StateId> way{open[i].first};
      for (std::size_t at = i; at != 0; at = open[at].second) {
        way.push_back(open[open[at].second].first);
      }
      return way;
    }
    for (const StateId before : states.before(open[i].first)) {
      if (!seen[before]) open.emplace_back(before, i);
      seen[before] = true;
    }
  }
  return {end};
}

class Judge {
 public:
  Judge(const Network& network, const States& states) : network_(network), states_(states) {}

  Judgement decide() {
    if (const auto hopeless = states_.hopeless()) {
      judgement_.verdict = Verdict::kHopeless;
      judgement_.hopeless = *hopeless;
      judgement_.way_to = way_to(states_, *hopeless);
      return std::move(judgement_);
    }
    judgement_.proof = prove_by_graphs();
    if (judgement_.proof == Proof::kNone) look_for_packets();
    std::rotate(judgement_.cycle.begin(), std::ranges::min_element(judgement_.cycle),
                judgement_.cycle.end());
    return std::move(judgement_);
  }

 private:
  Proof prove_by_graphs() {
    const Graph graph = dependencies(network_, states_);
    judgement_.dependencies = edges(graph);
    judgement_.cycle = cycle_of(graph);
    if (judgement_.cycle.empty()) return Proof::kAcyclic;
    if (!network_.rings.empty() && cycle_of(dependencies_between_rings(network_, graph)).empty()) {
      judgement_.cycle.clear();
      return Proof::kBubbles;
    }
    return prove_by_escapes();
  }

  /// A packet that cannot reach the front of a buffer cannot take an escape from there. So this
  /// proves nothing where packets share a buffer.
  Proof prove_by_escapes() {
    if (network_.switching == Switching::kShared || !marked()) return Proof::kNone;
    const StateId escapeless = without_escape(states_);
    judgement_.lacks_escape = escapeless != states_.count();
    judgement_.escapeless = escapeless;
    if (judgement_.lacks_escape) return Proof::kNone;
    judgement_.escape_cycle = cycle_of(escape_dependencies(network_, states_));
    if (!judgement_.escape_cycle.empty()) return Proof::kNone;
    judgement_.cycle.clear();
    return Proof::kEscape;
  }

  /// Whether anything is marked as an escape.
  [[nodiscard]] bool marked() const {
    for (StateId x = 0; x < states_.count(); ++x) {
      for (const Step& step : states_.next(x)) {
        if (step.escape && states_.place(step.to) < network_.vcs()) return true;
      }
    }
    return false;
  }

  void look_for_packets() {
    const Switching switching = network_.switching;
    const Blockable few = blockable(network_, states_, false);
    if (few.count > 0 && take(find_short(network_, states_, few))) return;
    if (switching == Switching::kCutThrough && few.count == 0) {
      judgement_.rounds = few.rounds;
      return prove(Proof::kElimination);
    }
    if (switching == Switching::kWormhole) {
      const Blockable many = blockable(network_, states_, true);
      judgement_.rounds = many.rounds;
      if (many.count == 0) return prove(Proof::kElimination);
      Search search = find_long(network_, states_, many);
      if (!search.found && search.complete) return prove(Proof::kSearch);
      if (take(std::move(search))) return;
    }
    judgement_.verdict = Verdict::kUndecided;
  }

  void prove(Proof proof) {
    judgement_.proof = proof;
    judgement_.cycle.clear();
  }

  /// Keeps what was found. Returns whether packets can come to it.
  bool take(Search search) {
    if (!search.found) return false;
    if (!judgement_.configuration.packets.empty() && !search.found->reached) return false;
    judgement_.configuration = std::move(*search.found);
    judgement_.cycle = cycle_of(judgement_.configuration, states_);
    if (judgement_.configuration.reached) judgement_.verdict = Verdict::kDeadlock;
    return judgement_.configuration.reached;
  }

  const Network& network_;
  const States& states_;
  Judgement judgement_;
};

}  // namespace

Judgement judge(const Network& network, const States& states) {
  return Judge(network, states).decide();
}

}  // namespace annelid::deadlock
