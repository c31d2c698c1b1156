// Finds the collective that a call asks for.
#include <array>
#include <span>

#include "firmware/collectives/collective.hpp"
#include "firmware/collectives/groups/modes.hpp"
#include "firmware/collectives/prepared/prepared_calls.hpp"
#include "firmware/collectives/trees/tree_players.hpp"
#include "firmware/collectives/tuned.hpp"

// Their declarations, and then the tables themselves.
#define TREE(algorithm, name)         \
  namespace annelid::firmware::name { \
  extern const TreeRule kRule;        \
  }
#define COLLECTIVE(operation, algorithm, name)            \
  namespace annelid::firmware::name {                     \
  CallResult check(const annelid::firmware::Context& me); \
  Task run(annelid::firmware::Context& me);               \
  }
#include "firmware/collectives/table.inc"
#undef COLLECTIVE
#undef TREE

namespace annelid::firmware {
namespace {

struct Tree {
  reg::Algorithm algorithm;
  const TreeRule* rule;
};

#define COLLECTIVE(operation, algorithm, name)
#define TREE(algorithm, name) {algorithm, &name::kRule},
constexpr std::array kTrees = std::to_array<Tree>({
#include "firmware/collectives/table.inc"
});
#undef COLLECTIVE
#undef TREE

constexpr std::uint8_t kNoTree = 0xFF;
/// By the algorithm's code, its first tree. No call by another algorithm looks at the trees.
constexpr auto kFirstTree = [] {
  std::array<std::uint8_t, 256> first{};
  for (std::uint8_t& index : first) index = kNoTree;
  for (std::size_t i = kTrees.size(); i-- > 0;) {
    first[static_cast<std::uint8_t>(kTrees[i].algorithm)] = static_cast<std::uint8_t>(i);
  }
  return first;
}();
std::span<const Tree> trees_of(reg::Algorithm algorithm) {
  const auto code = static_cast<std::uint32_t>(algorithm);
  const std::uint8_t first = code < kFirstTree.size() ? kFirstTree[code] : kNoTree;
  return first == kNoTree ? std::span<const Tree>() : std::span(kTrees).subspan(first);
}

#define COLLECTIVE(operation, algorithm, name) {operation, algorithm, name::check, name::run},
#define TREE(algorithm, name)
constexpr std::array kListed = std::to_array<Collective>({
#include "firmware/collectives/table.inc"
});
#undef COLLECTIVE
#undef TREE

constexpr std::size_t index_of(reg::Operation operation) {
  return static_cast<std::size_t>(operation);
}

/// All collectives, sorted by operation: no call looks at those of other operations.
constexpr auto kCollectives = [] {
  auto sorted = kListed;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    for (std::size_t at = i; at > 0 && sorted[at].operation < sorted[at - 1].operation; --at) {
      const Collective later = sorted[at];
      sorted[at] = sorted[at - 1];
      sorted[at - 1] = later;
    }
  }
  return sorted;
}();
/// Of each operation the index of the first one, and behind the last operation their number.
constexpr auto kFirst = [] {
  std::array<std::uint8_t, index_of(kCollectives.back().operation) + 2> first{};
  static_assert(kCollectives.size() < 256);
  for (const Collective& collective : kCollectives) {
    for (std::size_t i = index_of(collective.operation) + 1; i < first.size(); ++i) ++first[i];
  }
  return first;
}();

#if defined(__riscv)
// The names of all, for the program that calls them: a section of the file that is not loaded, so
// it takes no RAM. Nobody calls this function, and the linker drops it.
#define NAME_OF(operation, algorithm, name)                  \
  asm volatile(                                              \
      ".pushsection .annelid.collectives, \"\", @progbits\n" \
      ".byte %c0, %c1\n.asciz \"" #name "\"\n.popsection"    \
      :                                                      \
      : "i"(static_cast<int>(operation)), "i"(static_cast<int>(algorithm)));
[[gnu::used]] void name_collectives() {
#define COLLECTIVE(operation, algorithm, name) NAME_OF(operation, algorithm, name)
#define TREE(algorithm, name) NAME_OF(0, algorithm, name)
#include "firmware/collectives/table.inc"
#undef COLLECTIVE
#undef TREE
}
#undef NAME_OF
#endif

constexpr std::uint32_t kMaxTag = 0xFFFF;

bool known_words(const Call& call) {
  return call.tag() <= kMaxTag && is_type(call.word(reg::CallWord::kType));
}

/// The rule of a broadcast that the NIC plays in the network as it is; nullptr for other calls.
const TreeRule* rule_at_home(const Context& me) {
  const Call& call = me.call();
  if (call.operation() != reg::Operation::kBroadcast || call.parameter(0) != 0 ||
      !me.group().is_all() || !me.topology().has_notes() || !me.node().holds()) {
    return nullptr;
  }
  const std::span<const Tree> trees = trees_of(call.algorithm());
  if (trees.empty() || trees.front().rule->find_part == nullptr) return nullptr;
  return trees.front().rule;
}

/// The operation by one of the algorithm's trees, which are among these.
CallResult serve_tree(Context& me, std::span<const Tree> trees, const TreePlayer& player,
                      std::optional<Task>& task) {
  const Call& call = me.call();
  const std::uint32_t root = player.operation == reg::Operation::kAllReduce ? 0 : call.root();
  Frame* frame = nullptr;
  for (const Tree& tree : trees) {
    if (tree.algorithm != call.algorithm()) continue;
    if (frame == nullptr) {
      if (!known_words(call) || root >= me.group().size()) return CallResult::kBadArgument;
      frame = &me.make<Frame>(me.group(), root, call.parameter(1), player.reversed);
    }
    if (!tree.rule->fits(*frame)) continue;
    const CallResult result = player.check(me);
    if (result == CallResult::kSuccess) task.emplace(player.run(me, *frame, *tree.rule));
    return result;
  }
  return CallResult::kDoesNotFit;
}

}  // namespace

