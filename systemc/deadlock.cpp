#include "systemc/deadlock.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "systemc/route.hpp"

namespace annelid {
namespace {

class WaitGraph {
 public:
  WaitGraph(const NetworkConfig& config, std::span<const RouterState> states,
            const PacketNamer& namer)
      : config_(config), states_(states), namer_(namer) {
    for (NodeId n = 0; n < config.nodes(); ++n) {
      for (Port i = 0; i < config.router.ports(); ++i) {
        for (Vc v = 0; v < config.router.input_vcs(i); ++v) {
          const ChannelEnd end{n, i, v};
          if (input(end).count > 0 || input(end).active) ends_.push_back(end);
        }
      }
    }
    waits_.resize(std::size_t{config.nodes()} * kMaxPorts * kMaxVcs);
    moves_.resize(waits_.size());
    for (const ChannelEnd& end : ends_) find_waits(end);
  }

  StallReport report() {
    StallReport report;
    report.waits = cycle();
    report.cycle = !report.waits.empty();
    if (!report.cycle) report.waits = longest_chain();
    if (report.waits.empty()) return report;
    report.text = report.cycle ? "packets that wait on each other:\n" : "blocked packets:\n";
    for (const Wait& wait : report.waits) report.text += line(wait);
    return report;
  }

 private:
  [[nodiscard]] const InputVcState& input(const ChannelEnd& end) const {
    return states_[end.node].input[end.in][end.vc];
  }
  [[nodiscard]] static std::size_t index(const ChannelEnd& end) {
    return (std::size_t{end.node} * kMaxPorts + end.in) * kMaxVcs + end.vc;
  }
  [[nodiscard]] std::optional<ChannelEnd> beyond(NodeId node, Port output, Vc vc) const {
    const auto next = receiver_of(config_, config_.address(node), output);
    if (!next) return std::nullopt;
    return ChannelEnd{config_.id(next->address), next->port, vc};
  }
  /// The output VC that feeds an input VC; a wait's `in` is then an output.
  [[nodiscard]] std::optional<ChannelEnd> before(const ChannelEnd& end) const {
    const auto sender = sender_of(config_, config_.address(end.node), end.in);
    if (!sender) return std::nullopt;
    return ChannelEnd{config_.id(sender->address), sender->port, end.vc};
  }
  /// The input VC of `node` that is active towards an output VC.
  [[nodiscard]] std::optional<ChannelEnd> owner(NodeId node, Port output, Vc vc) const {
    for (Port i = 0; i < config_.router.ports(); ++i) {
      for (Vc v = 0; v < config_.router.input_vcs(i); ++v) {
        const InputVcState& in = states_[node].input[i][v];
        if (in.active && in.out_port == output && in.out_vc == vc) return ChannelEnd{node, i, v};
      }
    }
    return std::nullopt;
  }

  void add(const Wait& wait) { waits_[index(wait.waiting)].push_back(wait); }

  /// All that the front of `end` waits for, any one of which would do.
  void find_waits(const ChannelEnd& end) {
    const InputVcState& in = input(end);
    if (in.count == 0) {
      wait_for_flits(end);
    } else if (in.active) {
      wait_for_room(end, in.out_port, in.out_vc);
    } else {
      const Address here = config_.address(end.node);
      const HeadFields head = unpack_head(in.front.data);
      const Port o = route(config_, here, head.destination, end.in);
      const VcRange open = open_vcs(config_.router, o, here, head.source, head.destination);
      for (auto w = static_cast<Vc>(open.first); w < open.first + open.count; ++w) {
        if (!states_[end.node].output[o][w].owned) {
          wait_for_room(end, o, w);
        } else if (const auto holder = owner(end.node, o, w)) {
          add({end, Wait::For::kVc, *holder, o, w});
        }
      }
    }
    if (moves_[index(end)]) waits_[index(end)].clear();
  }

  void wait_for_flits(const ChannelEnd& end) {
    const auto sender = before(end);
    if (!sender) return add({end, Wait::For::kNicInjection, {}, 0, 0});
    const auto source = owner(sender->node, sender->in, end.vc);
    if (source) return add({end, Wait::For::kFlits, *source, 0, 0});
    moves_[index(end)] = true;
  }

  void wait_for_room(const ChannelEnd& end, Port output, Vc vc) {
    if (states_[end.node].output[output][vc].credits > 0) {
      moves_[index(end)] = true;
    } else if (const auto next = beyond(end.node, output, vc)) {
      add({end, Wait::For::kRoom, *next, output, vc});
    } else {
      add({end, Wait::For::kNicDrain, {}, output, vc});
    }
  }

