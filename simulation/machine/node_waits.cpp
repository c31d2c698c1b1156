#include "simulation/machine/node_waits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace annelid::simulation {
namespace {

constexpr std::size_t kLines = 16;

/// A step of the search: a node, and which of its waits is looked at.
struct Step {
  NodeId node;
  std::size_t wait = 0;
};

/// The waits of all nodes, searched depth first without recursion: a chain may have all nodes.
class NodeWaits {
 public:
  explicit NodeWaits(const std::vector<std::unique_ptr<nic::Nic>>& nics) : waits_(nics.size()) {
    for (NodeId node = 0; node < nics.size(); ++node) waits_[node] = nics[node]->peer_waits();
    length_.assign(nics.size(), 0);
    next_.assign(nics.size(), kNone);
    state_.assign(nics.size(), State::kNew);
    for (NodeId node = 0; node < nics.size() && circle_.empty(); ++node) {
      if (state_[node] == State::kNew) search(node);
    }
  }

  /// Each waits for the next, the last one for the first; empty if there is none.
  [[nodiscard]] const std::vector<Step>& circle() const { return circle_; }

  /// The longest; the last step's `wait` says nothing.
  [[nodiscard]] std::vector<Step> chain() const {
    const auto longest = std::ranges::max_element(length_);
    std::vector<Step> steps;
    auto node = static_cast<NodeId>(longest - length_.begin());
    for (; next_[node] != kNone; node = waits_[node][next_[node]].peer) {
      steps.push_back({node, next_[node]});
    }
    if (!steps.empty()) steps.push_back({node});
    return steps;
  }

  [[nodiscard]] const nic::PeerWait& wait(const Step& step) const {
    return waits_[step.node][step.wait];
  }

 private:
  enum class State : std::uint8_t { kNew, kOpen, kDone };
  static constexpr std::size_t kNone = SIZE_MAX;

  void search(NodeId first) {
    std::vector<Step> path{{first}};
    state_[first] = State::kOpen;
    while (!path.empty()) {
      Step& at = path.back();
      if (at.wait == waits_[at.node].size()) {
        finish(at.node);
        path.pop_back();
        if (!path.empty()) ++path.back().wait;
        continue;
      }
      const NodeId peer = wait(at).peer;
      if (state_[peer] == State::kOpen) {
        const auto begin = std::ranges::find(path, peer, &Step::node);
        circle_.assign(begin, path.end());
        return;
      }
      if (state_[peer] == State::kDone) {
        ++at.wait;
      } else {
        state_[peer] = State::kOpen;
        path.push_back({peer});
      }
    }
  }

  void finish(NodeId node) {
    state_[node] = State::kDone;
    for (std::size_t i = 0; i < waits_[node].size(); ++i) {
      const std::size_t length = length_[waits_[node][i].peer] + 1;
      if (length <= length_[node]) continue;
      length_[node] = length;
      next_[node] = i;
    }
  }

  std::vector<std::vector<nic::PeerWait>> waits_;
  std::vector<std::size_t> length_, next_;  ///< of the longest chain from each node
  std::vector<State> state_;
  std::vector<Step> circle_;
};

/// Each line of a text, indented.
std::string indented(const std::string& text) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    result += "\n      " + text.substr(begin, end - begin);
    begin = end + 1;
  }
  return result;
}

}  // namespace

std::string explain_waits(const std::vector<std::unique_ptr<nic::Nic>>& nics,
                          const NodeText& shown) {
  const NodeWaits graph(nics);
  const bool circle = !graph.circle().empty();
  const std::vector<Step> steps = circle ? graph.circle() : graph.chain();
  if (steps.empty()) return "";
  const std::size_t waits = circle ? steps.size() : steps.size() - 1;
  std::string text = circle ? fmt::format("\n  {} nodes wait in a circle:", steps.size())
                            : fmt::format("\n  who waits for whom:");
  for (std::size_t i = 0; i < waits; ++i) {
    // Of a long chain its beginning and its end, where the cause is.
    if (waits > kLines && i == kLines / 2) {
      text += fmt::format("\n    … and {} more …", waits - kLines);
      i = waits - kLines / 2;
    }
    const nic::PeerWait& wait = graph.wait(steps[i]);
    text += fmt::format("\n    node {} waits for {}: {}", shown(steps[i].node), shown(wait.peer),
                        wait.text);
  }
  if (circle) return text;
  const NodeId last = steps.back().node;
  const std::string own = nics[last]->describe_wait();
  return text + fmt::format("\n    node {} waits for {}{}", shown(last),
                            nics[last]->waits_for_any() ? "any node" : "no other node",
                            own.empty() ? ": it has nothing to do" : ":" + indented(own));
}

}  // namespace annelid::simulation
