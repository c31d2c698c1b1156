// Packets that hold several VCs each: a search that gives up after a number of steps.
#include <algorithm>

#include "deadlock/configuration.hpp"
#include "deadlock/placement.hpp"

namespace annelid::deadlock {
namespace {

class LongSearch {
 public:
  LongSearch(const Network& network, const States& states, const Blockable& all)
      : network_(network), states_(states), all_(all), owned_(network.places()) {}

  Search find() {
    for (std::uint32_t p = 0; p < network_.places(); ++p) {
      if (!all_.places[p] || ended()) continue;
      wanted_ = {p};
      hold_wanted();
      if (reached_) return {std::move(reached_), true};
    }
    return {std::move(unreached_), steps_ < kMostSteps};
  }

 private:
  using Chain = std::vector<StateId>;  // from tail to front
  static constexpr std::size_t kMostSteps = 200'000;
  static constexpr std::size_t kMostTries = 500;  // each looks at all states

  [[nodiscard]] bool ended() const {
    return reached_ || steps_ >= kMostSteps || tries_ >= kMostTries;
  }

  /// Lets a packet hold the last place that somebody waits for and nobody holds.
  void hold_wanted() {
    if (ended()) return;
    ++steps_;
    const std::vector<std::uint32_t> kept = wanted_;
    while (!wanted_.empty() && owned_[wanted_.back()]) wanted_.pop_back();
    if (wanted_.empty()) {
      try_packets();
    } else {
      for (const StateId x : states_.at(wanted_.back())) {
        Chain chain;
        if (all_.held[x]) extend(chain, x);
        if (ended()) break;
      }
    }
    wanted_ = kept;
  }

  /// A new packet holds `chain` and now the place of x: it ends here, goes on, or is one that is
  /// known from there on.
  void extend(Chain& chain, StateId x) {
    if (ended()) return;
    ++steps_;
    chain.push_back(x);
    owned_[states_.place(x)] = true;
    if (all_.blocked[x]) end_here(chain, x);
    for (const Step& step : states_.next(x)) {
      const StateId y = step.to;
      if (ended()) break;
      if (states_.place(y) >= network_.vcs() || !all_.held[y]) continue;
      if (!owned_[states_.place(y)]) {
        extend(chain, y);
      } else {
        join(chain, y);
      }
    }
    owned_[states_.place(x)] = false;
    chain.pop_back();
  }

  void end_here(const Chain& chain, StateId x) {
    const std::size_t wanted = wanted_.size();
    for (const Step& step : states_.next(x)) wanted_.push_back(states_.place(step.to));
    packets_.push_back(chain);
    hold_wanted();
    packets_.pop_back();
    wanted_.resize(wanted);
  }

  /// The packet whose tail is y begins with this chain.
  void join(const Chain& chain, StateId y) {
    for (std::size_t k = 0; k < packets_.size(); ++k) {
      if (packets_[k].front() != y) continue;
      const Chain kept = packets_[k];
      packets_[k].insert(packets_[k].begin(), chain.begin(), chain.end());
      hold_wanted();
      packets_[k] = kept;
      return;
    }
  }

  void try_packets() {
    ++tries_;
    std::vector<Holder> holders;
    for (const Chain& chain : packets_) holders.push_back({{chain}});
    reached_ = place(network_, states_, holders);
    if (reached_ || unreached_) return;
    unreached_.emplace();
    for (const Chain& chain : packets_) unreached_->packets.push_back({chain, chain.size()});
  }

  const Network& network_;
  const States& states_;
  const Blockable& all_;
  std::vector<bool> owned_;
  std::vector<std::uint32_t> wanted_;
  std::vector<Chain> packets_;
  std::size_t steps_ = 0, tries_ = 0;
  std::optional<Configuration> reached_, unreached_;
};

}  // namespace

Search find_long(const Network& network, const States& states, const Blockable& long_packets) {
  return LongSearch(network, states, long_packets).find();
}

}  // namespace annelid::deadlock
