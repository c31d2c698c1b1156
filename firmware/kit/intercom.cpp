// InterCom's operations for a group that is an array of nodes (Barnett and others 1994, Section 3),
// made at once or prepared.
#include "firmware/kit/include/intercom.h"

#include "firmware/kit/choice.hpp"
#include "firmware/kit/intercom_group.hpp"
#include "firmware/kit/prepared.hpp"

namespace annelid::firmware {

namespace intercom {
reg::CallResult check(const Context& me);
Task run(Context& me);
}  // namespace intercom
namespace intercom_blocks {
reg::CallResult check(const Context& me);
Task run(Context& me);
}  // namespace intercom_blocks

namespace kit {
namespace {

using reg::Algorithm;
using reg::CallResult;
using reg::CallWord;
using reg::Operation;

/// What distinguishes the operations.
struct Shape {
  Operation operation;
  bool blocks = false;         ///< COUNT is of a block for each rank
  bool rooted = false;         ///< there is a root
  bool all_at_source = false;  ///< SOURCE has the blocks of all, at the root if there is one
  bool all_at_target = false;  ///< TARGET has them
  bool result_at_root = false;
};
constexpr Shape kBroadcast{.operation = Operation::kBroadcast, .rooted = true};
constexpr Shape kScatter{
    .operation = Operation::kScatter, .blocks = true, .rooted = true, .all_at_source = true};
constexpr Shape kGather{.operation = Operation::kGather,
                        .blocks = true,
                        .rooted = true,
                        .all_at_target = true,
                        .result_at_root = true};
constexpr Shape kCollect{.operation = Operation::kAllGather, .blocks = true, .all_at_target = true};
constexpr Shape kCombineToOne{
    .operation = Operation::kReduce, .rooted = true, .result_at_root = true};
constexpr Shape kCombineToAll{.operation = Operation::kAllReduce};
constexpr Shape kDistributedCombine{
    .operation = Operation::kReduceScatter, .blocks = true, .all_at_source = true};

struct Arguments {
  const void* source;
  void* target;
  std::uint32_t count, type, op, root;
  const unsigned* group;
  std::uint32_t size;
  const unsigned* lengths = nullptr;  ///< of each block; then `count` is 0
};

/// The bytes of a call's blocks.
struct Lengths {
  std::uint64_t all = 0, own = 0, longest = 0;
  bool listed = false;     ///< blocks of different lengths
  std::uint32_t list = 0;  ///< then in node memory
  CallResult result = CallResult::kSuccess;
};

Lengths equal_lengths(const Arguments& a, std::uint32_t ranks) {
  const std::uint64_t block = bytes_of(a.count, a.type);
  return {.all = block * ranks, .own = block, .longest = block};
}

/// The list that the call gets is in node memory.
Lengths listed_lengths(const Arguments& a, std::uint32_t ranks, std::uint32_t own_rank) {
  auto* list = static_cast<unsigned*>(take_memory(4 * std::size_t{ranks}));
  if (list == nullptr) return {.result = CallResult::kNoRoom};
  Lengths lengths{.listed = true, .list = offset_of(list)};
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const std::uint64_t bytes = bytes_of(a.lengths[rank], a.type);
    list[rank] = a.lengths[rank];
    lengths.all += bytes;
    if (bytes > lengths.longest) lengths.longest = bytes;
    if (rank == own_rank) lengths.own = bytes;
  }
  return lengths;
}

/// Scratch memory of an operation by a hybrid: firmware/README.md, "Operations by hybrids".
std::uint64_t scratch_of(const Shape& shape, const Lengths& lengths, std::uint32_t ranks) {
  constexpr std::uint64_t kVectors = 8, kAllBlocks = 3;
  const bool listed = lengths.listed;
  const std::uint64_t all = rounded_up(lengths.all), begins = listed ? 4 * (ranks + 1ULL) : 0;
  if (shape.operation == Operation::kBroadcast) return 0;
  if (!shape.blocks) return kVectors * rounded_up(lengths.own);
  if (shape.operation == Operation::kReduceScatter) return kAllBlocks * all + begins;
  return (listed ? all : lengths.all) + begins;
}

bool is_open_or_hybrid(const nic_choice& choice) {
  return choice.algorithm == static_cast<unsigned>(Algorithm::kNone) ||
         choice.algorithm == static_cast<unsigned>(Algorithm::kIntercom);
}

/// How the call is served. Lengths of blocks are words of hybrids alone.
Served served_of(const Shape& shape, const Lengths& lengths, std::uint32_t ranks,
                 const Choice& choice, Words& words) {
  if (lengths.listed && !is_open_or_hybrid(choice.words))
    return {.result = CallResult::kDoesNotFit};
  const std::uint64_t scratch = scratch_of(shape, lengths, ranks);
  const Usual usual{shape.blocks ? serve_by<intercom_blocks::check, intercom_blocks::run>
                                 : serve_by<intercom::check, intercom::run>,
                    scratch};
  Served served = serve_as_chosen(shape.operation, choice, ranks, lengths.own, usual, words);
  if (lengths.listed && served.result == CallResult::kSuccess) {
    constexpr std::uint32_t kListed = 8;  // FLAGS, bit 3
    served.scratch = scratch;
    words.set(CallWord::kParameter0, lengths.list);
    words.set(CallWord::kFlags, choice.words.flags | kListed);
  }
  return served;
}

/// A call, complete but for where its buffers are. What it takes of node memory is given back by
/// others.
struct Asked {
  Asked(const Shape& shape, const Arguments& a);

