#include "deadlock/states.hpp"

#include <algorithm>

namespace annelid::deadlock {

/// Walks all packets of one kind at a time, so that the index of their states stays small.
class Explorer {
 public:
  Explorer(const Network& network, States& states, std::size_t most)
      : network_(network),
        s_(states),
        most_(most),
        all_(network.places() + static_cast<std::uint32_t>(network.nodes.size())),
        index_(std::size_t{all_} * network.classes.size(), kNone) {}

  void explore() {
    const auto nodes = static_cast<std::uint32_t>(network_.nodes.size());
    std::vector<bool> answers(network_.classes.size());
    for (const Answer& answer : network_.answers) answers[answer.reply] = true;
    for (std::size_t cls = 0; cls < network_.classes.size(); ++cls) {
      if (answers[cls]) continue;  // nobody sends them but who answers
      for (std::uint32_t to = 0; to < nodes; ++to) {
        const Packet packet{to, static_cast<std::uint8_t>(cls)};
        for (std::uint32_t from = 0; from < nodes; ++from) {
          if (from != to) inject(from, packet);
          // Answers go to the sender, so the states of different senders differ.
          if (!network_.answers.empty()) walk();
        }
        walk();
        if (!s_.complete_) return;
      }
    }
  }

 private:
  static constexpr StateId kNone = ~StateId{0};

  void inject(std::uint32_t from, Packet packet) {
    choices_.clear();
    network_.next(network_.vcs() + from, packet, choices_);
    if (!choices_.empty()) number({network_.places() + from, packet, from});
  }

  /// The number of a state; a new one is walked later.
  StateId number(const State& state) {
    StateId& known = index_[state.packet.cls * std::size_t{all_} + state.place];
    if (known == kNone) {
      known = s_.count();
      State stored = state;
      if (network_.answers.empty()) stored.source = 0;
      s_.states_.push_back(stored);
    }
    return known;
  }

  void walk() {
    for (; walked_ < s_.states_.size(); ++walked_) {
      if (s_.states_.size() > most_) {
        s_.complete_ = false;
        return;
      }
      s_.first_step_.push_back(static_cast<std::uint32_t>(s_.steps_.size()));
      step(s_.states_[walked_]);
    }
    for (; forgotten_ < s_.states_.size(); ++forgotten_) {
      const State& state = s_.states_[forgotten_];
      index_[state.packet.cls * std::size_t{all_} + state.place] = kNone;
    }
  }

  void step(const State state) {  // a copy: new states move the list
    const bool injected = state.place >= network_.places();
    const bool in_vc = state.place < network_.vcs();
    const std::uint32_t node =
        injected ? state.place - network_.places() : network_.node_of(state.place);
    s_.delivered_.push_back(false);
    if (in_vc && node == state.packet.to) return arrive(state);
    choices_.clear();
    network_.next(in_vc ? state.place : network_.vcs() + node, state.packet, choices_);
    for (const Choice& choice : choices_) {
      s_.steps_.push_back({number({choice.vc, state.packet, state.source}), choice.escape});
    }
  }

  /// The packet has come to its destination, which takes it at once or needs room for the answer.
  void arrive(const State& state) {
    for (std::size_t a = 0; a < network_.answers.size(); ++a) {
      const Answer& answer = network_.answers[a];
      if (answer.request != state.packet.cls) continue;
      const State reply{
          network_.answer_place(state.packet.to, a), {state.source, answer.reply}, state.packet.to};
      s_.steps_.push_back({number(reply), true});
      return;
    }
    s_.delivered_.back() = true;
  }

  const Network& network_;
  States& s_;
  const std::size_t most_;
  const std::uint32_t all_;  // places and injections
  std::vector<StateId> index_;
  std::vector<Choice> choices_;
  std::size_t walked_ = 0, forgotten_ = 0;
};

States::States(const Network& network, std::size_t most) : places_(network.places()) {
  Explorer(network, *this, most).explore();
  if (!complete_) return;
  first_step_.push_back(static_cast<std::uint32_t>(steps_.size()));

  first_before_.assign(states_.size() + 1, 0);
  for (const Step& step : steps_) ++first_before_[step.to + 1];
  for (std::size_t x = 0; x < states_.size(); ++x) first_before_[x + 1] += first_before_[x];
  before_.resize(steps_.size());
  std::vector<std::uint32_t> end(first_before_.begin(), first_before_.end() - 1);
  for (StateId x = 0; x < count(); ++x) {
    for (const Step& step : next(x)) before_[end[step.to]++] = x;
  }

  first_at_.assign(places_ + 1, 0);
  for (const State& state : states_) {
    if (state.place < places_) ++first_at_[state.place + 1];
  }
  for (std::uint32_t p = 0; p < places_; ++p) first_at_[p + 1] += first_at_[p];
  by_place_.resize(first_at_[places_]);
  std::vector<std::uint32_t> filled(first_at_.begin(), first_at_.end() - 1);
  for (StateId x = 0; x < count(); ++x) {
    if (!injected(x)) by_place_[filled[place(x)]++] = x;
  }
}

std::optional<StateId> States::hopeless() const {
  std::vector<bool> arrives(delivered_);
  std::vector<StateId> open;
  for (StateId x = 0; x < count(); ++x) {
    if (arrives[x]) open.push_back(x);
  }
  while (!open.empty()) {
    const StateId x = open.back();
    open.pop_back();
    for (const StateId b : before(x)) {
      if (arrives[b]) continue;
      arrives[b] = true;
      open.push_back(b);
    }
  }
  std::optional<StateId> first;
  for (StateId x = 0; x < count(); ++x) {
    if (arrives[x]) continue;
    if (next(x).empty()) return x;
    if (!first) first = x;
  }
  return first;
}

}  // namespace annelid::deadlock
