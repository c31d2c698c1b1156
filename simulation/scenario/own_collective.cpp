#include "simulation/scenario/own_collective.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "simulation/scenario/algorithm_key.hpp"
#include "simulation/scenario/auto_choice.hpp"
#include "simulation/scenario/collective_keys.hpp"
#include "simulation/scenario/memory_layout.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "simulation/scenario/prepared_keys.hpp"
#include "simulation/scenario/root_keys.hpp"

namespace annelid::simulation {
namespace {

using Kind = Key::Kind;
using Registered = nic::Image::Collective;
using reference::Operation;

constexpr std::array kOwnKeys = {
    Key{"collective.expected", Kind::kText, "an operation or the path of a file", "--expected",
        "WHAT",
        "For a collective of your own: what TARGET must hold. Either the name of a known operation "
        "with the same result, or a file with TARGET of every node, or of one node for all.",
        "none; an operation of your own needs it"},
    Key{"collective.target", Kind::kInteger, "an integer, bytes", "--target", "N",
        "For a collective of your own that expects a file: bytes of TARGET at each node.",
        "as many as --bytes"},
    Key{"collective.scratch", Kind::kInteger, "an integer, bytes", "--scratch", "N",
        "For a collective of your own: bytes of SCRATCH at each node.",
        "a block for each node and one more"}};

std::optional<Operation> operation_called(const std::string& name) {
  for (std::size_t i = 0; i < reference::kOperations; ++i) {
    const auto operation = static_cast<Operation>(i);
    if (reference::name_of(operation) == name) return operation;
  }
  return std::nullopt;
}

/// Whether the reference has it, of whichever operation.
bool is_known_algorithm(const std::string& name) {
  return name.empty() || name == kAuto ||
         std::ranges::any_of(reference::algorithms(),
                             [&](const auto& a) { return a.name == name; });
}

bool is_served_by_trees(Operation operation) {
  return has_root(operation) || operation == Operation::kAllReduce;
}

/// An algorithm that says which process has which buffers, and what a reduction gives.
const reference::Algorithm& shape_of(const Settings& s, const std::string& key, Operation operation,
                                     const systemc::NetworkConfig& config) {
  const reference::Network network = reference_network(config);
  for (const reference::Algorithm& a : reference::algorithms()) {
    if (a.operation == operation && !a.by_rank && a.supports(network)) return a;
  }
  for (const reference::Algorithm& a : reference::algorithms()) {
    if (a.operation == operation && a.supports(network)) return a;
  }
  throw InputError(s.origin(key),
                   fmt::format("\"{}\" on {}", name_of(operation), describe_network(config)),
                   "an operation that there is on this network");
}

/// The line of the table, with the operation that it serves if that is a known one.
struct TableLine {
  Registered registered;
  std::optional<Operation> operation;
};

std::optional<TableLine> line_of(const Settings& s,
                                 const std::function<std::vector<Registered>()>& registered) {
  const std::string wanted = s.text("collective.operation", "broadcast");
  const std::string algorithm = s.text("collective.algorithm");
  const std::optional<Operation> operation = operation_called(wanted);
  if (operation && is_known_algorithm(algorithm)) return std::nullopt;
  const std::string& name = operation ? algorithm : wanted;
  for (const Registered& r : registered()) {
    if (r.name != name) continue;
    const auto code = static_cast<reg::Operation>(r.operation);
    if (!operation && reg::name_of(code) == nullptr && r.operation != 0) return TableLine{r, {}};
    if (!operation) continue;
    const bool tree = r.operation == 0 && is_served_by_trees(*operation);
    if (tree || code == operation_code(*operation)) return TableLine{r, operation};
  }
  return std::nullopt;
}

void read_words(const Settings& s, const systemc::NetworkConfig& network, Collective& c,
                OwnCollective& own) {
  static const auto kOperators = names_of<reference::Operator, reference::kAllOperators>();
  static const auto kTypes = names_of<reference::ElementType, reference::kElementTypes>();
  c.root = read_root(s, network);
  own.rooted = s.has("collective.root");
  if (c.reduces() || s.has("collective.type")) {
    c.type = static_cast<reference::ElementType>(s.choice("collective.type", kTypes, 0));
    own.typed = true;
  }
  if (c.reduces() || s.has("collective.operator")) {
    c.op = static_cast<reference::Operator>(s.choice("collective.operator", kOperators, 0));
    own.combines = true;
  }
  if (c.reduces() && (c.type == reference::ElementType::kFloat32 || !commutes(c.op))) {
    throw InputError(s.origin("collective.type"),
                     fmt::format("{} of {}", name_of(c.op), name_of(c.type)),
                     "an operator and a type whose result does not depend on an order: integers");
  }
  c.parameter = static_cast<std::uint32_t>(s.integer("collective.parameter", 0, 0, 0x7FFFFFFF));
  c.seed = static_cast<std::uint64_t>(s.integer("collective.seed", 1, 0));
  c.skew = static_cast<Cycle>(s.integer("collective.skew", 0, 0, 1 << 20));
}

/// SOURCE: so many bytes, or a file with those of all nodes.
void read_source(const Settings& s, CollectiveChoice& choice) {
  Collective& c = choice.collective;
  const auto most = static_cast<std::int64_t>(kLongestMessage);
  c.bytes = static_cast<std::uint64_t>(s.integer("collective.bytes", 64, 0, most));
  if (s.has("collective.payload")) {
    choice.payload = s.text("collective.payload");
    choice.contents = read_file(choice.payload, s.origin("collective.payload"),
                                std::size_t{kLongestMessage} * 64);
    const auto nodes = static_cast<std::size_t>(c.network.nodes());
    const std::size_t parts = c.operation() == Operation::kBroadcast ? 1 : nodes;
    if (choice.contents.size() % parts != 0) {
      throw InputError(s.origin("collective.payload"),
                       fmt::format("{} bytes", choice.contents.size()),
                       fmt::format("a multiple of {}: as many bytes for each node", parts));
    }
    c.bytes = choice.contents.size() / parts;
  }
  const std::size_t element = c.own->typed ? bytes_of(c.type) : 1;
  if (c.bytes % element != 0) {
    throw InputError(s.origin("collective.bytes"), std::to_string(c.bytes),
                     fmt::format("a multiple of the {} bytes of {}", element, name_of(c.type)));
  }
}

/// A file with TARGET of every node, by number, or one for all of them.
void read_expected(const Settings& s, const Collective& c, OwnCollective& own) {
  std::filesystem::path file = s.text("collective.expected");
  if (s.from_file("collective.expected") && file.is_relative())
    file = s.file().parent_path() / file;
  const auto most = static_cast<std::int64_t>(kLongestMessage);
  own.target = static_cast<std::uint64_t>(
      s.integer("collective.target", static_cast<std::int64_t>(c.bytes), 0, most));
  own.file = file;
  own.expected = read_file(file, s.origin("collective.expected"), std::size_t{1} << 30);
  const auto nodes = static_cast<std::uint64_t>(c.network.nodes());
  if (own.expected.size() == own.target || own.expected.size() == own.target * nodes) return;
  throw InputError(s.origin("collective.expected"),
                   fmt::format("a file of {} bytes", own.expected.size()),
                   fmt::format("{} bytes, TARGET of every node, or {}, those of all {} nodes",
                               own.target, own.target * nodes, nodes));
}

void refuse_keys_of_own(const Settings& s) {
  for (const Key& key : kOwnKeys) {
    if (!s.has(key.name)) continue;
    throw InputError(s.origin(key.name), "a value for a collective that the reference knows",
                     "one for a collective of your own (docs/how-to/write-a-collective.md)");
  }
}

}  // namespace

std::span<const Key> own_keys() { return kOwnKeys; }

std::optional<CollectiveChoice> read_own_collective(
    const Settings& s, const systemc::NetworkConfig& network,
    const std::function<std::vector<Registered>()>& registered) {
  const std::optional<TableLine> line = line_of(s, registered);
  if (!line) {
    refuse_keys_of_own(s);
    return std::nullopt;
  }
  for (const char* key : {"collective.steps", "collective.ends", "collective.mode",
                          "collective.develop", "collective.differs"}) {
    s.refuse_idle(
        key, "collective.operation",
        fmt::format("a value for \"{}\", a collective of your own", line->registered.name),
        "nothing: such a call has no modes, and its words are collective.parameter");
  }
  const std::string expected = s.text("collective.expected");
  if (expected.empty() && !line->operation) {
    throw InputError(s.origin("collective.operation"),
                     fmt::format("\"{}\", a collective of your own", line->registered.name),
                     "--expected too: a known operation or a file that says what TARGET must hold");
  }
  const auto rule = line->operation ? line->operation : operation_called(expected);

  CollectiveChoice choice;
  Collective& c = choice.collective;
  auto own = std::make_shared<OwnCollective>();
  own->name = line->registered.name;
  own->operation = line->operation ? static_cast<std::uint32_t>(operation_code(*line->operation))
                                   : line->registered.operation;
  own->algorithm = line->registered.algorithm;
  own->by_rule = rule.has_value();
  c.own = own;
  c.network = reference_network(network);
  // Without a rule every process has both buffers, as in an all-gather.
  c.algorithm = &shape_of(s, line->operation ? "collective.operation" : "collective.expected",
                          rule.value_or(Operation::kAllGather), network);
  read_words(s, network, c, *own);
  read_prepared(s, c);
  read_source(s, choice);
  if (!rule) read_expected(s, c, *own);
  const auto nodes = static_cast<std::int64_t>(c.network.nodes());
  const auto block = static_cast<std::int64_t>((c.bytes + 7) / 8 * 8);
  const auto most = static_cast<std::int64_t>(kMostNodeMemory);
  own->scratch = static_cast<std::uint64_t>(
      s.integer("collective.scratch", (nodes + 1) * block + 8 * nodes, 0, most));
  if (layout_of(c).end > kMostNodeMemory) {
    throw InputError(s.origin("collective.scratch"), fmt::format("{} bytes", own->scratch),
                     "less: SOURCE, TARGET and SCRATCH do not fit into a node's 2 GiB");
  }
  return choice;
}

}  // namespace annelid::simulation
