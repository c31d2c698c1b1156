#include "firmware/kit/prepared.hpp"

#include "firmware/collectives/prepared/prepare.hpp"

namespace annelid::firmware::kit {
namespace {

using reg::CallResult;
using reg::CallWord;

constexpr int kSuccess = number_of(CallResult::kSuccess);
constexpr int kBadArgument = number_of(CallResult::kBadArgument);
constexpr int kNoRoom = number_of(CallResult::kNoRoom);
constexpr int kStale = number_of(CallResult::kStaleHandle);
constexpr int kActive = number_of(CallResult::kCallActive);
/// The longest list.
constexpr std::uint32_t kMostBytes = 2 * reg::kMaxListTransfers * reg::kListDescriptorBytes;

/// Takes node memory, and finds its offset; false if there is none.
bool take(std::uint64_t bytes, std::uint32_t& offset, int& result) {
  const bool fits = bytes <= node().memory_bytes();
  const void* memory = fits ? take_memory(static_cast<std::size_t>(bytes)) : nullptr;
  result = memory == nullptr ? kNoRoom : kSuccess;
  if (memory != nullptr) offset = offset_of(memory);
  return memory != nullptr;
}

/// Finds the offset of a buffer. A process that has none gets bytes that nobody uses. False if it
/// is not in node memory, or there is none.
bool place(const Area& area, std::uint32_t& offset, int& result) {
  if (!area.exists || area.bytes == 0) return take(area.bytes, offset, result);
  result = in_node_memory(area.data) ? kSuccess : kBadArgument;
  if (result == kSuccess) offset = offset_of(area.data);
  return result == kSuccess;
}

bool place_scratch(const Served& served, std::uint32_t& offset, int& result) {
  if (take(served.scratch, offset, result)) return true;
  if (!served.if_there_is_room) return false;
  offset = node().memory_bytes();
  return true;
}

}  // namespace

int prepare_list(const LocalCall::Words& words, const Group& group, Node::Serve serve,
                 nic_prepared& request) {
  const std::uint32_t from = memory_mark(), memory = node().memory_bytes();
  if (from > memory) return kNoRoom;
  const std::uint32_t room = memory - from < kMostBytes ? memory - from : kMostBytes;
  if (!node().has_idle_context()) return kNoRoom;
  PreparedCall call;
  const CallResult result = prepare(node().idle_context(), {words, from, room}, group, serve, call);
  if (result != CallResult::kSuccess) return number_of(result);
  (void)take_memory(call.bytes);
  request.handle = call.handle;
  return kSuccess;
}

int prepare_call(Words words, const Group& group, const Served& served, const Area& source,
                 const Area& target, unsigned tag, std::uint32_t from, nic_prepared& request) {
  request = {0, from, 0};
  int result = tag < NIC_TAGS ? kSuccess : kBadArgument;
  std::uint32_t source_at = 0, target_at = 0, scratch_at = 0;
  if (result == kSuccess && place(source, source_at, result) && place(target, target_at, result) &&
      place_scratch(served, scratch_at, result)) {
    words.set(CallWord::kSource, source_at);
    words.set(CallWord::kTarget, target_at);
    words.set(CallWord::kScratch, scratch_at);
    words.set(CallWord::kTag, tag);
    result = prepare_list(words.words(), group, served.serve, request);
  }
  if (result != kSuccess) free_memory_from(request.memory);
  request.end = memory_mark();
  return result;
}

}  // namespace annelid::firmware::kit

using namespace annelid;
using namespace annelid::firmware;
using namespace annelid::firmware::kit;

extern "C" {

int nic_prepared_start(nic_prepared* request) {
  Node& self = node();
  const std::uint32_t handle = request->handle;
  if (!self.keeps_list(handle)) return kStale;
  if (self.list_started(handle)) {  // it may have ended meanwhile
    self.run();
    if (self.list_started(handle)) return kActive;
  }
  while (registers().read(reg::kListSpace) == 0) {
    sleep();
    self.run();
  }
  self.start_list(handle);
  return kSuccess;
}

int nic_prepared_test(nic_prepared* request) {
  Node& self = node();
  if (!self.keeps_list(request->handle)) return 1;
  self.run();
  if (!self.list_started(request->handle)) return 1;
  pass_time();
  return 0;
}

int nic_prepared_wait(nic_prepared* request) {
  Node& self = node();
  const std::uint32_t handle = request->handle;
  if (!self.keeps_list(handle)) return kStale;
  self.run_awake();
  while (self.list_started(handle)) {
    self.run();
    if (!self.list_started(handle)) break;
    sleep();
    self.run_awake();
  }
  Registers::memory_barrier();
  return self.list_failed(handle) ? number_of(CallResult::kTransferFailed) : kSuccess;
}

int nic_prepared_free(nic_prepared* request) {
  Node& self = node();
  if (!self.keeps_list(request->handle)) return kStale;
  self.run();
  if (self.list_started(request->handle) || !self.drop_list(request->handle)) return kActive;
  request->handle = 0;
  if (memory_mark() == request->end) free_memory_from(request->memory);
  return kSuccess;
}

// CCL's names of the same: a call of one would be cycles between an operation and its start.
[[gnu::alias("nic_prepared_start")]] int ccl_start(nic_prepared* request);
[[gnu::alias("nic_prepared_test")]] int ccl_test(nic_prepared* request);
[[gnu::alias("nic_prepared_wait")]] int ccl_wait(nic_prepared* request);
[[gnu::alias("nic_prepared_free")]] int ccl_request_free(nic_prepared* request);

}  // extern "C"
