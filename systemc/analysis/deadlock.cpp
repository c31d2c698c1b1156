#include "systemc/analysis/deadlock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "systemc/network/route.hpp"

namespace annelid::systemc {
namespace {

/// What the front of each input VC waits for, any one of which would do, and what becomes of it.
class ChannelWaits {
 public:
  ChannelWaits(const NetworkConfig& config, std::span<const RouterState> states)
      : config_(config), states_(states) {
    const RouterConfig& router = config.router;
    end_at_.assign(std::size_t{config.nodes()} * router.ports() * vcs(), kNone);
    for (NodeId n = 0; n < config.nodes(); ++n) {
      for (Port i = 0; i < router.ports(); ++i) {
        for (Vc v = 0; v < router.input_vcs(i); ++v) {
          const ChannelEnd at{n, i, v};
          if (input(at).count == 0 && !input(at).active) continue;
          end_at_[place(at)] = static_cast<EndId>(ends_.size());
          ends_.push_back({.at = at});
        }
      }
    }
    for (End& end : ends_) find_waits(end);
    find_waiters();
    spread(Fate::kMoves);
    spread(Fate::kAwaitsNic);
  }

  /// Packets that wait on each other. Whoever is stuck waits only on others that are, so a walk
  /// along any of its waits runs into a cycle.
  [[nodiscard]] std::vector<Wait> cycle() const {
    const auto stuck = std::ranges::find(ends_, Fate::kStuck, &End::fate);
    if (stuck == ends_.end()) return {};
    std::vector<Wait> walk;
    std::vector<std::size_t> seen_at(ends_.size(), kNotSeen);
    for (auto id = static_cast<EndId>(stuck - ends_.begin());;) {
      if (seen_at[id] != kNotSeen) {
        walk.erase(walk.begin(), walk.begin() + static_cast<std::ptrdiff_t>(seen_at[id]));
        return walk;
      }
      seen_at[id] = walk.size();
      walk.push_back(waits_[ends_[id].first_wait]);
      id = end_at_[place(walk.back().on)];
    }
  }

  /// The longest of the shortest ways to a NIC.
  [[nodiscard]] std::vector<Wait> longest_chain() const {
    const End* end = nullptr;
    for (const End& e : ends_) {
      if (e.fate == Fate::kAwaitsNic && (end == nullptr || e.distance > end->distance)) end = &e;
    }
    std::vector<Wait> chain;
    while (end != nullptr) {
      chain.push_back(waits_[end->way]);
      end = ends_at_nic(chain.back()) ? nullptr : &ends_[end_at_[place(chain.back().on)]];
    }
    return chain;
  }

 private:
  using EndId = std::uint32_t;
  static constexpr EndId kNone = ~EndId{0};
  static constexpr std::size_t kNotSeen = ~std::size_t{0};

  enum class Fate : std::uint8_t { kStuck, kMoves, kAwaitsNic };
  /// An input VC that holds flits, or a packet on its way through.
  struct End {
    ChannelEnd at;
    Fate fate = Fate::kStuck;
    std::size_t first_wait = 0, waits = 0;  // in waits_
    std::size_t way = 0;                    // kAwaitsNic: the wait on the shortest way to the NIC
    std::size_t distance = 0;               // kAwaitsNic: the waits on that way
  };

  [[nodiscard]] const InputVcState& input(const ChannelEnd& at) const {
    return states_[at.node].input[at.in][at.vc];
  }
  [[nodiscard]] int vcs() const { return config_.router.max_vcs(); }
  [[nodiscard]] std::size_t place(const ChannelEnd& at) const {
    return (std::size_t{at.node} * config_.router.ports() + at.in) * vcs() + at.vc;
  }
  [[nodiscard]] static bool ends_at_nic(const Wait& wait) {
    return wait.what == Wait::For::kNicDrain || wait.what == Wait::For::kNicInjection;
  }

  void add(End& end, const Wait& wait) {
    waits_.push_back(wait);
    ++end.waits;
  }

  // A head asks for the same whether it is in RC, in VA or in SA; one that has its VC (which with
  // four stages comes before its grant) waits like the flits behind it.
  void find_waits(End& end) {
    end.first_wait = waits_.size();
    const ChannelEnd& at = end.at;
    const InputVcState& in = input(at);
    if (in.count == 0) {
      wait_for_flits(end);
    } else if (in.active) {
      wait_for_room(end, in.out_port, in.out_vc);
    } else {
      const Address here = config_.address(at.node);
      const HeadFields head = unpack_head(in.front.data);
      const Port o = route(config_, here, head.destination, at.in);
      const VcRange open = open_vcs(config_.router, config_.router.is_control(at.in, at.vc), o,
                                    here, head.source, head.destination);
      for (auto w = static_cast<Vc>(open.first); w < open.first + open.count; ++w) {
        if (!states_[at.node].output[o][w].owned) {
          wait_for_room(end, o, w);
        } else if (const auto owner = owner_of(at.node, o, w)) {
          add(end, {at, Wait::For::kVc, *owner, o, w});
        }
      }
    }
    if (end.waits == 0) end.fate = Fate::kMoves;  // nothing but flits that are under way
    if (end.fate == Fate::kMoves) {
      waits_.resize(end.first_wait);
      end.waits = 0;
    }
  }

