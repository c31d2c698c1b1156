#include "testbench/deadlock/random_network.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

namespace annelid::deadlock {
namespace {

using Relation = std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint8_t>,
                          std::vector<Choice>>;  // by what is held, destination, class

class Maker {
 public:
  Maker(Kind kind, std::uint64_t seed) : kind_(kind), random_(seed) {}

  Network make() {
    const std::uint32_t nodes = kind_ == Kind::kAnswers                              ? below(2) + 2
                                : kind_ == Kind::kEscapes || kind_ == Kind::kBubbles ? 3
                                                                                     : below(2) + 3;
    for (std::uint32_t n = 0; n < nodes; ++n) {
      made_.nodes.push_back({std::string(1, static_cast<char>('a' + n))});
    }
    if (kind_ == Kind::kCutThrough || kind_ == Kind::kBubbles) {
      made_.switching = Switching::kCutThrough;
    }
    if (kind_ == Kind::kAnswers) {
      made_.classes = {"request", "reply"};
      made_.answers = {{0, 1}};
    }
    add_channels(nodes);
    const auto relation = std::make_shared<Relation>(routes(nodes));
    made_.next = [relation](std::uint32_t held, Packet packet, std::vector<Choice>& to) {
      const auto found = relation->find({held, packet.to, packet.cls});
      if (found != relation->end()) to.insert(to.end(), found->second.begin(), found->second.end());
    };
    return std::move(made_);
  }

 private:
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }

  /// Shuffles a list. std::shuffle would give another order with another library.
  void mix(std::vector<std::uint32_t>& list) {
    for (std::size_t i = list.size(); i > 1; --i) {
      std::swap(list[i - 1], list[below(static_cast<std::uint32_t>(i))]);
    }
  }

  /// A circle, and others at random.
  void add_channels(std::uint32_t nodes) {
    const std::uint32_t most = kind_ == Kind::kEscapes   ? 8
                               : kind_ == Kind::kBubbles ? 4
                               : kind_ == Kind::kAnswers ? 5
                                                         : 7;
    if (kind_ == Kind::kEscapes) {
      for (std::uint32_t n = 0; n + 1 < nodes; ++n) {
        add(n, n + 1, 1);
        add(n + 1, n, 1);
      }
    }
    BubbleRing ring{"ring", {}};
    for (std::uint32_t n = 0; n < nodes && kind_ != Kind::kEscapes; ++n) {
      ring.vcs.push_back(made_.vcs());
      add(n, (n + 1) % nodes, kind_ == Kind::kWormhole && below(4) == 0 ? 2 : 1);
    }
    if (kind_ == Kind::kBubbles) made_.rings.push_back(ring);
    while (made_.vcs() < most && (kind_ == Kind::kEscapes || below(5) != 0)) {
      const std::uint32_t from = below(nodes), to = below(nodes);
      if (from != to) add(from, to, 1);
    }
  }
  void add(std::uint32_t from, std::uint32_t to, std::uint32_t vcs) {
    made_.add_channel("c" + std::to_string(made_.channels.size()), from, to, vcs);
  }

  /// Permits each packet one to three of the VCs that leave the node where it is.
  Relation routes(std::uint32_t nodes) {
    Relation relation;
    const std::uint32_t choices = 1 + below(3);
    for (std::uint32_t held = 0; held < made_.vcs() + nodes; ++held) {
      const std::uint32_t here = held < made_.vcs() ? made_.end_of(held) : held - made_.vcs();
      std::vector<std::uint32_t> leave;
      for (std::uint32_t vc = 0; vc < made_.vcs(); ++vc) {
        if (made_.channels[made_.channel_of(vc)].from == here) leave.push_back(vc);
      }
      for (std::uint32_t to = 0; to < nodes; ++to) {
        if (to == here) continue;
        for (std::size_t cls = 0; cls < made_.classes.size(); ++cls) {
          mix(leave);
          std::vector<std::uint32_t> chosen = leave;
          // Mostly the channel to the destination, where there is one.
          std::stable_partition(chosen.begin(), chosen.end(), [&](std::uint32_t vc) {
            return made_.end_of(vc) == to && below(4) != 0;
          });
          if (kind_ != Kind::kEscapes) {
            chosen.resize(std::min<std::size_t>(chosen.size(), 1 + below(choices)));
          }
          auto& route = relation[{held, to, static_cast<std::uint8_t>(cls)}];
          if (kind_ == Kind::kEscapes) {
            add_escape(route, chosen, here, to);
          } else {
            for (const std::uint32_t vc : chosen) route.push_back({vc, below(2) == 0});
          }
        }
      }
    }
    return relation;
  }

  /// The next channel of the line, and the chosen ones that are not of it.
  void add_escape(std::vector<Choice>& route, const std::vector<std::uint32_t>& chosen,
                  std::uint32_t here, std::uint32_t to) {
    const std::uint32_t line = 2 * (static_cast<std::uint32_t>(made_.nodes.size()) - 1);
    for (const std::uint32_t vc : chosen) {
      if (vc >= line) route.push_back({vc, false});
    }
    const std::uint32_t escape = to > here ? 2 * here : 2 * here - 1;
    if (route.empty() || below(40) != 0) route.push_back({escape, true});
  }

  Kind kind_;
  std::mt19937_64 random_;
  Network made_;
};

}  // namespace

Network random_network(Kind kind, std::uint64_t seed) { return Maker(kind, seed).make(); }

}  // namespace annelid::deadlock
