// How an operation of the program is performed: as the program has chosen, by AUTO, or as usual.
#pragma once

#include "firmware/kit/include/ccl.h"
#include "firmware/kit/operation.hpp"
#include "firmware/kit/use.hpp"

namespace annelid::firmware::kit {

// ---- What the program has chosen (tune.cpp) -----------------------------------------------------
//
// These functions are weak: a program that chooses nothing does not have them. So it gets no larger
// by what choosing takes.

/// Finds the choice for a call of this operation that the program makes for a group, and forgets it
/// if it was for this call alone. Returns whether there is one.
[[gnu::weak, gnu::visibility("hidden")]] bool take_choice(reg::Operation operation, pgid group,
                                                          nic_choice& choice);
/// Chooses by the costs, if the choice says so, for blocks of `bytes` bytes.
[[gnu::weak, gnu::visibility("hidden")]] reg::CallResult complete_choice(reg::Operation operation,
                                                                         std::uint32_t ranks,
                                                                         std::uint64_t bytes,
                                                                         nic_choice& choice);
/// Serves a call by a collective that the program names (used.hpp).
[[gnu::weak, gnu::visibility("hidden")]] reg::CallResult serve_chosen(Context& me,
                                                                      std::optional<Task>& task);

/// The choice for a call, taken once.
struct Choice {
  Choice(reg::Operation operation, pgid group)
      : made(take_choice != nullptr && take_choice(operation, group, words)) {}

  nic_choice words{};
  bool made;
};

// ---- How a call is served -----------------------------------------------------------------------

/// Where the library has no other choice.
struct Usual {
  Node::Serve serve;
  std::uint64_t scratch;       ///< the bytes that it takes at SCRATCH
  const Use* auto_ = nullptr;  ///< of AUTO, if the program has it for the operation
};

/// The bytes at SCRATCH that are enough for every algorithm of an operation, with blocks of `bytes`
/// bytes: firmware/README.md, "The host's calls".
constexpr std::uint64_t most_scratch(reg::Operation operation, std::uint64_t ranks,
                                     std::uint64_t bytes) {
  constexpr std::uint64_t kVectors = 9;  // along trees one more than by rank
  const std::uint64_t block = (bytes + 7) & ~std::uint64_t{7};
  switch (operation) {
    case reg::Operation::kReduce:
    case reg::Operation::kAllReduce:
    case reg::Operation::kScan:
    case reg::Operation::kExscan:
      return kVectors * block;
    case reg::Operation::kGather:
    case reg::Operation::kScatter:
      return ranks * (block + 4) + 4;
    case reg::Operation::kAllGather:
      return ranks * block;
    case reg::Operation::kReduceScatter:
      return 3 * ranks * block;
    case reg::Operation::kAllToAll:
      return 2 * ranks * block;
    default:
      return 0;
  }
}

/// Completes the words of a call, and says how it is served. `ranks` and `bytes` are those of the
/// group and of a block.
static inline Served serve_as_chosen(reg::Operation operation, const Choice& choice,
                                     std::uint32_t ranks, std::uint64_t bytes, const Usual& usual,
                                     Words& words) {
  nic_choice chosen = choice.words;
  if (choice.made) {
    const reg::CallResult result = complete_choice(operation, ranks, bytes, chosen);
    if (result != reg::CallResult::kSuccess) return {.result = result};
  } else if (usual.auto_ != nullptr) {
    chosen.algorithm = static_cast<unsigned>(reg::Algorithm::kAuto);
  }
  if (chosen.algorithm == static_cast<unsigned>(reg::Algorithm::kNone)) {
    return {.serve = usual.serve, .scratch = usual.scratch};
  }
  words.set(reg::CallWord::kAlgorithm, chosen.algorithm);
  if (operation != reg::Operation::kShift) {  // whose own parameters these are
    words.set(reg::CallWord::kParameter0, chosen.parameter[0]);
    words.set(reg::CallWord::kParameter1, chosen.parameter[1]);
  }
  words.set(reg::CallWord::kParameter2, chosen.parameter[2]);
  words.set(reg::CallWord::kFlags, chosen.flags);
  const bool by_auto = chosen.algorithm == static_cast<unsigned>(reg::Algorithm::kAuto);
  const bool direct = chosen.algorithm == static_cast<unsigned>(reg::Algorithm::kDirect);
  return {.serve = choice.made ? serve_chosen : usual.auto_->serve,
          .scratch = direct ? 0 : most_scratch(operation, ranks, bytes),
          .if_there_is_room = by_auto && operation == reg::Operation::kAllToAll};
}

}  // namespace annelid::firmware::kit
