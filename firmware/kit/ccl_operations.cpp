// CCL's operations. Those by a function of the program are made here, from messages: the core
// combines, in the order of the ranks.
#include "firmware/kit/ccl_modes.hpp"
#include "firmware/kit/ccl_words.hpp"
#include "firmware/kit/include/string.h"
#include "firmware/kit/single.hpp"

namespace annelid::firmware::kit {
namespace {

using reg::CallResult;
using reg::Operation;

int bcast_from(const Group& group, std::uint32_t root, void* data, std::uint64_t bytes) {
  Area buffer = input(data, bytes);
  if (group.rank() != root) buffer.use = Buffered::kOut;
  return run_operation(of_bytes(Operation::kBroadcast, bytes, root), group,
                       serve_by<binomial::check, binomial::run>, buffer, {}, 0);
}

// ---- By the NIC ---------------------------------------------------------------------------------

int combine_in_nic(const Group& group, Operation operation, Node::Serve serve,
                   const ccl_function& f, const Area& data, const Area& result, std::uint32_t root,
                   unsigned count) {
  return run_operation(of_elements(operation, f, count, root), group, serve, data, result,
                       kScratchVectors * rounded_up(data.bytes));
}

// ---- By a function of the program ---------------------------------------------------------------

/// This process's elements, and room for those of another one, in node memory.
struct Operands {
  explicit Operands(const void* data, std::uint64_t bytes)
      : own(take_memory(static_cast<std::size_t>(bytes))),
        other(take_memory(static_cast<std::size_t>(bytes))) {
    if (good()) memcpy(own, data, static_cast<std::size_t>(bytes));
  }
  [[nodiscard]] bool good() const { return own != nullptr && other != nullptr; }
  void *own, *other;
};

/// Along a binomial tree of the ranks: afterwards rank 0 has the elements of all in `own`. A
/// process combines those of higher ranks behind its own, so the order of the ranks is kept.
int combine_to_first(const Group& group, const ccl_function& f, const Operands& operands,
                     unsigned count) {
  const std::uint32_t rank = group.rank(), size = group.size();
  const std::size_t bytes = std::size_t{f.bytes} * count;
  for (std::uint32_t distance = 1; distance < size; distance *= 2) {
    if ((rank & distance) != 0) {
      return send_by_rank(group, rank - distance, operands.own, bytes, kTag);
    }
    if (size - rank <= distance) continue;
    const int result = receive_by_rank(group, rank + distance, operands.other, bytes, kTag);
    if (result != kSuccess) return result;
    f.apply(operands.own, operands.own, operands.other, count);
  }
  return kSuccess;
}

/// By doubled distances (Hillis and Steele): afterwards `own` has the elements up to this rank.
int prefix_by_doubling(const Group& group, const ccl_function& f, const Operands& operands,
                       unsigned count) {
  const std::uint32_t rank = group.rank(), size = group.size();
  const std::size_t bytes = std::size_t{f.bytes} * count;
  for (std::uint32_t distance = 1; distance < size; distance *= 2) {
    const bool sends = size - rank > distance, receives = rank >= distance;
    int result = kSuccess;
    if (sends && receives) {
      result = exchange_by_rank(group, rank + distance, operands.own, rank - distance,
                                operands.other, bytes, kTag);
    } else if (sends) {
      result = send_by_rank(group, rank + distance, operands.own, bytes, kTag);
    } else if (receives) {
      result = receive_by_rank(group, rank - distance, operands.other, bytes, kTag);
    }
    if (result != kSuccess) return result;
    if (receives) f.apply(operands.own, operands.other, operands.own, count);
  }
  return kSuccess;
}

int reduce_to(const Group& group, std::uint32_t root, const ccl_function& f, const void* data,
              void* result, unsigned count) {
  const std::uint64_t bytes = std::uint64_t{f.bytes} * count;
  const bool is_root = group.rank() == root;
  if (f.apply == nullptr) {
    return combine_in_nic(group, Operation::kReduce, serve_by<binomial::check, binomial::run>, f,
                          input(data, bytes), output(result, bytes, is_root), root, count);
  }
  const MemoryScope scope;
  const Operands operands(data, bytes);
  if (!operands.good()) return kNoRoom;
  int done = combine_to_first(group, f, operands, count);
  if (done == kSuccess && root != 0) {
    if (group.rank() == 0) {
      done = send_by_rank(group, root, operands.own, static_cast<size_t>(bytes), kTag);
    } else if (is_root) {
      done = receive_by_rank(group, 0, operands.own, static_cast<size_t>(bytes), kTag);
    }
  }
  if (done == kSuccess && is_root) memcpy(result, operands.own, static_cast<size_t>(bytes));
  return done;
}

int prefix_of(const Group& group, const ccl_function& f, const void* data, void* result,
              unsigned count) {
  const std::uint64_t bytes = std::uint64_t{f.bytes} * count;
  if (f.apply == nullptr) {
    return combine_in_nic(group, Operation::kScan,
                          serve_by<simultaneous_binomial::check, simultaneous_binomial::run>, f,
                          input(data, bytes), output(result, bytes), 0, count);
  }
  const MemoryScope scope;
  const Operands operands(data, bytes);
  if (!operands.good()) return kNoRoom;
  const int done = prefix_by_doubling(group, f, operands, count);
  if (done == kSuccess) memcpy(result, operands.own, static_cast<size_t>(bytes));
  return done;
}

}  // namespace
}  // namespace annelid::firmware::kit

