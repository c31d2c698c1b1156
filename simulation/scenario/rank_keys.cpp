#include "simulation/scenario/rank_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/input_error.hpp"
#include "simulation/scenario/algorithm_key.hpp"
#include "simulation/scenario/auto_choice.hpp"
#include "simulation/scenario/hybrid_keys.hpp"
#include "simulation/scenario/radix_keys.hpp"
#include "simulation/scenario/usual_embedding.hpp"
#include "systemc/network/node_text.hpp"

namespace annelid::simulation {
namespace {

using Kind = Key::Kind;
using reference::Algorithm;
using reference::Embedding;

constexpr std::array<std::string_view, 2> kLastNames = {"leaf", "root"};
constexpr std::array<std::string_view, 3> kReceivesNames = {"ahead", "in-turn", "stepwise"};
constexpr std::uint32_t kMostPackets = 0xFFFF;

/// Whose PARAMETER_1 begins with a number of packets.
constexpr std::array<std::string_view, 11> kInPackets = {
    "fibonacci-tree", "two-tree",  "two-tree-shifted", "two-tree-couples", "linear-pipeline",
    "binary-tree",    "circulant", "doubly-pipelined", "disjoint-trees",   "edst",
    "combs"};
/// Which can have the last of an odd number of processes as a leaf or as a root.
constexpr std::array<std::string_view, 2> kHaveLast = {"two-tree", "two-tree-shifted"};
/// Which can receive in other ways than ahead.
constexpr std::array<std::string_view, 4> kHaveReceives = {"two-tree", "two-tree-shifted",
                                                           "two-tree-couples", "binary-tree"};

bool is_one_of(const Algorithm& algorithm, std::span<const std::string_view> names) {
  return std::ranges::find(names, algorithm.name) != names.end();
}

std::string names_by_rank(reference::Operation operation) {
  std::vector<std::string_view> names;
  for (const Algorithm& a : reference::algorithms()) {
    if (a.operation == operation && a.by_rank) names.push_back(a.name);
  }
  return names.empty() ? fmt::format("none for {}", name_of(operation)) : quoted(names);
}

void require_by_rank(const Settings& s, const Collective& c) {
  const Algorithm& algorithm = *c.algorithm;
  if (algorithm.by_rank) return;
  for (const char* key : {"collective.ranks", "collective.embedding"}) {
    if (!s.has(key)) continue;
    throw InputError(
        s.origin(key),
        fmt::format("a value for \"{}\", which uses the nodes' coordinates", c.algorithm_name()),
        "an algorithm by rank: " + names_by_rank(algorithm.operation));
  }
}

/// A number of processes that the algorithm does not take.
void require_number(const Settings& s, const Collective& c) {
  const Algorithm& algorithm = *c.algorithm;
  const int count = reference::rank_count(c.network, c.ranks);
  if (algorithm.takes_ranks == nullptr || algorithm.takes_ranks(count)) return;
  const bool listed = c.ranks.listed != nullptr;
  const char* const key = listed                      ? "collective.group"
                          : s.has("collective.ranks") ? "collective.ranks"
                                                      : "collective.algorithm";
  const unsigned fewer = std::bit_floor(static_cast<unsigned>(count));
  throw InputError(s.origin(key), fmt::format("{} processes for \"{}\"", count, algorithm.name),
                   listed              ? "a group whose size is a power of two"
                   : algorithm.by_rank ? fmt::format("a power of two: --ranks {}", fewer)
                                       : "a power of two, in the network or in a --group");
}

void require_parameter(const Settings& s, const Algorithm& algorithm) {
  if (takes_parameter(algorithm) || is_hybrid(algorithm)) return;  // a hybrid has its own reason
  std::vector<std::string_view> names;
  for (const Algorithm& a : reference::algorithms()) {
    if (a.operation == algorithm.operation && takes_parameter(a)) names.push_back(a.name);
  }
  s.refuse_idle("collective.parameter", "collective.algorithm",
                fmt::format("a value for \"{}\", which takes none", algorithm.name),
                names.empty() ? fmt::format("none for {}", name_of(algorithm.operation))
                              : "one of " + quoted(names));
}

void read_parameter(const Settings& s, Collective& c) {
  const Algorithm& algorithm = *c.algorithm;
  require_parameter(s, algorithm);
  if (takes_parameter(algorithm)) {
    c.parameter = static_cast<std::uint32_t>(s.integer("collective.parameter", 0, 0, 0x7FFFFFFF));
  }
  const auto wants = [&](const char* key, std::span<const std::string_view> algorithms) {
    if (!s.has(key)) return false;
    if (s.has("collective.parameter")) {
      throw InputError(s.origin(key), "a value beside collective.parameter",
                       "one of the two: it is part of that");
    }
    if (is_one_of(algorithm, algorithms)) return true;
    throw InputError(s.origin(key), fmt::format("a value for \"{}\"", algorithm.name),
                     "one of " + quoted(algorithms));
  };
  if (wants("collective.packets", kInPackets)) {
    c.parameter |= static_cast<std::uint32_t>(s.integer("collective.packets", 0, 1, kMostPackets));
  }
  if (is_one_of(algorithm, kHaveLast) && !has_last(algorithm) && s.has("collective.last")) {
    throw InputError(s.origin("collective.last"),
                     fmt::format("a value for {}", name_of(algorithm.operation)),
                     "broadcast, reduce or all-reduce: a scan has its ranks in order");
  }
  if (wants("collective.last", kHaveLast) && s.choice("collective.last", kLastNames, 0) == 1) {
    c.parameter |= kLastIsRoot;
  }
  if (wants("collective.receives", kHaveReceives)) {
    const std::size_t name = s.choice("collective.receives", kReceivesNames, 0);
    c.parameter |= static_cast<std::uint32_t>(name + 1) << kReceivesShift;
  }
}

/// A group has its own ranks.
void refuse_embedding(const Settings& s) {
  for (const char* key : {"collective.ranks", "collective.embedding"}) {
    if (!s.has(key)) continue;
    throw InputError(s.origin(key), "a value beside collective.group",
                     "one of the two: the group says which ranks there are, and where");
  }
}

bool keeps_order(const Algorithm& algorithm, const Collective& c) {
  return algorithm.keeps_order != nullptr && algorithm.keeps_order(c.request());
}

/// What the same call could change, one thing alone, to keep the order.
std::string what_keeps_order(const systemc::NetworkConfig& network, const Collective& c) {
  std::string text;
  const auto add = [&text](const std::string& way) { text += (text.empty() ? "" : ", ") + way; };
  const auto would = [&c](auto change) {
    Collective other = c;
    change(other);
    return keeps_order(*other.algorithm, other);
  };
  if (has_last(*c.algorithm) && would([](Collective& other) { other.parameter |= kLastIsRoot; })) {
    add("--last root");
  }
  if (c.has_root() && c.algorithm->by_rank) {
    const auto members = reference::members(c.network, c.ranks);
    for (const reference::Node& root : {members.front(), members.back()}) {
      if (!would([&](Collective& other) { other.root = root; })) continue;
      add("--root " + node_text(network, node_address(root)));
      break;
    }
  }
  std::string names;
  for (const Algorithm& a : reference::algorithms()) {
    if (a.operation != c.operation() || !a.supports(c.network)) continue;
    if (would([&a](Collective& other) { other.algorithm = &a; })) {
      names += fmt::format("{}\"{}\"", names.empty() ? "--algorithm " : " or ", a.name);
    }
  }
  if (!names.empty()) add(names);
  return text.empty() ? "an operator that commutes" : text;
}

}  // namespace

bool is_in_packets(const Algorithm& algorithm) { return is_one_of(algorithm, kInPackets); }
bool takes_parameter(const Algorithm& algorithm) {
  constexpr std::array<std::string_view, 3> kOthers = {"elimination-butterfly", "radix", "leaders"};
  if (is_in_packets(algorithm) || is_one_of(algorithm, kOthers)) return true;
  return algorithm.name == "edn" && algorithm.operation != reference::Operation::kTranspose;
}
bool has_last(const Algorithm& algorithm) {
  const bool scans = algorithm.operation == reference::Operation::kScan ||
                     algorithm.operation == reference::Operation::kExscan;
  return is_one_of(algorithm, kHaveLast) && !scans;  // a scan's two trees are in the order of ranks
}
bool has_receives(const Algorithm& algorithm) { return is_one_of(algorithm, kHaveReceives); }

std::array<Key, 5> rank_keys() {
  return {
      Key{"collective.ranks", Kind::kInteger, "an integer", "--ranks", "P",
          "For algorithms by rank: only the first P ranks take part.", "all nodes"},
      Key{"collective.embedding", Kind::kText, "\"rows\", \"snake\" or \"quadrants\"",
          "--embedding", "NAME",
          "For algorithms by rank: the node of each rank, by rows, snake or quadrants.",
          "the fastest one for the algorithm and network, as measured"},
      Key{"collective.packets", Kind::kInteger, "an integer", "--packets", "K",
          "For pipelined algorithms: the number of packets of a block, 1 to 65535. Two trees send "
          "this many of each half.",
          "the algorithm's own choice"},
      Key{"collective.last", Kind::kText, "\"leaf\" or \"root\"", "--last", "NAME",
          "For two trees with an odd number of processes: the last one is a leaf of both trees or "
          "the root of both.",
          "leaf"},
      Key{"collective.receives", Kind::kText, "\"ahead\", \"in-turn\" or \"stepwise\"",
          "--receives", "NAME",
          "For two trees and the binary tree. ahead posts all receives at the start; in-turn also "
          "offers them one after the other; stepwise posts each when the steps before it are over.",
          "ahead; stepwise for couples with long packets; in-turn for reductions, all-reduces and "
          "scans of two trees where nodes have one port"}};
}

void read_ranks(const Settings& s, const systemc::NetworkConfig& network, Collective& c) {
  const int nodes = c.network.nodes();
  const auto count = static_cast<int>(s.integer("collective.ranks", nodes, 1, nodes));
  if (!c.ranks.listed) require_by_rank(s, c);
  if (!c.by_auto) read_parameter(s, c);
  if (c.algorithm->by_rank && !c.ranks.listed) c.ranks.count = count == nodes ? 0 : count;
  require_number(s, c);
  if (c.ranks.listed) return refuse_embedding(s);
  if (!c.algorithm->by_rank) return;
  const auto usual = static_cast<std::size_t>(c.by_auto ? Embedding::kRows
                                                        : usual_embedding(*c.algorithm, c.network));
  static const auto kNames = names_of<Embedding, reference::kEmbeddings>();
  c.ranks.embedding = static_cast<Embedding>(s.choice("collective.embedding", kNames, usual));
  if (!c.has_root() || reference::rank_at(c.network, c.ranks, c.root)) return;
  const auto members = reference::members(c.network, c.ranks);
  throw InputError(s.origin("collective.root"), "node " + node_text(network, node_address(c.root)),
                   fmt::format("one of the {}: rank 0 is node {}, the last is node {}",
                               describe_ranks(c), node_text(network, node_address(members.front())),
                               node_text(network, node_address(members.back()))));
}

void require_order(const Settings& s, const systemc::NetworkConfig& network, const Collective& c) {
  if (reference::commutes(c.op) || keeps_order(*c.algorithm, c)) return;
  throw InputError(s.origin("collective.operator"),
                   fmt::format("\"{}\", which needs the order of the ranks, and \"{}\" does not "
                               "keep it here",
                               name_of(c.op), c.algorithm->name),
                   what_keeps_order(network, c));
}

std::string describe_ranks(const Collective& c) {
  if (c.ranks.listed) {
    return fmt::format("group \"{}\" of {}", c.group, c.ranks.listed->size());
  }
  if (!c.algorithm->by_rank) return "";
  return fmt::format("{} ranks by {}", reference::rank_count(c.network, c.ranks),
                     name_of(c.ranks.embedding));
}

void add_ranks_json(const Collective& c, nlohmann::ordered_json& json) {
  if (!c.algorithm->by_rank) {
    add_parameter_json(c, json);
    if (!c.ranks.listed) return;
    json["ranks"] = c.ranks.listed->size();
    json["group"] = c.group;
    return;
  }
  json["ranks"] = reference::rank_count(c.network, c.ranks);
  if (c.ranks.listed) {
    json["group"] = c.group;
  } else {
    json["embedding"] = name_of(c.ranks.embedding);
  }
  if (!is_in_packets(*c.algorithm)) {
    add_parameter_json(c, json);
    return;
  }
  const std::uint32_t packets = c.parameter & kMostPackets;
  if (packets != 0) json["packets"] = packets;
  if ((c.parameter & kLastIsRoot) != 0) json["last"] = kLastNames[1];
  if (const std::uint32_t receives = c.parameter >> kReceivesShift & 3U; receives != 0)
    json["receives"] = kReceivesNames[receives - 1];
}

}  // namespace annelid::simulation
