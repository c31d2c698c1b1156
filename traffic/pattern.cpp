#include "traffic/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace annelid::traffic {
namespace {

constexpr const char* kKey = "traffic.pattern";

[[noreturn]] void refuse(PatternKind kind, const systemc::NetworkConfig& network,
                         std::string_view reason) {
  const auto* size = network.size.data();
  throw systemc::ConfigError(kKey,
                             fmt::format("\"{}\" on {} nodes ({})", name_of(kind), network.nodes(),
                                         fmt::join(size, size + network.dims(), "x")),
                             std::string(reason));
}

bool is_permutation_of_bits(PatternKind kind) {
  return kind == PatternKind::kBitComplement || kind == PatternKind::kBitReverse ||
         kind == PatternKind::kShuffle;
}

NodeId reversed(NodeId value, int bits) {
  NodeId result = 0;
  for (int i = 0; i < bits; ++i) result |= (value >> i & 1) << (bits - 1 - i);
  return result;
}

}  // namespace

std::string_view name_of(PatternKind kind) {
  static constexpr std::array<std::string_view, 8> kNames = {
      "uniform", "transpose", "bit-complement", "bit-reverse",
      "shuffle", "tornado",   "neighbour",      "hotspot"};
  return kNames[static_cast<std::size_t>(kind)];
}

Pattern::Pattern(const PatternConfig& config, const systemc::NetworkConfig& network)
    : config_(config), network_(network), nodes_(network.nodes()) {
  require_defined();
  if (config_.kind == PatternKind::kUniform || config_.kind == PatternKind::kHotspot) return;
  image_.resize(nodes_);
  for (NodeId n = 0; n < nodes_; ++n) image_[n] = image(n);
  if (senders() == 0) refuse(config_.kind, network_, "a network where it moves any packet");
}

void Pattern::require_defined() const {
  if (nodes_ < 2) refuse(config_.kind, network_, "at least 2 nodes");
  if (is_permutation_of_bits(config_.kind) && !std::has_single_bit(nodes_)) {
    refuse(config_.kind, network_,
           "a number of nodes that is a power of two: it permutes the bits of node numbers");
  }
  if (config_.kind == PatternKind::kTranspose) {
    bool equal = network_.dims() > 1;
    for (int d = 1; d < network_.dims(); ++d) equal &= network_.size_of(d) == network_.size_of(0);
    if (!equal) {
      refuse(config_.kind, network_,
             "two or three dimensions of equal size: it exchanges coordinates");
    }
  }
  if (config_.kind != PatternKind::kHotspot) return;
  if (config_.hotspots.empty()) {
    throw systemc::ConfigError("traffic.hotspots", "no nodes", "at least one node");
  }
  std::vector<NodeId> sorted = config_.hotspots;
  std::ranges::sort(sorted);
  if (sorted.back() >= nodes_) {
    throw systemc::ConfigError("traffic.hotspots", fmt::format("node {}", sorted.back()),
                               fmt::format("nodes of the network, 0..{}", nodes_ - 1));
  }
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
    throw systemc::ConfigError("traffic.hotspots", fmt::format("node {} twice", *twice),
                               "each hotspot once");
  }
  if (!(config_.hotspot_fraction >= 0 && config_.hotspot_fraction <= 1)) {
    throw systemc::ConfigError("traffic.hotspot_fraction",
                               fmt::format("{}", config_.hotspot_fraction), "0..1");
  }
}

// With b bits: complement d_i = not s_i; reverse d_i = s_(b-1-i); shuffle d_i = s_(i-1 mod b).
// Digits: transpose t_d = s_(d+1 mod n); tornado t_d = s_d + ceil(k/2) - 1; neighbour t_d = s_d
// + 1.
NodeId Pattern::image(NodeId source) const {
  const int bits = std::countr_zero(nodes_);
  switch (config_.kind) {
    case PatternKind::kBitComplement:
      return nodes_ - 1 - source;
    case PatternKind::kBitReverse:
      return reversed(source, bits);
    case PatternKind::kShuffle:
      return (source << 1 & (nodes_ - 1)) | source >> (bits - 1);
    default:
      break;
  }
  const Address from = network_.address(source);
  Address to;
  for (int d = 0; d < network_.dims(); ++d) {
    const int k = network_.size_of(d);
    const int shift = config_.kind == PatternKind::kTornado ? (k + 1) / 2 - 1 : 1;
    to[d] = config_.kind == PatternKind::kTranspose
                ? from[(d + 1) % network_.dims()]
                : static_cast<std::uint8_t>((from[d] + shift) % k);
  }
  return network_.id(to);
}

bool Pattern::sends(NodeId source) const { return image_.empty() || image_[source] != source; }

NodeId Pattern::senders() const {
  NodeId n = 0;
  for (NodeId source = 0; source < nodes_; ++source) n += sends(source) ? 1 : 0;
  return n;
}

NodeId Pattern::uniform(NodeId source, Random& random) const {
  const NodeId to = random.below(nodes_ - 1);
  return to + (to >= source ? 1 : 0);
}

NodeId Pattern::destination(NodeId source, Random& random) const {
  if (!image_.empty()) return image_[source];
  if (config_.kind == PatternKind::kUniform || only_hotspot(source) ||
      random.uniform() >= config_.hotspot_fraction) {
    return uniform(source, random);
  }
  // A hotspot sends to the others.
  const auto& spots = config_.hotspots;
  const auto own = std::ranges::find(spots, source);
  if (own == spots.end()) return spots[random.below(static_cast<std::uint32_t>(spots.size()))];
  const auto pick = random.below(static_cast<std::uint32_t>(spots.size() - 1));
  return spots[pick + (pick >= own - spots.begin() ? 1 : 0)];
}

Demand Pattern::demand() const {
  Demand demand;
  if (config_.kind == PatternKind::kUniform) return {1, {}};
  if (!image_.empty()) {
    for (NodeId n = 0; n < nodes_; ++n) {
      if (sends(n)) demand.flows.push_back({n, image_[n], 1});
    }
    return demand;
  }
  const double fraction = config_.hotspot_fraction;
  demand.uniform = 1 - fraction;
  for (NodeId n = 0; n < nodes_; ++n) {
    const bool is_hotspot = std::ranges::count(config_.hotspots, n) > 0;
    if (only_hotspot(n)) {  // what it would send to itself is uniform too
      for (NodeId to = 0; to < nodes_; ++to) {
        if (to != n) demand.flows.push_back({n, to, fraction / (nodes_ - 1)});
      }
      continue;
    }
    const double share =
        fraction / static_cast<double>(config_.hotspots.size() - (is_hotspot ? 1 : 0));
    for (const NodeId to : config_.hotspots) {
      if (to != n) demand.flows.push_back({n, to, share});
    }
  }
  return demand;
}

}  // namespace annelid::traffic