  void wait_for_flits(End& end) {
    const ChannelEnd& at = end.at;
    const auto sender = sender_of(config_, config_.address(at.node), at.in);
    if (!sender) return add(end, {at, Wait::For::kNicInjection, {}, 0, 0});
    const NodeId node = config_.id(sender->address);
    const auto source = owner_of(node, sender->port, at.vc);
    if (!source || in_flight(node, sender->port, at)) {
      end.fate = Fate::kMoves;
    } else {
      add(end, {at, Wait::For::kFlits, *source, 0, 0});
    }
  }

  void wait_for_room(End& end, Port output, Vc vc) {
    const NodeId node = end.at.node;
    const auto next = receiver_of(config_, config_.address(node), output);
    ChannelEnd on;
    if (next) on = {config_.id(next->address), next->port, vc};
    if (states_[node].output[output][vc].credits > 0 || (next && in_flight(node, output, on))) {
      end.fate = Fate::kMoves;
    } else if (next) {
      add(end, {end.at, Wait::For::kRoom, on, output, vc});
    } else {
      add(end, {end.at, Wait::For::kNicDrain, {}, output, vc});
    }
  }

  /// The input VC of `node` that is active towards an output VC.
  [[nodiscard]] std::optional<ChannelEnd> owner_of(NodeId node, Port output, Vc vc) const {
    for (Port i = 0; i < config_.router.ports(); ++i) {
      for (Vc v = 0; v < config_.router.input_vcs(i); ++v) {
        const InputVcState& in = states_[node].input[i][v];
        if (in.active && in.out_port == output && in.out_vc == vc) return ChannelEnd{node, i, v};
      }
    }
    return std::nullopt;
  }
  /// Whether flits or credits are in switch or link registers between an output and its receiver.
  [[nodiscard]] bool in_flight(NodeId sender, Port output, const ChannelEnd& receiver) const {
    const int credits = states_[sender].output[output][receiver.vc].credits;
    return credits + input(receiver).count < config_.router.depth;
  }

  /// Turns the waits round: by end, the waits on it.
  void find_waiters() {
    first_waiter_.assign(ends_.size() + 1, 0);
    const auto on = [this](const Wait& wait) { return end_at_[place(wait.on)]; };
    for (const Wait& wait : waits_) {
      if (!ends_at_nic(wait)) ++first_waiter_[on(wait) + 1];
    }
    std::partial_sum(first_waiter_.begin(), first_waiter_.end(), first_waiter_.begin());
    waiters_.resize(first_waiter_.back());
    auto next = first_waiter_;
    for (std::size_t w = 0; w < waits_.size(); ++w) {
      if (!ends_at_nic(waits_[w])) waiters_[next[on(waits_[w])]++] = w;
    }
  }

  /// Spreads a fate against the waits, breadth first, to all that are stuck otherwise: from the
  /// ends that move now, or from those that wait for a NIC.
  void spread(Fate fate) {
    std::vector<EndId> reached;
    const auto reach = [&](EndId id, std::size_t way, std::size_t distance) {
      End& end = ends_[id];
      end.fate = fate;
      end.way = way;
      end.distance = distance;
      reached.push_back(id);
    };
    for (EndId id = 0; id < ends_.size(); ++id) {
      if (fate == Fate::kMoves && ends_[id].fate == fate) reached.push_back(id);
    }
    for (std::size_t w = 0; fate == Fate::kAwaitsNic && w < waits_.size(); ++w) {
      const EndId id = end_at_[place(waits_[w].waiting)];
      if (ends_at_nic(waits_[w]) && ends_[id].fate == Fate::kStuck) reach(id, w, 1);
    }
    for (std::size_t i = 0; i < reached.size(); ++i) {
      const EndId on = reached[i];
      for (std::size_t k = first_waiter_[on]; k < first_waiter_[on + 1]; ++k) {
        const EndId id = end_at_[place(waits_[waiters_[k]].waiting)];
        if (ends_[id].fate == Fate::kStuck) reach(id, waiters_[k], ends_[on].distance + 1);
      }
    }
  }

  const NetworkConfig& config_;
  std::span<const RouterState> states_;
  std::vector<EndId> end_at_;  // by place()
  std::vector<End> ends_;      // by node, port, VC
  std::vector<Wait> waits_;    // by end
  std::vector<std::size_t> first_waiter_, waiters_;
};

class Wording {
 public:
  Wording(const NetworkConfig& config, std::span<const RouterState> states,
          const PacketNamer& namer)
      : config_(config), states_(states), namer_(namer) {}

