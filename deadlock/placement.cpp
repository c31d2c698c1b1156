#include "deadlock/placement.hpp"

#include <algorithm>
#include <utility>

namespace annelid::deadlock {
namespace {

/// Finds the last packet first: its way leads past all others.
class Placement {
 public:
  Placement(const Network& network, const States& states)
      : states_(states), held_(network.places()), seen_(states.count(), 0) {}

  std::optional<Configuration> place(const std::vector<Holder>& holders) {
    std::vector<const Holder*> left;
    for (const Holder& holder : holders) {
      left.push_back(&holder);
      hold(holder, true);
    }
    Configuration configuration{.packets = {}, .reached = true};
    while (!left.empty()) {
      const auto last = std::ranges::find_if(left, [&](const Holder* holder) {
        for (const auto& chain : holder->choices) {
          BlockedPacket packet = come_to(chain);
          if (packet.way.empty()) continue;
          configuration.packets.push_back(std::move(packet));
          hold(*holder, false);
          return true;
        }
        return false;
      });
      if (last == left.end()) return std::nullopt;
      left.erase(last);
    }
    std::ranges::reverse(configuration.packets);
    return configuration;
  }

 private:
  void hold(const Holder& holder, bool held) {
    for (const StateId x : holder.choices.front()) held_[states_.place(x)] = held;
  }

  /// A shortest way backwards from the chain's tail to an injection, past the places that are held
  /// and those of the chain itself. It is empty if there is none.
  BlockedPacket come_to(const std::vector<StateId>& chain) {
    ++search_;
    std::vector<std::pair<StateId, std::size_t>> open{
        {chain.front(), 0}};  // and whence it was seen
    seen_[chain.front()] = search_;
    for (std::size_t i = 0; i < open.size(); ++i) {
      for (const StateId before : states_.before(open[i].first)) {
        if (states_.injected(before)) {
          BlockedPacket packet{{before}, chain.size()};
          for (std::size_t at = i; at != 0; at = open[at].second) {
            packet.way.push_back(open[at].first);
          }
          packet.way.insert(packet.way.end(), chain.begin(), chain.end());
          return packet;
        }
        if (seen_[before] == search_ || held_[states_.place(before)]) continue;
        seen_[before] = search_;
        open.emplace_back(before, i);
      }
    }
    return {};
  }

  const States& states_;
  std::vector<bool> held_;
  std::vector<std::uint32_t> seen_;  // by state: the last search that saw it
  std::uint32_t search_ = 0;
};

}  // namespace

std::optional<Configuration> place(const Network& network, const States& states,
                                   const std::vector<Holder>& holders) {
  return Placement(network, states).place(holders);
}

}  // namespace annelid::deadlock
