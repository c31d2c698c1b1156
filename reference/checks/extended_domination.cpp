#include "reference/checks/extended_domination.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "reference/checks/contention.hpp"

namespace annelid::reference {
namespace {

/// Gives one receiver after another a sender: first the receiver with the fewest senders left, and
/// it the nearest one.
class Search {
 public:
  Search(const Network& net, const std::vector<Node>& senders, const std::vector<Node>& receivers) {
    std::map<Channel, std::size_t> channels;
    for (Node to : receivers) {
      std::vector<Way>& ways = open_.emplace_back();
      for (Node from : senders) {
        Way& way = ways.emplace_back(Way{from, to, {}});
        for (const Channel& c : route(net, from, to)) {
          way.channels.push_back(channels.emplace(c, channels.size()).first->second);
        }
      }
      std::ranges::stable_sort(ways, {}, [](const Way& w) { return w.channels.size(); });
    }
    used_.assign(channels.size(), false);
  }

  bool run() {
    if (open_.empty()) return true;
    std::size_t hardest = 0, fewest = open_[0].size() + 1;
    for (std::size_t r = 0; r < open_.size(); ++r) {
      const auto left = static_cast<std::size_t>(
          std::ranges::count_if(open_[r], [&](const Way& way) { return is_free(way); }));
      if (left < fewest) hardest = r, fewest = left;
    }
    if (fewest == 0) return false;
    std::swap(open_[hardest], open_.back());
    const std::vector<Way> ways = std::move(open_.back());
    open_.pop_back();
    for (const Way& way : ways) {
      if (!is_free(way)) continue;
      mark(way, true);
      messages_.push_back({way.from, way.to});
      if (run()) return true;
      messages_.pop_back();
      mark(way, false);
    }
    open_.push_back(ways);
    std::swap(open_[hardest], open_.back());
    return false;
  }

  [[nodiscard]] const Step& messages() const { return messages_; }

 private:
  struct Way {
    Node from, to;
    std::vector<std::size_t> channels;
  };

  [[nodiscard]] bool is_free(const Way& way) const {
    return std::ranges::none_of(way.channels, [&](std::size_t c) { return used_[c]; });
  }
  void mark(const Way& way, bool used) {
    for (std::size_t c : way.channels) used_[c] = used;
  }

  std::vector<std::vector<Way>> open_;  ///< the ways to each receiver that has no sender yet
  std::vector<bool> used_;              ///< by channel
  Step messages_;
};

}  // namespace

bool dominates(const Network& net, const std::vector<Node>& set) {
  for (int i = 0; i < net.nodes(); ++i) {
    const Node n = node_at(net, i);
    if (std::ranges::none_of(set, [&](Node d) { return distance(net, d, n) <= 1; })) return false;
  }
  return true;
}

std::optional<Step> extended_domination(const Network& net, const std::vector<Node>& upper,
                                        const std::vector<Node>& lower) {
  if (!std::ranges::all_of(upper, [&](Node n) { return is_in(lower, n); })) {
    throw std::invalid_argument("an extended dominating set is a subset of what it dominates");
  }
  std::vector<Node> receivers;
  std::ranges::copy_if(lower, std::back_inserter(receivers),
                       [&](Node n) { return !is_in(upper, n); });
  Search search(net, upper, receivers);
  if (!search.run()) return std::nullopt;
  return search.messages();
}

}  // namespace annelid::reference
