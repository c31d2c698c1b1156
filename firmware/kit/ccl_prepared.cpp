// CCL's operations, prepared once and started many times.
#include "firmware/collectives/prepared/prepare.hpp"
#include "firmware/kit/ccl_modes.hpp"
#include "firmware/kit/ccl_words.hpp"

namespace annelid::firmware::kit {
namespace {

using reg::CallWord;
using reg::Operation;

constexpr int kStale = number_of(reg::CallResult::kStaleHandle);
constexpr int kActive = number_of(reg::CallResult::kCallActive);
/// The longest list.
constexpr std::uint32_t kMostBytes = 2 * reg::kMaxListTransfers * reg::kListDescriptorBytes;

/// A buffer of a prepared operation. Its process may have none: then it is of bytes that nobody
/// uses.
struct Place {
  const void* data;
  std::uint64_t bytes;
  bool exists = true;
};

/// An operation that is being prepared.
struct Prepared {
  const Group& group;
  Node::Serve serve;
  std::uint64_t scratch = 0;
};

/// Finds the offset of a buffer, or takes one; false if it is not in node memory, or there is none.
bool place_of(const Place& place, std::uint32_t& offset, int& result) {
  const void* memory = place.data;
  if (place.exists && place.bytes > 0 && !in_node_memory(memory)) {
    result = kBadArgument;
    return false;
  }
  if (!place.exists || place.bytes == 0) {
    memory = take_memory(static_cast<std::size_t>(place.bytes));
    result = kNoRoom;
    if (memory == nullptr) return false;
  }
  offset = offset_of(memory);
  return true;
}

int record(const Prepared& prepared, const Words& words, ccl_request& request) {
  const std::uint32_t from = memory_mark(), memory = node().memory_bytes();
  if (from > memory) return kNoRoom;
  const std::uint32_t room = memory - from < kMostBytes ? memory - from : kMostBytes;
  if (!node().has_idle_context()) return kNoRoom;
  PreparedCall call;
  const reg::CallResult result = prepare(node().idle_context(), {words.words(), from, room},
                                         prepared.group, prepared.serve, call);
  if (result != reg::CallResult::kSuccess) return number_of(result);
  (void)take_memory(call.bytes);
  request.handle = call.handle;
  return kSuccess;
}

int init(const Prepared& prepared, Words words, const Place& source, const Place& target,
         unsigned tag, ccl_request* request) {
  *request = {0, memory_mark(), 0};
  if (tag >= NIC_TAGS) return kBadArgument;
  std::uint32_t from = 0, to = 0, scratch = 0;
  int result = kSuccess;
  const bool good = place_of(source, from, result) && place_of(target, to, result) &&
                    place_of({nullptr, prepared.scratch, false}, scratch, result);
  if (good) {
    words.set(CallWord::kSource, from);
    words.set(CallWord::kTarget, to);
    words.set(CallWord::kScratch, scratch);
    words.set(CallWord::kTag, tag);
    result = record(prepared, words, *request);
  }
  if (result != kSuccess) free_memory_from(request->memory);
  request->end = memory_mark();
  return result;
}

/// The bytes of the elements; kTooLong if they cannot be one message, or the core would combine.
constexpr std::uint64_t kTooLong = ~std::uint64_t{0};
std::uint64_t bytes_by_nic(const ccl_function& f, unsigned count) {
  const std::uint64_t bytes = std::uint64_t{f.bytes} * count;
  return f.apply == nullptr && is_message(bytes) ? bytes : kTooLong;
}

}  // namespace
}  // namespace annelid::firmware::kit

using namespace annelid;
using namespace annelid::firmware;
using namespace annelid::firmware::kit;

