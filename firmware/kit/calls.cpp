// Messages, and calls of the collectives that the program names.
#include "firmware/kit/include/nic.h"
#include "firmware/kit/kit.hpp"
#include "firmware/kit/single.hpp"
#include "firmware/kit/use.hpp"

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

/// As collectives/table.cpp does for all collectives.
CallResult serve_used(Context& me, std::optional<Task>& task) {
  const Call& call = me.call();
  CallResult result = CallResult::kUnknownAlgorithm;
  Frame* frame = nullptr;
  for (const Use* use = nic_uses_begin; use != nic_uses_end; ++use) {
    if (use->operation != call.operation() || use->algorithm != call.algorithm()) continue;
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

/// Offsets of node memory: of no buffer 0, and of one in RAM nothing.
std::optional<std::uint32_t> offset_in_call(const void* p) {
  if (p == nullptr) return 0;
  return in_node_memory(p) ? std::optional(offset_of(p)) : std::nullopt;
}

void start(LocalCall& local, const nic_words& given, LocalCall::Words& words, CallResult& refused) {
  const auto source = offset_in_call(given.source), target = offset_in_call(given.target),
             scratch = offset_in_call(given.scratch);
  const Group* group = node().groups().find(given.group);
  if (!source || !target || !scratch) {
    refused = CallResult::kBadArgument;
  } else if (group == nullptr) {
    refused = CallResult::kNoSuchGroup;
  } else {
    words = {
        given.operation, given.algorithm,    given.group,        given.root,         *source,
        *target,         given.count,        given.type,         given.op,           given.tag,
        *scratch,        given.parameter[0], given.parameter[1], given.parameter[2], given.flags};
    local.start(node(), words, *group, serve_used);
  }
}

/// A request of the program holds a LocalCall, and nothing else.
LocalCall& call_in(nic_request* request) {
  static_assert(sizeof(LocalCall) == sizeof(nic_request) &&
                alignof(LocalCall) == alignof(nic_request));
  return *reinterpret_cast<LocalCall*>(request);
}

constexpr std::uint32_t word(CallResult result) { return static_cast<std::uint32_t>(result); }

}  // namespace

const Group& all_nodes() { return *node().groups().find(0); }

}  // namespace kit
}  // namespace annelid::firmware

using namespace annelid;
using namespace annelid::firmware;
using namespace annelid::firmware::kit;

extern "C" {

int nic_send(unsigned to, const void* data, size_t bytes, unsigned tag) {
  return send_by_rank(all_nodes(), to, data, bytes, tag);
}

int nic_receive(unsigned from, void* room, size_t bytes, unsigned tag) {
  return receive_by_rank(all_nodes(), from, room, bytes, tag);
}

int nic_send_receive(unsigned to, const void* data, unsigned from, void* room, size_t bytes,
                     unsigned tag) {
  return exchange_by_rank(all_nodes(), to, data, from, room, bytes, tag);
}

void nic_start(nic_request* request, const nic_words* call) {
  CallResult refused = CallResult::kSuccess;
  LocalCall::Words words;
  *request = {nullptr, 0};
  start(call_in(request), *call, words, refused);
  if (refused != CallResult::kSuccess) request->result = static_cast<unsigned>(word(refused));
}

int nic_test(nic_request* request) {
  LocalCall& call = call_in(request);
  if (!call.done()) node().run();
  if (call.done()) return 1;
  pass_time();
  return 0;
}

int nic_wait(nic_request* request) { return number_of(wait(call_in(request))); }

int nic_call(const nic_words* call) {
  nic_request request;
  nic_start(&request, call);
  return nic_wait(&request);
}

}  // extern "C"