using namespace annelid;
using namespace annelid::firmware;
using namespace annelid::firmware::kit;

extern "C" {

int send(unsigned dest, const void* data, size_t bytes, unsigned tag) {
  return nic_send(dest, data, bytes, tag);
}
int receive(unsigned orig, void* data, size_t bytes, unsigned tag) {
  return nic_receive(orig, data, bytes, tag);
}
int send_receive(unsigned dest, const void* data, unsigned orig, void* result, size_t bytes,
                 unsigned tag) {
  return nic_send_receive(dest, data, orig, result, bytes, tag);
}

int bcast(pgid G, unsigned orig, void* data, size_t bytes) {
  int ready = kSuccess;
  const Group* group = group_of({Routine::kBcast, G, orig, length_of(bytes)}, ready);
  if (group == nullptr) return ready;
  const int root = rank_in(*group, orig);
  if (root < 0 || !is_message(bytes)) return kBadArgument;
  const auto from = static_cast<std::uint32_t>(root);
  ready = before_fan_out(*group, from);
  return ready == kSuccess ? bcast_from(*group, from, data, bytes) : ready;
}

int reduce(pgid G, unsigned dest, const ccl_function* rfunc, const void* data, void* result,
           unsigned count) {
  int ready = kSuccess;
  const Group* group = group_of({Routine::kReduce, G, dest, count, rfunc}, ready);
  if (group == nullptr) return ready;
  const int to = rank_in(*group, dest);
  const std::uint64_t bytes = std::uint64_t{rfunc->bytes} * count;
  if (to < 0 || !is_message(bytes)) return kBadArgument;
  const auto root = static_cast<std::uint32_t>(to);
  return after_fan_in(*group, root, reduce_to(*group, root, *rfunc, data, result, count));
}

int combine(pgid G, const ccl_function* rfunc, const void* data, void* result, unsigned count) {
  int ready = kSuccess;
  const Group* group = group_of({Routine::kCombine, G, 0, count, rfunc}, ready);
  if (group == nullptr) return ready;
  const std::uint64_t bytes = std::uint64_t{rfunc->bytes} * count;
  if (!is_message(bytes)) return kBadArgument;
  if (rfunc->apply == nullptr) {
    return combine_in_nic(*group, Operation::kAllReduce, serve_by<binomial::check, binomial::run>,
                          *rfunc, input(data, bytes), output(result, bytes), 0, count);
  }
  const MemoryScope scope;
  const Operands operands(data, bytes);
  if (!operands.good()) return kNoRoom;
  int done = combine_to_first(*group, *rfunc, operands, count);
  if (done == kSuccess) done = bcast_from(*group, 0, operands.own, bytes);
  if (done == kSuccess) memcpy(result, operands.own, static_cast<size_t>(bytes));
  return done;
}

int prefix(pgid G, const ccl_function* rfunc, const void* data, void* result, unsigned count) {
  int ready = kSuccess;
  const Group* group = group_of({Routine::kPrefix, G, 0, count, rfunc}, ready);
  if (group == nullptr) return ready;
  const std::uint64_t bytes = std::uint64_t{rfunc->bytes} * count;
  if (!is_message(bytes)) return kBadArgument;
  return after_fan_in(*group, group->size() - 1, prefix_of(*group, *rfunc, data, result, count));
}

int scatter(pgid G, unsigned orig, const void* data, void* result, size_t bytes) {
  int ready = kSuccess;
  const Group* group = group_of({Routine::kScatter, G, orig, length_of(bytes)}, ready);
  if (group == nullptr) return ready;
  const int root = rank_in(*group, orig);
  const std::uint64_t all = std::uint64_t{bytes} * group->size();
  if (root < 0 || !is_message(all)) return kBadArgument;
  const auto from = static_cast<std::uint32_t>(root);
  ready = before_fan_out(*group, from);
  if (ready != kSuccess) return ready;
  return run_operation(of_bytes(Operation::kScatter, bytes, from), *group,
                       serve_by<intercom_blocks::check, intercom_blocks::run>,
                       input(data, all, group->rank() == from), output(result, bytes), all);
}

int gather(pgid G, unsigned dest, const void* data, void* result, size_t bytes) {
  int ready = kSuccess;
  const Group* group = group_of({Routine::kGather, G, dest, length_of(bytes)}, ready);
  if (group == nullptr) return ready;
  const int root = rank_in(*group, dest);
  const std::uint64_t all = std::uint64_t{bytes} * group->size();
  if (root < 0 || !is_message(all)) return kBadArgument;
  const auto to = static_cast<std::uint32_t>(root);
  const int done = run_operation(of_bytes(Operation::kGather, bytes, to), *group,
                                 serve_by<intercom_blocks::check, intercom_blocks::run>,
                                 input(data, bytes), output(result, all, group->rank() == to), all);
  return after_fan_in(*group, to, done);
}

int concat(pgid G, const void* data, void* result, size_t bytes) {
  int ready = kSuccess;
  const Group* group = group_of({Routine::kConcat, G, 0, length_of(bytes)}, ready);
  if (group == nullptr) return ready;
  const std::uint64_t all = std::uint64_t{bytes} * group->size();
  if (!is_message(all)) return kBadArgument;
  return run_operation(of_bytes(Operation::kAllGather, bytes), *group,
                       serve_by<dissemination_all_gather::check, dissemination_all_gather::run>,
                       input(data, bytes), output(result, all), all);
}

int index(pgid G, const void* data, void* result, size_t bytes) {
  int ready = kSuccess;
  const Group* group = group_of({Routine::kIndex, G, 0, length_of(bytes)}, ready);
  if (group == nullptr) return ready;
  const std::uint64_t all = std::uint64_t{bytes} * group->size();
  if (!is_message(all)) return kBadArgument;
  return run_operation(of_bytes(Operation::kAllToAll, bytes), *group,
                       serve_by<radix_all_to_all::check, radix_all_to_all::run>, input(data, all),
                       output(result, all), 2 * rounded_up(all));
}

int shift(pgid G, int steps, int cyclic, const void* data, void* result, size_t bytes) {
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
  if (barrier_mode()) {
    ready = whole_barrier(*group);
    if (ready != kSuccess) return ready;
  }
  const auto size = static_cast<std::int64_t>(group->size());
  const auto rank = static_cast<std::int64_t>(group->rank());
  std::int64_t to = rank + steps, from = rank - steps;
  if (cyclic != 0) {
    to = (to % size + size) % size;
    from = (from % size + size) % size;
  }
  const bool sends = to >= 0 && to < size, receives = from >= 0 && from < size;
  const auto to_rank = static_cast<std::uint32_t>(to), from_rank = static_cast<std::uint32_t>(from);
  if (sends && receives) {
    return exchange_by_rank(*group, to_rank, data, from_rank, result, bytes, kTag);
  }
  if (sends) return send_by_rank(*group, to_rank, data, bytes, kTag);
  return receives ? receive_by_rank(*group, from_rank, result, bytes, kTag) : kSuccess;
}

int sync(pgid G) {
  int ready = kSuccess;
  const Group* group = group_of({Routine::kSync, G}, ready);
  if (group == nullptr) return ready;
  return whole_barrier(*group);
}

}  // extern "C"