  CallResult result = CallResult::kBadArgument;
  ArrayGroup members;
  Area source, target;
  Words words;
  Served served;
};

Asked::Asked(const Shape& shape, const Arguments& a)
    : members(a.group, a.size),
      words{{CallWord::kOperation, static_cast<std::uint32_t>(shape.operation)},
            {CallWord::kAlgorithm, static_cast<std::uint32_t>(Algorithm::kIntercom)},
            {CallWord::kRoot, a.root},
            {CallWord::kCount, a.count},
            {CallWord::kType, a.type},
            {CallWord::kOperator, a.op}} {
  const Choice choice(shape.operation, a.group == nullptr ? ALL : NO_GROUP);
  if (members.result() != CallResult::kSuccess) {
    result = members.result();
    return;
  }
  const std::uint32_t ranks = members.size();
  if (a.root >= ranks || !is_type(a.type)) return;
  const Lengths lengths = a.lengths == nullptr ? equal_lengths(a, ranks)
                                               : listed_lengths(a, ranks, members.group().rank());
  if (lengths.result != CallResult::kSuccess) {
    result = lengths.result;
    return;
  }
  if ((shape.blocks ? lengths.all : lengths.own) > reg::kMaxMessageBytes) return;
  const bool is_root = !shape.rooted || members.group().rank() == a.root;
  source = input(a.source, shape.all_at_source ? lengths.all : lengths.own,
                 !shape.all_at_source || is_root);
  target = filled(a.target, shape.all_at_target ? lengths.all : lengths.own,
                  !shape.result_at_root || is_root);
  // Where there is one block, the longest one must have room, so that all refuse a call or none.
  if (!shape.all_at_source) source.room = lengths.longest;
  if (!shape.all_at_target) target.room = lengths.longest;
  // A broadcast has one buffer, which the root reads and the others write.
  const bool broadcast = shape.operation == Operation::kBroadcast;
  if (broadcast && !is_root) source.use = Buffered::kOut;
  if (broadcast) target = {};
  served = served_of(shape, lengths, ranks, choice, words);
  result = served.result;
}

int run(const Shape& shape, const Arguments& arguments) {
  const MemoryScope scope;
  const Asked asked(shape, arguments);
  if (asked.result != CallResult::kSuccess) return number_of(asked.result);
  return run_operation(asked.words, asked.members.group(), asked.served, asked.source,
                       asked.target);
}

int init(const Shape& shape, const Arguments& arguments, unsigned tag, nic_prepared* request) {
  const std::uint32_t from = memory_mark();
  *request = {0, from, from};
  const Asked asked(shape, arguments);
  if (asked.result == CallResult::kSuccess) {
    return prepare_call(asked.words, asked.members.group(), asked.served, asked.source,
                        asked.target, tag, from, *request);
  }
  free_memory_from(from);
  return number_of(asked.result);
}

}  // namespace
}  // namespace kit
}  // namespace annelid::firmware

using namespace annelid::firmware::kit;