const TreeRule* find_tree(reg::Algorithm algorithm, Frame& frame) {
  for (const Tree& tree : trees_of(algorithm)) {
    if (tree.algorithm == algorithm && tree.rule->fits(frame)) return tree.rule;
  }
  return nullptr;
}

void start_collectives(Node& node) {
  for (const Tree& tree : kTrees) {
    if (tree.rule->start != nullptr) tree.rule->start(node.topology());
  }
}

namespace {

[[gnu::noinline]] CallResult serve_any(Context& me, std::optional<Task>& task) {
  const Call& call = me.call();
  const auto operation = index_of(call.operation());
  CallResult result = CallResult::kUnknownOperation;
  const std::span<const Tree> trees = trees_of(call.algorithm());
  for (const TreePlayer& player : kTreePlayers) {
    if (player.operation != call.operation()) continue;
    if (!trees.empty()) return serve_tree(me, trees, player, task);
    result = CallResult::kUnknownAlgorithm;
    break;
  }
  // Behind the trees, whose short messages would wait for the question.
  if (call.algorithm() == reg::Algorithm::kAuto) return serve_tuned(me, task);
  const bool known = operation + 1 < kFirst.size();
  for (std::size_t i = known ? kFirst[operation] : 0; known && i < kFirst[operation + 1]; ++i) {
    const Collective& collective = kCollectives[i];
    result = CallResult::kUnknownAlgorithm;
    if (collective.algorithm != call.algorithm()) continue;
    if (!known_words(call)) return CallResult::kBadArgument;
    result = collective.check(me);
    if (result == CallResult::kSuccess) task.emplace(collective.run(me));
    return result;
  }
  // Behind all others, which need not ask.
  if ((call.word(reg::CallWord::kOperation) & reg::kOperationInModes) != 0) {
    return serve_in_modes(me, task);
  }
  return result == CallResult::kUnknownOperation ? serve_prepared(me, task) : result;
}

}  // namespace

CallResult serve(Context& me, std::optional<Task>& task) {
  const TreeRule* const rule = rule_at_home(me);
  if (rule == nullptr) return serve_any(me, task);
  return known_words(me.call()) ? serve_at_home(me, *rule, task) : CallResult::kBadArgument;
}

}  // namespace annelid::firmware
