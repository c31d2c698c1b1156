#include "simulation/scenario/collective_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "simulation/scenario/algorithm_key.hpp"
#include "simulation/scenario/auto_choice.hpp"
#include "simulation/scenario/count_keys.hpp"
#include "simulation/scenario/differs_key.hpp"
#include "simulation/scenario/hybrid_keys.hpp"
#include "simulation/scenario/memory_layout.hpp"
#include "simulation/scenario/mode_keys.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "simulation/scenario/prepared_keys.hpp"
#include "simulation/scenario/radix_keys.hpp"
#include "simulation/scenario/rank_keys.hpp"
#include "simulation/scenario/root_keys.hpp"
#include "simulation/scenario/shift_keys.hpp"
#include "systemc/network/node_text.hpp"

namespace annelid::simulation {
namespace {

using Kind = Key::Kind;
using reference::Operation;

constexpr std::array kCollectiveKeys = {
    Key{"collective.operation", Kind::kText, "text", "--operation", "NAME",
        "The operation: broadcast, reduce, gather, scatter, all-gather, all-reduce, barrier, "
        "transpose, all-to-all, scan, exscan, reduce-scatter, shift, sync-in or sync-out. For "
        "`annelid run` also the name of a collective in your own firmware.",
        "broadcast"},
    Key{"collective.algorithm", Kind::kText, "text", "--algorithm", "NAME",
        "An algorithm of the operation; `annelid schedule --list` lists all of them. auto takes "
        "the one that `annelid tune` measured to be the fastest.",
        "the operation's first algorithm that runs on the network"},
    Key{"collective.root", Kind::kIntegers, "an integer for each dimension", "--root", "X,Y,Z",
        "The node that has the data of a broadcast or scatter, or that gets the result of a reduce "
        "or gather: a coordinate for each dimension.",
        "0,0"},
    Key{"collective.root_rank", Kind::kInteger, "an integer", "--root-rank", "R",
        "In place of a node: the root is the process of this rank in the group.", "0 for a group"},
    Key{"collective.group", Kind::kText, "a group", "--group", "GROUP",
        "The processes that take part: a name of [groups], or a group as \"row 3\", \"0,0..3,3\" "
        "or \"each column\" (docs/reference/scenarios.md, \"Groups\"). For algorithms by rank, and "
        "for barrier and all-to-all.",
        "all nodes"},
    Key{"collective.payload", Kind::kText, "the path of a file", "--payload", "FILE",
        "The file that is broadcast or scattered, of 0 bytes to 16 MiB. To be scattered, its "
        "length must be a multiple of the number of nodes.",
        "", true},
    Key{"collective.bytes", Kind::kBytes, "bytes as 4096, \"4k\" or \"1M\"", "--bytes", "N",
        "Size of each process's block of random bytes, in place of a file, as in 4096, 4k or 1M. "
        "At most 16 MiB; for a gather or scatter, all blocks together have at most 16 MiB.",
        "64"},
    Key{"collective.operator", Kind::kText, "text", "--operator", "NAME",
        "How a reduction or scan combines elements: sum, min, max, product, and, or, xor or "
        "affine.",
        "sum"},
    Key{"collective.type", Kind::kText, "text", "--type", "NAME",
        "Type of the elements of a reduction or scan: int32, uint32, int64 or float32. A block is "
        "a multiple of it.",
        "int32; uint32 for affine"},
    Key{"collective.parameter", Kind::kInteger, "an integer", "--parameter", "N",
        "A number that the algorithm leaves open, such as the number of packets "
        "(docs/internals/algorithms/index.md).",
        "0"},
    Key{"collective.triggers", Kind::kBoolean, "true or false", "--triggers", "BOOL",
        "false lets the cores play a broadcast along a tree, in place of the triggers of their "
        "NICs.",
        "true"},
    Key{"collective.seed", Kind::kInteger, "an integer", "--seed", "N",
        "Seed of random contents, of random lengths and of the skew.", "1"},
    Key{"collective.skew", Kind::kInteger, "an integer, cycles", "--skew", "N",
        "Calls each process at random up to N cycles after the first one.", "0"},
};

/// A file, or bytes; of the two a replaced value wins over that of the file.
void read_amount(const Settings& s, CollectiveChoice& choice) {
  Collective& c = choice.collective;
  const bool takes_file =
      c.operation() == Operation::kBroadcast || c.operation() == Operation::kScatter;
  const bool bytes = s.has("collective.bytes"), payload = s.has("collective.payload");
  const bool bytes_replaced = bytes && !s.from_file("collective.bytes");
  const bool payload_replaced = payload && !s.from_file("collective.payload");
  if (payload_replaced && !takes_file) {
    throw InputError(s.origin("collective.payload"),
                     fmt::format("a file for {}", name_of(c.operation())),
                     "--bytes: only broadcast and scatter take a file");
  }
  if (takes_file && payload && bytes && bytes_replaced == payload_replaced) {
    s.refuse("collective.bytes", "either collective.payload or collective.bytes, not both");
  }
  if (takes_file && payload && (!bytes || payload_replaced)) {
    choice.payload = s.text("collective.payload");
  } else if (has_data(c.operation())) {
    c.bytes = static_cast<std::uint64_t>(
        s.integer("collective.bytes", 64, 0, std::int64_t{kLongestMessage}));
  }
}

void read_operator(const Settings& s, const systemc::NetworkConfig& network, Collective& c) {
  static const auto kOperators = names_of<reference::Operator, reference::kAllOperators>();
  static const auto kTypes = names_of<reference::ElementType, reference::kElementTypes>();
  c.op = static_cast<reference::Operator>(s.choice("collective.operator", kOperators, 0));
  const auto otherwise =
      commutes(c.op) ? reference::ElementType::kInt32 : reference::ElementType::kUint32;
  c.type = static_cast<reference::ElementType>(
      s.choice("collective.type", kTypes, static_cast<std::size_t>(otherwise)));
  if (!applies(c.op, c.type)) {
    throw InputError(s.origin("collective.type"),
                     fmt::format("\"{}\" for \"{}\"", name_of(c.type), name_of(c.op)),
                     "\"uint32\"");
  }
  const std::size_t element = bytes_of(c.op, c.type);
  if (c.bytes % element != 0) {
    throw InputError(s.origin("collective.bytes"), std::to_string(c.bytes),
                     fmt::format("a multiple of the {} bytes of {}", element,
                                 commutes(c.op) ? name_of(c.type) : name_of(c.op)));
  }
  if (!c.by_auto) require_order(s, network, c);
}

/// The bytes of a block of so large a payload.
std::uint64_t block_bytes(const Settings& s, const Collective& c, std::uint64_t payload_bytes) {
  if (c.operation() != Operation::kScatter) return payload_bytes;
  const auto blocks = static_cast<std::uint64_t>(reference::rank_count(c.network, c.ranks));
  if (payload_bytes % blocks != 0) {
    throw InputError(s.origin("collective.payload"), fmt::format("{} bytes", payload_bytes),
                     fmt::format("a multiple of {}: as many bytes for each {}", blocks,
                                 c.algorithm->by_rank ? "rank" : "node"));
  }
  return payload_bytes / blocks;
}

void read_payload(const Settings& s, CollectiveChoice& choice) {
  choice.contents = read_file(choice.payload, s.origin("collective.payload"), kLongestMessage);
  choice.collective.bytes = block_bytes(s, choice.collective, choice.contents.size());
}

void require_room(const Settings& s, const systemc::NetworkConfig& network, const Collective& c) {
  constexpr std::uint64_t kAllMemory = std::uint64_t{4} << 30;
  const std::string where = s.origin("collective.bytes");
  const std::string found = fmt::format("{} bytes for each process", c.bytes);

  const std::uint64_t all = buffer_bytes(c);
  const std::uint64_t one = layout_of(c).end;
  if (one > kMostNodeMemory || all > kAllMemory) {
    throw InputError(where, found,
                     fmt::format("less: with SOURCE, TARGET and SCRATCH a node needs {} MiB, of at "
                                 "most {}; all SOURCEs and TARGETs are {} MiB, of at most {}",
                                 one >> 20, kMostNodeMemory >> 20, all >> 20, kAllMemory >> 20));
  }
  if (!c.lengths.empty()) return;  // read_counts() has looked at them
  if (longest_buffer(c) > kLongestMessage) {
    throw InputError(where, found,
                     fmt::format("at most {} bytes: {} has {} blocks, together at most {}",
                                 kLongestMessage / blocks_of(c), name_of(c.operation()),
                                 blocks_of(c), kLongestMessage));
  }
  // No message is longer than all blocks; then its schedule, which may be long, need not be known.
  if (c.bytes * blocks_of(c) <= kLongestMessage) return;
  if (const auto m = too_long_message(c.schedule())) {
    throw InputError(where, found,
                     fmt::format("less: a message of {} bytes, of at most {}, would go from {} "
                                 "to {}",
                                 m->bytes, kLongestMessage, place_text(network, m->from),
                                 place_text(network, m->to)));
  }
}

/// A value that says nothing about this operation is a mistake.
void refuse_idle_keys(const Settings& s, const Collective& c) {
  const std::string found = fmt::format("a value for {}", name_of(c.operation()));
  const auto refuse = [&](const char* key, const char* expected) {
    s.refuse_idle(key, "collective.operation", found, expected);
  };
  if (!c.has_root()) {
    for (const char* key : {"collective.root", "collective.root_rank"})
      refuse(key,
             "an operation with a root: broadcast, scatter, reduce, gather, sync-in or sync-out");
  }
  if (!c.reduces()) {
    for (const char* key : {"collective.operator", "collective.type"})
      refuse(key, "an operation that combines: reduce, all-reduce, scan, exscan or reduce-scatter");
  }
  if (!has_data(c.operation())) {
    refuse("collective.bytes", "an operation on data");
    if (s.integer("collective.skew", 0) == 0) refuse("collective.seed", "--skew with it");
  }
  if (c.operation() != Operation::kBroadcast)
    refuse("collective.triggers", "a broadcast, which alone is played by triggers");
}

nlohmann::ordered_json own_json(const Collective& c, const systemc::NetworkConfig& network) {
  nlohmann::ordered_json json = {
      {"operation", c.own->name},
      {"expected", c.own->by_rule ? std::string(name_of(c.operation())) : c.own->file.string()}};
  if (c.own->rooted) json["root"] = node_text(network, node_address(c.root));
  if (c.own->combines) json["operator"] = name_of(c.op);
  if (c.own->typed) json["type"] = name_of(c.type);
  if (c.parameter != 0) json["parameter"] = c.parameter;
  add_prepared_json(c, json);
  if (c.skew != 0) json["skew"] = c.skew;
  return json;
}

/// What a parameter may be is the algorithm's own affair.
void require_known_parameter(const Settings& s, const Collective& c) {
  if (c.parameter == 0) return;
  try {
    (void)c.schedule();
  } catch (const std::invalid_argument& error) {
    const char* const key =
        s.has("collective.parameter") ? "collective.parameter" : "collective.packets";
    const Value* const value = s.find(key);
    throw InputError(s.origin(key), value == nullptr ? "a parameter" : value->shown,
                     fmt::format("what \"{}\" takes: {}", c.algorithm->name, error.what()));
  }
}

}  // namespace

std::span<const Key> collective_keys() {
  static const std::vector<Key> keys = [] {
    std::vector<Key> all(kCollectiveKeys.begin(), kCollectiveKeys.end());
    for (const Key& key : rank_keys()) all.push_back(key);
    all.push_back(radix_key());
    for (const Key& key : shift_keys()) all.push_back(key);
    for (const Key& key : mode_keys()) all.push_back(key);
    all.push_back(differs_key());
    for (const Key& key : hybrid_keys()) all.push_back(key);
    all.push_back(count_key());
    for (const Key& key : prepared_keys()) all.push_back(key);
    return all;
  }();
  return keys;
}

CollectiveChoice read_collective(const Settings& s, const systemc::NetworkConfig& network,
                                 const ProcessGroup* group) {
  CollectiveChoice choice;
  Collective& c = choice.collective;
  const Operation operation = read_operation(s);
  c.algorithm = &read_algorithm(s, operation, network, group != nullptr);
  c.by_auto = s.text("collective.algorithm") == kAuto;
  c.network = reference_network(network);
  refuse_idle_keys(s, c);
  if (group != nullptr) {
    c.ranks.listed = group->nodes;
    c.group = group->name;
    c.place = group->place;
  }
  if (group != nullptr) {
    c.root = read_root_in_group(s, network, c);
  } else if (c.has_root()) {
    c.root = read_root(s, network);
  }
  if (group == nullptr && s.has("collective.root_rank")) {
    s.refuse("collective.root_rank", "collective.group with it, or collective.root");
  }
  read_amount(s, choice);
  read_ranks(s, network, c);
  read_shift(s, c);
  read_modes(s, c);
  read_differs(s, network, c);
  if (!c.by_auto) {
    read_radices(s, c);
    read_hybrid(s, c);
  }
  c.by_core = !s.boolean("collective.triggers", true);
  c.seed = static_cast<std::uint64_t>(s.integer("collective.seed", 1, 0));
  c.skew = static_cast<Cycle>(s.integer("collective.skew", 0, 0, 1 << 20));
  if (c.reduces()) read_operator(s, network, c);
  read_prepared(s, c);
  read_counts(s, c);
  if (c.by_auto) require_open(s, c);
  if (!choice.payload.empty()) read_payload(s, choice);
  // Both depend on the bytes.
  if (c.by_auto) choose_algorithm(c, {network.router.one_port(), is_native(s)});
  if (c.by_auto && group != nullptr) require_for_groups(s, operation, c.algorithm);
  if (c.hybrid_open) {
    choose_hybrid(c, is_native(s));
    require_few_messages(s, c);
  }
  require_known_parameter(s, c);
  require_room(s, network, c);
  return choice;
}

nlohmann::ordered_json collective_json(const Collective& c, const systemc::NetworkConfig& network) {
  if (c.own) return own_json(c, network);
  nlohmann::ordered_json json = {{"operation", name_of(c.operation())},
                                 {"algorithm", c.by_auto ? kAuto : c.algorithm->name}};
  if (c.by_auto) json["chosen"] = c.algorithm->name;
  if (c.has_root()) {
    const std::array root{c.root.x, c.root.y, c.root.z};
    json["root"] = std::vector<int>(root.begin(), root.begin() + network.dims());
  }
  if (!c.lengths.empty()) json["counts"] = c.lengths;
  if (c.reduces()) {
    json["operator"] = name_of(c.op);
    json["type"] = name_of(c.type);
  }
  add_ranks_json(c, json);
  if (!c.by_auto) add_hybrid_json(c, json);
  if (c.by_core) json["triggers"] = false;
  add_modes_json(c, json);
  add_differs_json(c, json);
  add_prepared_json(c, json);
  if (c.skew != 0) json["skew"] = c.skew;
  return json;
}

}  // namespace annelid::simulation