extern "C" {

int nic_bcast(void* vector, unsigned count, unsigned type, unsigned root, const unsigned* group,
              unsigned size) {
  return run(kBroadcast, {vector, nullptr, count, type, 0, root, group, size});
}
int nic_scatter(const void* source, void* target, unsigned count, unsigned type, unsigned root,
                const unsigned* group, unsigned size) {
  return run(kScatter, {source, target, count, type, 0, root, group, size});
}
int nic_gather(const void* source, void* target, unsigned count, unsigned type, unsigned root,
               const unsigned* group, unsigned size) {
  return run(kGather, {source, target, count, type, 0, root, group, size});
}
int nic_collect(const void* source, void* target, unsigned count, unsigned type,
                const unsigned* group, unsigned size) {
  return run(kCollect, {source, target, count, type, 0, 0, group, size});
}
int nic_combine_to_one(const void* source, void* target, unsigned count, unsigned type, unsigned op,
                       unsigned root, const unsigned* group, unsigned size) {
  return run(kCombineToOne, {source, target, count, type, op, root, group, size});
}
int nic_combine_to_all(const void* source, void* target, unsigned count, unsigned type, unsigned op,
                       const unsigned* group, unsigned size) {
  return run(kCombineToAll, {source, target, count, type, op, 0, group, size});
}
int nic_distributed_combine(const void* source, void* target, unsigned count, unsigned type,
                            unsigned op, const unsigned* group, unsigned size) {
  return run(kDistributedCombine, {source, target, count, type, op, 0, group, size});
}

int nic_scatter_lengths(const void* source, void* target, const unsigned* lengths, unsigned type,
                        unsigned root, const unsigned* group, unsigned size) {
  return run(kScatter, {source, target, 0, type, 0, root, group, size, lengths});
}
int nic_gather_lengths(const void* source, void* target, const unsigned* lengths, unsigned type,
                       unsigned root, const unsigned* group, unsigned size) {
  return run(kGather, {source, target, 0, type, 0, root, group, size, lengths});
}
int nic_collect_lengths(const void* source, void* target, const unsigned* lengths, unsigned type,
                        const unsigned* group, unsigned size) {
  return run(kCollect, {source, target, 0, type, 0, 0, group, size, lengths});
}
int nic_distributed_combine_lengths(const void* source, void* target, const unsigned* lengths,
                                    unsigned type, unsigned op, const unsigned* group,
                                    unsigned size) {
  return run(kDistributedCombine, {source, target, 0, type, op, 0, group, size, lengths});
}

int nic_bcast_init(void* vector, unsigned count, unsigned type, unsigned root,
                   const unsigned* group, unsigned size, unsigned tag, nic_prepared* request) {
  return init(kBroadcast, {vector, nullptr, count, type, 0, root, group, size}, tag, request);
}
int nic_scatter_init(const void* source, void* target, unsigned count, unsigned type, unsigned root,
                     const unsigned* group, unsigned size, unsigned tag, nic_prepared* request) {
  return init(kScatter, {source, target, count, type, 0, root, group, size}, tag, request);
}
int nic_gather_init(const void* source, void* target, unsigned count, unsigned type, unsigned root,
                    const unsigned* group, unsigned size, unsigned tag, nic_prepared* request) {
  return init(kGather, {source, target, count, type, 0, root, group, size}, tag, request);
}
int nic_collect_init(const void* source, void* target, unsigned count, unsigned type,
                     const unsigned* group, unsigned size, unsigned tag, nic_prepared* request) {
  return init(kCollect, {source, target, count, type, 0, 0, group, size}, tag, request);
}
int nic_combine_to_one_init(const void* source, void* target, unsigned count, unsigned type,
                            unsigned op, unsigned root, const unsigned* group, unsigned size,
                            unsigned tag, nic_prepared* request) {
  return init(kCombineToOne, {source, target, count, type, op, root, group, size}, tag, request);
}
int nic_combine_to_all_init(const void* source, void* target, unsigned count, unsigned type,
                            unsigned op, const unsigned* group, unsigned size, unsigned tag,
                            nic_prepared* request) {
  return init(kCombineToAll, {source, target, count, type, op, 0, group, size}, tag, request);
}
int nic_distributed_combine_init(const void* source, void* target, unsigned count, unsigned type,
                                 unsigned op, const unsigned* group, unsigned size, unsigned tag,
                                 nic_prepared* request) {
  return init(kDistributedCombine, {source, target, count, type, op, 0, group, size}, tag, request);
}

}  // extern "C"
