#include "firmware/kit/used.hpp"

#include "firmware/kit/kit.hpp"

extern "C" const annelid::firmware::kit::Use nic_uses_begin[], nic_uses_end[];  // program.ld

namespace annelid::firmware {

// This takes the place of the one of collectives/table.cpp, which knows all trees.
const TreeRule* find_tree(reg::Algorithm algorithm, Frame& frame) {
  for (const kit::Use* use = nic_uses_begin; use != nic_uses_end; ++use) {
    if (use->rule != nullptr && use->algorithm == algorithm && use->rule->fits(frame)) {
      return use->rule;
    }
  }
  return nullptr;
}

namespace kit {
namespace {

CallResult serve_tree(Context& me, const Use& use, Frame*& frame, std::optional<Task>& task) {
  const Call& call = me.call();
  const std::uint32_t root = call.operation() == reg::Operation::kAllReduce ? 0 : call.root();
  if (root >= me.group().size()) return CallResult::kBadArgument;
  if (frame == nullptr) {
    frame = &me.make<Frame>(me.group(), root, call.parameter(1), use.player->reversed);
  }
  if (!use.rule->fits(*frame)) return CallResult::kDoesNotFit;
  const CallResult result = use.player->check(me);
  if (result == CallResult::kSuccess) task.emplace(use.player->run(me, *frame, *use.rule));
  return result;
}

}  // namespace

CallResult serve_used(Context& me, std::optional<Task>& task) {
  const Call& call = me.call();
  CallResult result = CallResult::kUnknownAlgorithm;
  Frame* frame = nullptr;
  for (const Use* use = nic_uses_begin; use != nic_uses_end; ++use) {
    if (use->operation != call.operation() || use->algorithm != call.algorithm()) continue;
    if (use->serve != nullptr) return use->serve(me, task);
    if (!known_words(call)) return CallResult::kBadArgument;
    if (use->check == nullptr) {
      result = serve_tree(me, *use, frame, task);
      if (result != CallResult::kDoesNotFit) return result;
      continue;
    }
    result = use->check(me);
    if (result == CallResult::kSuccess) task.emplace(use->run(me));
    return result;
  }
  return result;
}

bool has_used(reg::Operation operation, reg::Algorithm algorithm) {
  for (const Use* use = nic_uses_begin; use != nic_uses_end; ++use) {
    if (use->operation == operation && use->algorithm == algorithm) return true;
  }
  return false;
}

}  // namespace kit
}  // namespace annelid::firmware
