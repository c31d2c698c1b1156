// Packets that hold one place each.
#include <algorithm>
#include <utility>

#include "deadlock/configuration.hpp"
#include "deadlock/placement.hpp"

namespace annelid::deadlock {
namespace {

using Places = std::vector<std::uint32_t>;

class ShortSearch {
 public:
  ShortSearch(const Network& network, const States& states, const Blockable& all)
      : network_(network), states_(states), all_(all) {}

  Search find() {
    if (all_.count == 0) return {};
    std::vector<Places> candidates;
    for (std::uint32_t p = 0; p < network_.places() && candidates.size() < kMostSeeds; ++p) {
      if (all_.places[p]) candidates.push_back(closure(p));
    }
    std::ranges::stable_sort(candidates, {}, &Places::size);
    for (const Places& candidate : candidates) {
      if (try_places(candidate)) return {std::move(found_), true};
    }
    shrink();
    if (!found_) found_ = unplaced(candidates.front());
    return {std::move(found_), true};
  }

 private:
  static constexpr std::size_t kMostSeeds = 64;

  /// Places, one of them p, that packets can block among themselves: few, but not always the
  /// fewest.
  [[nodiscard]] Places closure(std::uint32_t p) const {
    std::vector<bool> in(network_.places());
    Places places{p};
    in[p] = true;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto wants = [&](StateId x) {
        Places more;
        for (const Step& step : states_.next(x)) {
          if (!in[states_.place(step.to)]) more.push_back(states_.place(step.to));
        }
        return more;
      };
      Places least;
      bool any = false;
      for (const StateId x : states_.at(places[i])) {
        if (!all_.blocked[x]) continue;
        Places more = wants(x);
        if (any && more.size() >= least.size()) continue;
        least = std::move(more);
        any = true;
      }
      for (const std::uint32_t more : least) {
        if (!in[more]) places.push_back(more);
        in[more] = true;
      }
    }
    return places;
  }

  /// Whoever is blocked at this place, if exactly the places `in` are full.
  [[nodiscard]] Holder holder(std::uint32_t p, const std::vector<bool>& in) const {
    Holder holder;
    for (const StateId x : states_.at(p)) {
      const auto next = states_.next(x);
      if (!next.empty() &&
          std::ranges::all_of(next, [&](const Step& s) { return in[states_.place(s.to)]; })) {
        holder.choices.push_back({x});
      }
    }
    return holder;
  }

  [[nodiscard]] std::vector<Holder> holders(const Places& places) const {
    std::vector<bool> in(network_.places());
    for (const std::uint32_t p : places) in[p] = true;
    std::vector<Holder> all;
    all.reserve(places.size());
    for (const std::uint32_t p : places) all.push_back(holder(p, in));
    return all;
  }

  /// A ring with bubbles fills in another way than place by place: that is not tried.
  [[nodiscard]] bool in_ring(const Places& places) const {
    return std::ranges::any_of(network_.rings, [&](const BubbleRing& ring) {
      return std::ranges::any_of(ring.vcs, [&](std::uint32_t vc) {
        return std::ranges::find(places, vc) != places.end();
      });
    });
  }

  bool try_places(const Places& places) {
    if (in_ring(places)) return false;
    found_ = place(network_, states_, holders(places));
    return found_.has_value();
  }

  /// Tries all places together. Then it leaves out one place at a time, and tries those that
  /// packets can still block.
  void shrink() {
    const auto list = [&](const std::vector<bool>& places) {
      Places all;
      for (std::uint32_t p = 0; p < network_.places(); ++p) {
        if (places[p]) all.push_back(p);
      }
      return all;
    };
    const Places all = list(all_.places);
    if (try_places(all) || all.size() > kMostSeeds) return;
    for (const std::uint32_t without : all) {
      std::vector<bool> among = all_.places;
      among[without] = false;
      const Blockable rest = blockable(network_, states_, false, among);
      if (rest.count > 0 && try_places(list(rest.places))) return;
    }
  }

  [[nodiscard]] Configuration unplaced(const Places& places) const {
    Configuration configuration;
    for (Holder& one : holders(places)) {
      configuration.packets.push_back({std::move(one.choices.front()), 1});
    }
    return configuration;
  }

  const Network& network_;
  const States& states_;
  const Blockable& all_;
  std::optional<Configuration> found_;
};

}  // namespace

Search find_short(const Network& network, const States& states, const Blockable& short_packets) {
  return ShortSearch(network, states, short_packets).find();
}

std::vector<std::uint32_t> cycle_of(const Configuration& configuration, const States& states) {
  const auto& packets = configuration.packets;
  const auto held = [&](const BlockedPacket& packet, std::size_t i) {
    return states.place(packet.way[packet.way.size() - packet.held + i]);
  };
  const auto holder_of = [&](std::uint32_t place) {
    for (std::size_t k = 0; k < packets.size(); ++k) {
      for (std::size_t i = 0; i < packets[k].held; ++i) {
        if (held(packets[k], i) == place) return std::pair{k, i};
      }
    }
    return std::pair{packets.size(), std::size_t{0}};
  };
  // From packet to packet, by the first place that each waits for, until one occurs again.
  std::vector<std::pair<std::size_t, std::size_t>> path;  // a packet, and where it is entered
  std::vector<std::size_t> seen(packets.size(), ~std::size_t{0});
  std::pair<std::size_t, std::size_t> at{0, 0};
  while (seen[at.first] == ~std::size_t{0}) {
    seen[at.first] = path.size();
    path.push_back(at);
    at = holder_of(states.place(states.next(packets[at.first].front()).front().to));
  }
  path.erase(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(seen[at.first]));
  path.front().second = at.second;  // as the last one of the circle enters it
  std::vector<std::uint32_t> cycle;
  for (const auto& [k, entered] : path) {
    for (std::size_t i = entered; i < packets[k].held; ++i) cycle.push_back(held(packets[k], i));
  }
  return cycle;
}

}  // namespace annelid::deadlock
