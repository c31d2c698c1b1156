// Which node sends to which: the synthetic patterns of Dally and Towles, Principles and Practices
// of Interconnection Networks, section 3.2 (docs/reference/traffic.md has the formulas).
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "systemc/network/config.hpp"

namespace annelid::traffic {

enum class PatternKind : std::uint8_t {
  kUniform,
  kTranspose,
  kBitComplement,
  kBitReverse,
  kShuffle,
  kTornado,
  kNeighbour,
  kHotspot
};
inline constexpr std::array kPatternKinds = {PatternKind::kUniform,       PatternKind::kTranspose,
                                             PatternKind::kBitComplement, PatternKind::kBitReverse,
                                             PatternKind::kShuffle,       PatternKind::kTornado,
                                             PatternKind::kNeighbour,     PatternKind::kHotspot};
/// "uniform", "bit-complement", ...
[[nodiscard]] std::string_view name_of(PatternKind kind);

struct PatternConfig {
  PatternKind kind = PatternKind::kUniform;
  std::vector<NodeId> hotspots = {};  ///< for kHotspot: at least one node, each once
  double hotspot_fraction = 0.2;      ///< share of packets that go to a hotspot, 0..1
};

/// The share of a source's packets that goes to one destination.
struct Flow {
  NodeId source = 0, destination = 0;
  double share = 0;
};

/// A pattern as rates, if every sending source offers 1. `uniform` is the share that every source
/// spreads evenly over all other nodes. `flows` are added to it.
struct Demand {
  double uniform = 0;
  std::vector<Flow> flows;
};

class Pattern {
 public:
  /// Throws ConfigError (traffic.pattern, traffic.hotspots, traffic.hotspot_fraction) with the
  /// reason if the pattern is not defined for the network, or if no node would send.
  Pattern(const PatternConfig& config, const systemc::NetworkConfig& network);

  /// False if the pattern maps the node to itself: a message to its own node never enters the
  /// network.
  [[nodiscard]] bool sends(NodeId source) const;
  [[nodiscard]] NodeId senders() const;
  /// The destination of the next packet of a sending node. Permutations draw no random number.
  [[nodiscard]] NodeId destination(NodeId source, Random& random) const;

  [[nodiscard]] Demand demand() const;
  [[nodiscard]] const PatternConfig& config() const { return config_; }

 private:
  [[nodiscard]] NodeId image(NodeId source) const;
  [[nodiscard]] NodeId uniform(NodeId source, Random& random) const;
  void require_defined() const;
  [[nodiscard]] bool only_hotspot(NodeId source) const {
    return config_.hotspots.size() == 1 && config_.hotspots.front() == source;
  }

  PatternConfig config_;
  systemc::NetworkConfig network_;
  NodeId nodes_;
  std::vector<NodeId> image_;  // destination of each node, for permutations
};

}  // namespace annelid::traffic
