#include "simulation/machine/node_waits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

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
  explicit NodeWaits(const std::vector<NodeWait>& waits) : waits_(waits) {
    length_.assign(waits.size(), 0);
    next_.assign(waits.size(), kNone);
    state_.assign(waits.size(), State::kNew);
    for (NodeId node = 0; node < waits.size() && circle_.empty(); ++node) {
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
    for (; next_[node] != kNone; node = waits_[node].peers[next_[node]].peer) {
      steps.push_back({node, next_[node]});
    }
    if (!steps.empty()) steps.push_back({node});
    return steps;
  }

  [[nodiscard]] const nic::PeerWait& wait(const Step& step) const {
    return waits_[step.node].peers[step.wait];
  }

 private:
  enum class State : std::uint8_t { kNew, kOpen, kDone };
  static constexpr std::size_t kNone = SIZE_MAX;

  void search(NodeId first) {
    std::vector<Step> path{{first}};
    state_[first] = State::kOpen;
    while (!path.empty()) {
      Step& at = path.back();
      if (at.wait == waits_[at.node].peers.size()) {
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
    for (std::size_t i = 0; i < waits_[node].peers.size(); ++i) {
      const std::size_t length = length_[waits_[node].peers[i].peer] + 1;
      if (length <= length_[node]) continue;
      length_[node] = length;
      next_[node] = i;
    }
  }

  const std::vector<NodeWait>& waits_;
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

/// Waits in the bytes of a message between processes.
class Packed {
 public:
  Packed() = default;
  explicit Packed(std::string bytes) : bytes_(std::move(bytes)) {}

  void add(const NodeWait& wait) {
    add(std::uint64_t{wait.calling} | std::uint64_t{wait.waits_for_any} << 1);
    add(wait.text);
    add(wait.peers.size());
    for (const nic::PeerWait& peer : wait.peers) {
      add(std::uint64_t{peer.peer});
      add(peer.text);
    }
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

  [[nodiscard]] bool empty() const { return at_ == bytes_.size(); }
  NodeWait take() {
    NodeWait wait;
    const std::uint64_t flags = number();
    wait.calling = (flags & 1) != 0;
    wait.waits_for_any = (flags & 2) != 0;
    wait.text = text();
    for (std::uint64_t left = number(); left > 0; --left) {
      const auto peer = static_cast<NodeId>(number());
      wait.peers.push_back({peer, text()});
    }
    return wait;
  }

 private:
  void add(std::uint64_t number) {
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  void add(const std::string& text) {
    add(std::uint64_t{text.size()});
    bytes_ += text;
  }
  std::uint64_t number() {
    std::uint64_t number = 0;
    std::memcpy(&number, &bytes_[at_], sizeof number);
    at_ += sizeof number;
    return number;
  }
  std::string text() {
    const std::uint64_t size = number();
    at_ += size;
    return bytes_.substr(at_ - size, size);
  }

  std::string bytes_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<NodeWait> waits_of(const std::vector<std::unique_ptr<nic::Nic>>& nics,
                               Exchange* exchange) {
  std::vector<NodeWait> waits;
  for (const auto& nic : nics) {
    if (!nic) continue;
    waits.push_back(
        {nic->peer_waits(), nic->calling(), nic->waits_for_any(), nic->describe_wait()});
  }
  if (exchange == nullptr) return waits;
  Packed packed;
  for (const NodeWait& wait : waits) packed.add(wait);
  waits.clear();
  for (const std::string& part : gathered_texts(*exchange, packed.bytes())) {
    for (Packed own(part); !own.empty();) waits.push_back(own.take());
  }
  return waits;
}

std::string explain_waits(const std::vector<NodeWait>& all, const NodeText& shown) {
  const NodeWaits graph(all);
  const bool circle = !graph.circle().empty();
  const std::vector<Step> steps = circle ? graph.circle() : graph.chain();
  if (steps.empty()) return "";
  const std::size_t waits = circle ? steps.size() : steps.size() - 1;
  std::string text = circle ? fmt::format("\n  {} nodes wait in a circle:", steps.size())
                            : fmt::format("\n  who waits for whom:");
  for (std::size_t i = 0; i < waits; ++i) {
    // A long chain shows its beginning and its end, where the cause is.
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
  const std::string& own = all[last].text;
  return text + fmt::format("\n    node {} waits for {}{}", shown(last),
                            all[last].waits_for_any ? "any node" : "no other node",
                            own.empty() ? ": it has nothing to do" : ":" + indented(own));
}

}  // namespace annelid::simulation
