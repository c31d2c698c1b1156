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
/// Codes up to that of the last algorithm that has a tree.
constexpr std::size_t kTreeCodes = [] {
  std::size_t codes = 0;
  for (const Tree& tree : kTrees) {
    const auto code = static_cast<std::size_t>(tree.algorithm);
    if (code >= codes) codes = code + 1;
  }
  return codes;
}();
/// By the algorithm's code, its first tree. No call by another algorithm looks at the trees.
constexpr auto kFirstTree = [] {
  std::array<std::uint8_t, kTreeCodes> first{};
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

/// What a call reads of a row of the table.
struct Sorted {
  CallResult (*check)(const Context& me);
  Task (*run)(Context& me);
  std::uint8_t operation, algorithm;
};
/// All collectives, sorted by operation: no call looks at those of other operations.
constexpr auto kCollectives = [] {
  std::array<Sorted, kListed.size()> sorted{};
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const Collective& next = kListed[i];
    std::size_t at = i;
    for (; at > 0 && index_of(next.operation) < sorted[at - 1].operation; --at)
      sorted[at] = sorted[at - 1];
    sorted[at] = {next.check, next.run, static_cast<std::uint8_t>(next.operation),
                  static_cast<std::uint8_t>(next.algorithm)};
  }
  return sorted;
}();
/// Of each operation the index of the first one, and behind the last operation their number.
constexpr auto kFirst = [] {
  std::array<std::uint8_t, kCollectives.back().operation + 2> first{};
  static_assert(kCollectives.size() < 256);
  for (const Sorted& collective : kCollectives) {
    for (std::size_t i = collective.operation + 1U; i < first.size(); ++i) ++first[i];
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
      !me.group().is_all() || !me.topology().has_notes() || !me.may_begin()) {
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

/// The collective of an operation and an algorithm; nullptr if there is none.
const Sorted* find_collective(std::size_t operation, std::uint32_t algorithm) {
  if (operation + 1 >= kFirst.size()) return nullptr;
  const Sorted* const end = kCollectives.data() + kFirst[operation + 1];
  for (const Sorted* at = kCollectives.data() + kFirst[operation]; at != end; ++at) {
    if (at->algorithm == algorithm) return at;
  }
  return nullptr;
}

/// What is said of a call that nothing serves.
CallResult result_of_unknown(std::size_t operation) {
  bool known = operation + 1 < kFirst.size() && kFirst[operation] != kFirst[operation + 1];
  for (const TreePlayer& player : kTreePlayers) {
    if (index_of(player.operation) == operation) known = true;
  }
  return known ? CallResult::kUnknownAlgorithm : CallResult::kUnknownOperation;
}

[[gnu::noinline]] CallResult serve_any(Context& me, std::optional<Task>& task) {
  const Call& call = me.call();
  const auto operation = index_of(call.operation());
  const std::span<const Tree> trees = trees_of(call.algorithm());
  if (!trees.empty()) {
    for (const TreePlayer& player : kTreePlayers) {
      if (player.operation == call.operation()) return serve_tree(me, trees, player, task);
    }
  }
  const Sorted* const collective =
      find_collective(operation, static_cast<std::uint32_t>(call.algorithm()));
  if (collective != nullptr) {
    if (!known_words(call)) return CallResult::kBadArgument;
    const CallResult result = collective->check(me);
    if (result == CallResult::kSuccess) task.emplace(collective->run(me));
    return result;
  }
  // Behind the others, whose short messages would wait for the questions.
  if (call.algorithm() == reg::Algorithm::kAuto) return serve_tuned(me, task);
  if ((call.word(reg::CallWord::kOperation) & reg::kOperationInModes) != 0) {
    return serve_in_modes(me, task);
  }
  const CallResult result = result_of_unknown(operation);
  return result == CallResult::kUnknownOperation ? serve_prepared(me, task) : result;
}

}  // namespace

CallResult serve(Context& me, std::optional<Task>& task) {
  const TreeRule* const rule = rule_at_home(me);
  if (rule == nullptr) return serve_any(me, task);
  return known_words(me.call()) ? serve_at_home(me, *rule, task) : CallResult::kBadArgument;
}

}  // namespace annelid::firmware