  [[nodiscard]] static bool ends_at_nic(const Wait& wait) {
    return wait.what == Wait::For::kNicDrain || wait.what == Wait::For::kNicInjection;
  }

  /// Spreads "will move in the end" against the waits until nothing changes. What remains waits
  /// only on others that remain, so a walk along any of its waits runs into a cycle.
  std::vector<Wait> cycle() {
    const auto may_move = [this](const Wait& wait) {
      return ends_at_nic(wait) || moves_[index(wait.on)];
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (const ChannelEnd& end : ends_) {
        auto&& moves = moves_[index(end)];
        const auto& waits = waits_[index(end)];
        if (moves || !(waits.empty() || std::ranges::any_of(waits, may_move))) continue;
        moves = changed = true;
      }
    }
    const auto stuck =
        std::ranges::find_if(ends_, [this](const ChannelEnd& end) { return !moves_[index(end)]; });
    if (stuck == ends_.end()) return {};
    std::vector<Wait> walk;
    for (ChannelEnd at = *stuck;;) {
      const auto seen = std::ranges::find(walk, at, &Wait::waiting);
      if (seen != walk.end()) return {seen, walk.end()};
      walk.push_back(waits_[index(at)].front());
      at = walk.back().on;
    }
  }

  std::vector<Wait> longest_chain() const {
    std::vector<Wait> longest;
    for (const ChannelEnd& start : ends_) {
      std::vector<Wait> chain;
      for (ChannelEnd at = start; !waits_[index(at)].empty();) {
        if (std::ranges::find(chain, at, &Wait::waiting) != chain.end()) break;
        chain.push_back(waits_[index(at)].front());
        if (ends_at_nic(chain.back())) break;
        at = chain.back().on;
      }
      const bool complete = !chain.empty() && ends_at_nic(chain.back());
      if (complete && chain.size() > longest.size()) longest = std::move(chain);
    }
    return longest;
  }

  // ---- Text -----------------------------------------------------------------------------------

  [[nodiscard]] std::string at(NodeId node) const {
    return node_name(config_.router, config_.address(node));
  }
  [[nodiscard]] std::string output_name(NodeId node, Port output, Vc vc) const {
    return fmt::format("{} {} vc{}", at(node), output_channel_name(config_.router, output), vc);
  }
  /// The channel that ends in an input VC.
  [[nodiscard]] std::string channel_name(const ChannelEnd& end) const {
    if (const auto sender = before(end)) return output_name(sender->node, sender->in, end.vc);
    const int local = end.in - config_.router.injection_input(0);
    return fmt::format("{} {} vc{}", at(end.node), injection_channel_name(local), end.vc);
  }
  [[nodiscard]] std::string packet_name(const ChannelEnd& end) const {
    std::optional<HeadFields> head;
    if (input(end).front.head) {
      head = unpack_head(input(end).front.data);
    } else if (namer_) {
      head = namer_(end);
    }
    if (!head) return "a packet";
    return fmt::format("packet {} -> {} tag {}", node_name(config_.router, head->source),
                       node_name(config_.router, head->destination), head->tag);
  }
  [[nodiscard]] std::string line(const Wait& wait) const {
    const std::string who = channel_name(wait.waiting) + ": " + packet_name(wait.waiting);
    const std::string output = output_name(wait.waiting.node, wait.output, wait.output_vc);
    switch (wait.what) {
      case Wait::For::kVc:
        return fmt::format("  {} waits for {} held by {}\n", who, output, packet_name(wait.on));
      case Wait::For::kRoom:
        return fmt::format("  {} waits for room behind {}, full with {} in front\n", who, output,
                           packet_name(wait.on));
      case Wait::For::kFlits:
        return fmt::format("  {} waits for its next flits, still behind {}\n", who,
                           channel_name(wait.on));
      case Wait::For::kNicDrain:
        return fmt::format("  {} waits for the NIC of {} to drain {}\n", who, at(wait.waiting.node),
                           output);
      case Wait::For::kNicInjection:
        return fmt::format("  {} waits for the NIC of {} to inject its next flits\n", who,
                           at(wait.waiting.node));
    }
    return {};
  }

  const NetworkConfig& config_;
  std::span<const RouterState> states_;
  const PacketNamer& namer_;
  std::vector<ChannelEnd> ends_;          // that hold flits, or a packet on its way through
  std::vector<std::vector<Wait>> waits_;  // by index()
  std::vector<bool> moves_;               // will move in the end
};

}  // namespace

StallReport explain_stall(const NetworkConfig& config, std::span<const RouterState> states,
                          const PacketNamer& namer) {
  return WaitGraph(config, states, namer).report();
}

}  // namespace annelid