  /// The packet at the front of an input VC, if the registers or the namer know it.
  [[nodiscard]] std::optional<HeadFields> head_of(const ChannelEnd& end) const {
    const InputVcState& in = states_[end.node].input[end.in][end.vc];
    if (in.front.head) return unpack_head(in.front.data);
    return namer_ ? namer_(end) : std::nullopt;
  }

  [[nodiscard]] std::string text(const StallReport& report) const {
    std::string text = report.cycle ? "packets that wait on each other:\n" : "blocked packets:\n";
    const std::size_t count = report.waits.size();
    const std::size_t shown = count > kStallLines ? kStallLines - 1 : count;
    for (std::size_t i = 0; i < shown; ++i) text += line(report.waits[i]);
    if (shown < count) text += fmt::format("  and {} more waits\n", count - shown);
    if (report.cycle) {
      text += "  the cycle of channels: " + cycle_text(config_, report.channels) + '\n';
    }
    return text;
  }

 private:
  [[nodiscard]] std::string at(NodeId node) const {
    return node_name(config_.router, config_.address(node));
  }
  [[nodiscard]] std::string output_name(NodeId node, Port output, Vc vc) const {
    return fmt::format("{} vc{}", name(config_, channel_class(config_.router, node, output, vc)),
                       vc);
  }
  /// The channel that ends in an input VC.
  [[nodiscard]] std::string channel_name(const ChannelEnd& end) const {
    const auto sender = sender_of(config_, config_.address(end.node), end.in);
    if (sender) return output_name(config_.id(sender->address), sender->port, end.vc);
    const int local = end.in - config_.router.injection_input(0);
    return fmt::format("{} {}{} vc{}", at(end.node), injection_channel_name(local),
                       config_.router.is_control(end.in, end.vc) ? " control" : "", end.vc);
  }
  [[nodiscard]] std::string packet_name(const ChannelEnd& end) const {
    const auto head = head_of(end);
    if (!head) return "a packet";
    return fmt::format("packet {} -> {} tag {}", node_name(config_.router, head->source),
                       node_name(config_.router, head->destination), head->tag);
  }
  /// What fills the buffer that a packet waits for room in.
  [[nodiscard]] std::string filled_with(const Wait& wait) const {
    const auto own = head_of(wait.waiting), front = head_of(wait.on);
    if (own && front && *own == *front) return "full with its own flits";
    return "full with " + packet_name(wait.on) + " in front";
  }
  [[nodiscard]] std::string line(const Wait& wait) const {
    const std::string who = channel_name(wait.waiting) + ": " + packet_name(wait.waiting);
    const std::string node = at(wait.waiting.node);
    const auto output = [&] { return output_name(wait.waiting.node, wait.output, wait.output_vc); };
    switch (wait.what) {
      case Wait::For::kVc:
        return fmt::format("  {} waits for {} held by {}\n", who, output(), packet_name(wait.on));
      case Wait::For::kRoom:
        return fmt::format("  {} waits for room behind {}, {}\n", who, output(), filled_with(wait));
      case Wait::For::kFlits:
        return fmt::format("  {} waits for its next flits, still behind {}\n", who,
                           channel_name(wait.on));
      case Wait::For::kNicDrain:
        return fmt::format("  {} waits for the NIC of {} to drain {}\n", who, node, output());
      case Wait::For::kNicInjection:
        return fmt::format("  {} waits for the NIC of {} to inject its next flits\n", who, node);
    }
    return {};
  }

  const NetworkConfig& config_;
  std::span<const RouterState> states_;
  const PacketNamer& namer_;
};

/// A packet waits for room in the channel that it owns, and another one waits to own it: the former
/// names each channel of the cycle once.
std::vector<ChannelClass> channels_of(const NetworkConfig& config, const std::vector<Wait>& waits) {
  std::vector<ChannelClass> channels;
  for (const Wait& wait : waits) {
    if (wait.what != Wait::For::kRoom) continue;
    channels.push_back(
        channel_class(config.router, wait.waiting.node, wait.output, wait.output_vc));
  }
  return channels;
}

}  // namespace

StallReport explain_stall(const NetworkConfig& config, std::span<const RouterState> states,
                          const PacketNamer& namer) {
  if (config.ideal) return {};
  const ChannelWaits graph(config, states);
  StallReport report;
  report.waits = graph.cycle();
  report.cycle = !report.waits.empty();
  if (report.cycle) {
    report.channels = channels_of(config, report.waits);
  } else {
    report.waits = graph.longest_chain();
  }
  if (report.waits.empty()) return report;
  const Wording wording(config, states, namer);
  for (Wait& wait : report.waits) wait.packet = wording.head_of(wait.waiting);
  report.text = wording.text(report);
  return report;
}

}  // namespace annelid::systemc
