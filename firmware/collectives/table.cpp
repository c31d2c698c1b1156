#include "firmware/collectives/table.hpp"

#include "firmware/collectives/edn_broadcast.hpp"
#include "firmware/collectives/recursive_doubling.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::CallResult;
using reg::Operation;

struct Collective {
  Operation operation;
  Algorithm algorithm;
  bool (*fits)(Size size);                    // can it run in a network of this size?
  Task (*run)(Node& node, const Call& call);  // one node's part; `call` outlives the task
};

// A new collective is a line here.
constexpr Collective kCollectives[] = {
    {Operation::kBroadcast, Algorithm::kEdn, edn::fits, edn::broadcast},
    {Operation::kBroadcast, Algorithm::kRecursiveDoubling, recursive_doubling::fits,
     recursive_doubling::broadcast},
};

/// The call's collective, or why there is none.
const Collective* find(const Node& node, const Call& call, CallResult& why_not) {
  const Size size = node.size();
  why_not = CallResult::kUnknownOperation;
  for (const Collective& collective : kCollectives) {
    if (collective.operation != call.operation) continue;
    why_not = CallResult::kUnknownAlgorithm;
    if (collective.algorithm != call.algorithm) continue;
    if (collective.fits(size) && size.contains(call.root)) return &collective;
    why_not = CallResult::kDoesNotFit;
    break;
  }
  return nullptr;
}

}  // namespace

Task serve(Node& node) {
  for (;;) {
    const Call call = co_await node.next_call();
    CallResult result{};
    const Collective* collective = find(node, call, result);
    if (collective != nullptr) result = co_await collective->run(node, call);
    node.finish_call(call, result);
  }
}

}  // namespace annelid::firmware
