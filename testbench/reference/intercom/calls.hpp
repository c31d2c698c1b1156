// What the tests of InterCom share: calls, hybrids, and lines of nodes.
#pragma once

#include <array>
#include <random>
#include <string>

#include "reference/intercom/schedule.hpp"
#include "reference/schedule/network.hpp"

namespace annelid::reference::intercom {

inline constexpr std::array kNearnesses{Nearness::kNearFirst, Nearness::kFarFirst};
inline constexpr std::array kTemplates{Template::kLong, Template::kShort};

/// A linear array of p nodes.
inline Network linear_array(int p) { return {p, 1, 1}; }

/// All nodes of a network, rows first.
inline std::vector<Node> by_rows(const Network& net) {
  std::vector<Node> nodes;
  for (int i = 0; i < net.nodes(); ++i) nodes.push_back(node_at(net, i));
  return nodes;
}

/// A call with equal blocks, or a vector, of `bytes` for each of p ranks.
inline Call even_call(Collective collective, int p, int root, std::uint64_t bytes) {
  const auto ranks = static_cast<std::size_t>(p);
  if (has_blocks(collective)) return {collective, root, std::vector<std::uint64_t>(ranks, bytes)};
  return {collective, root, {bytes * ranks}};
}

/// A call with blocks of 0 to 40 bytes, each fifth of them empty, or a vector of 0 to 40 p bytes.
inline Call random_call(Collective collective, int p, int root, std::mt19937_64& random) {
  Call call{collective, root, {}};
  if (!has_blocks(collective)) {
    call.counts.push_back(random() % static_cast<std::uint64_t>(40 * p + 1));
    return call;
  }
  for (int i = 0; i < p; ++i) call.counts.push_back(random() % 5 == 0 ? 0 : random() % 41);
  return call;
}

inline std::string shown(const Call& call, const Hybrid& hybrid) {
  const auto stages = stages_of(call.collective, hybrid.form, hybrid.mesh.dimensions().size());
  std::string text = std::string(name_of(call.collective)) + " from " + std::to_string(call.root) +
                     ", " + letters(stages);
  for (const Dimension& d : hybrid.mesh.dimensions()) {
    text += " " + std::to_string(d.size) + "/" + std::to_string(d.stride);
  }
  return text;
}

}  // namespace annelid::reference::intercom
