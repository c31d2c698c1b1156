// Messages, and calls of the collectives that the program names.
#include "firmware/kit/include/nic.h"
#include "firmware/kit/kit.hpp"
#include "firmware/kit/prepared.hpp"
#include "firmware/kit/single.hpp"
#include "firmware/kit/used.hpp"

namespace annelid::firmware::kit {
namespace {

/// Offsets of node memory: of no buffer 0, and of one in RAM nothing.
std::optional<std::uint32_t> offset_in_call(const void* p) {
  if (p == nullptr) return 0;
  return in_node_memory(p) ? std::optional(offset_of(p)) : std::nullopt;
}

/// The words and the group of a call, or why it is refused.
struct Given {
  LocalCall::Words words;
  const Group* group = nullptr;
  CallResult refused = CallResult::kSuccess;
};

Given given_by(const nic_words& call) {
  const auto source = offset_in_call(call.source), target = offset_in_call(call.target),
             scratch = offset_in_call(call.scratch);
  Given given;
  given.group = node().groups().find(call.group);
  if (!source || !target || !scratch) {
    given.refused = CallResult::kBadArgument;
  } else if (given.group == nullptr) {
    given.refused = CallResult::kNoSuchGroup;
  } else {
    given.words = {call.operation,    call.algorithm,    call.group, call.root,
                   *source,           *target,           call.count, call.type,
                   call.op,           call.tag,          *scratch,   call.parameter[0],
                   call.parameter[1], call.parameter[2], call.flags};
  }
  return given;
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

}  // namespace annelid::firmware::kit

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
  const Given given = given_by(*call);
  *request = {nullptr, 0};
  if (given.refused == CallResult::kSuccess) {
    call_in(request).start(node(), given.words, *given.group, serve_used);
  } else {
    request->result = static_cast<unsigned>(word(given.refused));
  }
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

int nic_prepare(const nic_words* call, nic_prepared* request) {
  *request = {0, memory_mark(), memory_mark()};
  const Given given = given_by(*call);
  if (given.refused != CallResult::kSuccess) return number_of(given.refused);
  const int result = prepare_list(given.words, *given.group, serve_used, *request);
  request->end = memory_mark();
  return result;
}

}  // extern "C"