extern "C" {

int ccl_bcast_init(pgid G, unsigned orig, void* data, size_t bytes, unsigned tag,
                   ccl_request* request) {
  int ready = kSuccess;
  const Group* group = group_of({Routine::kBcast, G, orig, length_of(bytes)}, ready);
  if (group == nullptr) return ready;
  const int root = rank_in(*group, orig);
  if (root < 0 || !is_message(bytes)) return kBadArgument;
  return init({*group, serve_by<binomial::check, binomial::run>},
              of_bytes(Operation::kBroadcast, bytes, static_cast<std::uint32_t>(root)),
              {data, bytes}, {nullptr, 0}, tag, request);
}

int ccl_reduce_init(pgid G, unsigned dest, const ccl_function* rfunc, const void* data,
                    void* result, unsigned count, unsigned tag, ccl_request* request) {
  int ready = kSuccess;
  const Group* group = group_of({Routine::kReduce, G, dest, count, rfunc}, ready);
  if (group == nullptr) return ready;
  const int root = rank_in(*group, dest);
  const std::uint64_t bytes = bytes_by_nic(*rfunc, count);
  if (root < 0 || bytes == kTooLong) return kBadArgument;
  const bool is_root = group->rank() == static_cast<std::uint32_t>(root);
  return init(
      {*group, serve_by<binomial::check, binomial::run>, kScratchVectors * rounded_up(bytes)},
      of_elements(Operation::kReduce, *rfunc, count, static_cast<std::uint32_t>(root)),
      {data, bytes}, {result, bytes, is_root}, tag, request);
}

int ccl_combine_init(pgid G, const ccl_function* rfunc, const void* data, void* result,
                     unsigned count, unsigned tag, ccl_request* request) {
  int ready = kSuccess;
  const Group* group = group_of({Routine::kCombine, G, 0, count, rfunc}, ready);
  if (group == nullptr) return ready;
  const std::uint64_t bytes = bytes_by_nic(*rfunc, count);
  if (bytes == kTooLong) return kBadArgument;
  return init(
      {*group, serve_by<binomial::check, binomial::run>, kScratchVectors * rounded_up(bytes)},
      of_elements(Operation::kAllReduce, *rfunc, count), {data, bytes}, {result, bytes}, tag,
      request);
}

int ccl_prefix_init(pgid G, const ccl_function* rfunc, const void* data, void* result,
                    unsigned count, unsigned tag, ccl_request* request) {
  int ready = kSuccess;
  const Group* group = group_of({Routine::kPrefix, G, 0, count, rfunc}, ready);
  if (group == nullptr) return ready;
  const std::uint64_t bytes = bytes_by_nic(*rfunc, count);
  if (bytes == kTooLong) return kBadArgument;
  return init({*group, serve_by<simultaneous_binomial::check, simultaneous_binomial::run>,
               kScratchVectors * rounded_up(bytes)},
              of_elements(Operation::kScan, *rfunc, count), {data, bytes}, {result, bytes}, tag,
              request);
}

int ccl_scatter_init(pgid G, unsigned orig, const void* data, void* result, size_t bytes,
                     unsigned tag, ccl_request* request) {
  int ready = kSuccess;
  const Group* group = group_of({Routine::kScatter, G, orig, length_of(bytes)}, ready);
  if (group == nullptr) return ready;
  const int root = rank_in(*group, orig);
  const std::uint64_t all = std::uint64_t{bytes} * group->size();
  if (root < 0 || !is_message(all)) return kBadArgument;
  const bool is_root = group->rank() == static_cast<std::uint32_t>(root);
  return init({*group, serve_by<intercom_blocks::check, intercom_blocks::run>, all},
              of_bytes(Operation::kScatter, bytes, static_cast<std::uint32_t>(root)),
              {data, all, is_root}, {result, bytes}, tag, request);
}

int ccl_gather_init(pgid G, unsigned dest, const void* data, void* result, size_t bytes,
                    unsigned tag, ccl_request* request) {
  int ready = kSuccess;
  const Group* group = group_of({Routine::kGather, G, dest, length_of(bytes)}, ready);
  if (group == nullptr) return ready;
  const int root = rank_in(*group, dest);
  const std::uint64_t all = std::uint64_t{bytes} * group->size();
  if (root < 0 || !is_message(all)) return kBadArgument;
  const bool is_root = group->rank() == static_cast<std::uint32_t>(root);
  return init({*group, serve_by<intercom_blocks::check, intercom_blocks::run>, all},
              of_bytes(Operation::kGather, bytes, static_cast<std::uint32_t>(root)), {data, bytes},
              {result, all, is_root}, tag, request);
}

int ccl_concat_init(pgid G, const void* data, void* result, size_t bytes, unsigned tag,
                    ccl_request* request) {
  int ready = kSuccess;
  const Group* group = group_of({Routine::kConcat, G, 0, length_of(bytes)}, ready);
  if (group == nullptr) return ready;
  const std::uint64_t all = std::uint64_t{bytes} * group->size();
  if (!is_message(all)) return kBadArgument;
  return init(
      {*group, serve_by<dissemination_all_gather::check, dissemination_all_gather::run>, all},
      of_bytes(Operation::kAllGather, bytes), {data, bytes}, {result, all}, tag, request);
}

int ccl_index_init(pgid G, const void* data, void* result, size_t bytes, unsigned tag,
                   ccl_request* request) {
  int ready = kSuccess;
  const Group* group = group_of({Routine::kIndex, G, 0, length_of(bytes)}, ready);
  if (group == nullptr) return ready;
  const std::uint64_t all = std::uint64_t{bytes} * group->size();
  if (!is_message(all)) return kBadArgument;
  return init(
      {*group, serve_by<radix_all_to_all::check, radix_all_to_all::run>, 2 * rounded_up(all)},
      of_bytes(Operation::kAllToAll, bytes), {data, all}, {result, all}, tag, request);
}

int ccl_shift_init(pgid G, int steps, int cyclic, const void* data, void* result, size_t bytes,
                   unsigned tag, ccl_request* request) {
  int ready = kSuccess;
  const Group* group = group_of({Routine::kShift,
                                 G,
                                 static_cast<std::uint32_t>(steps),
                                 length_of(bytes),
                                 nullptr,
                                 {cyclic != 0, 0}},
                                ready);
  if (group == nullptr) return ready;
  if (!is_message(bytes)) return kBadArgument;
  Words words = of_bytes(Operation::kShift, bytes);
  words.set(CallWord::kParameter0, cyclic != 0 ? 0 : 1);
  words.set(CallWord::kParameter1, static_cast<std::uint32_t>(steps));
  return init({*group, serve_by<shift_send_receive::check, shift_send_receive::run>}, words,
              {data, bytes}, {result, bytes}, tag, request);
}

int ccl_sync_init(pgid G, unsigned tag, ccl_request* request) {
  int ready = kSuccess;
  const Group* group = group_of({Routine::kSync, G}, ready);
  if (group == nullptr) return ready;
  return init({*group, serve_by<dissemination_barrier::check, dissemination_barrier::run>},
              of_bytes(Operation::kBarrier, 0), {nullptr, 0}, {nullptr, 0}, tag, request);
}

int ccl_start(ccl_request* request) {
  Node& self = node();
  if (!self.keeps_list(request->handle)) return kStale;
  self.run();
  if (self.list_started(request->handle)) return kActive;
  while (registers().read(reg::kListSpace) == 0) {
    sleep();
    self.run();
  }
  self.start_list(request->handle);
  return kSuccess;
}

int ccl_test(ccl_request* request) {
  Node& self = node();
  if (!self.keeps_list(request->handle)) return 1;
  self.run();
  if (!self.list_started(request->handle)) return 1;
  pass_time();
  return 0;
}

int ccl_wait(ccl_request* request) {
  Node& self = node();
  if (!self.keeps_list(request->handle)) return kStale;
  for (;;) {
    self.run();
    if (!self.list_started(request->handle)) break;
    sleep();
  }
  Registers::memory_barrier();
  return self.list_failed(request->handle) ? number_of(reg::CallResult::kTransferFailed) : kSuccess;
}

int ccl_request_free(ccl_request* request) {
  Node& self = node();
  if (!self.keeps_list(request->handle)) return kStale;
  self.run();
  if (self.list_started(request->handle) || !self.drop_list(request->handle)) return kActive;
  request->handle = 0;
  if (memory_mark() == request->end) free_memory_from(request->memory);
  return kSuccess;
}

}  // extern "C"
