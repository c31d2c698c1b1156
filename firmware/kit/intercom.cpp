// InterCom's operations for a group that is an array of nodes.
#include "firmware/kit/include/intercom.h"

#include <utility>

#include "firmware/kit/operation.hpp"

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

using reg::CallResult;
using reg::CallWord;
using reg::Operation;

/// The array of a call as a group. Its list lies in node memory as long as the MemoryScope around
/// it.
class ArrayGroup {
 public:
  ArrayGroup(const unsigned* array, std::uint32_t size) : size_(array == nullptr ? 0 : size) {
    if (array == nullptr) {
      if (size == 0) result_ = CallResult::kSuccess;
      size_ = node().topology().nodes();
      return;
    }
    list(array, size);
  }
  [[nodiscard]] CallResult result() const { return result_; }
  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] const Group& group() const { return listed_ ? group_ : *node().groups().find(0); }

 private:
  void list(const unsigned* array, std::uint32_t size);

  CallResult result_ = CallResult::kBadArgument;
  std::uint32_t size_;
  bool listed_ = false;
  Group group_;
};

/// Copies the array, and finds nodes that do not exist, nodes that are named twice, and this one.
void ArrayGroup::list(const unsigned* array, std::uint32_t size) {
  const Topology& topology = node().topology();
  const std::uint32_t nodes = topology.nodes(), own = topology.pid();
  if (size == 0 || size > nodes) return;
  auto* members = static_cast<std::uint32_t*>(take_memory(4 * size));
  auto* seen = static_cast<std::uint32_t*>(take_memory(4 * ((nodes + 31) / 32)));
  if (members == nullptr || seen == nullptr) {
    result_ = CallResult::kNoRoom;
    return;
  }
  for (std::uint32_t i = 0; i < (nodes + 31) / 32; ++i) seen[i] = 0;
  std::uint32_t rank = Group::kNotAMember;
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::uint32_t member = array[i];
    if (member >= nodes || (seen[member / 32] >> member % 32 & 1) != 0) return;
    seen[member / 32] |= 1U << member % 32;
    members[i] = member;
    if (member == own) rank = i;
  }
  if (rank == Group::kNotAMember) {
    result_ = CallResult::kNotAMember;
    return;
  }
  listed_ = true;
  group_ = Group::listed(topology, node().memory(), Pgid{}, 0, size, rank, offset_of(members));
  result_ = CallResult::kSuccess;
}

/// What distinguishes the operations.
struct Shape {
  Operation operation;
  bool blocks = false;         ///< COUNT is of a block for each rank
  bool rooted = false;         ///< there is a root
  bool all_at_source = false;  ///< SOURCE has the blocks of all, at the root if there is one
  bool all_at_target = false;  ///< TARGET has them
  bool result_at_root = false;
};

struct Arguments {
  const void* source;
  void* target;
  std::uint32_t count, type, op, root;
  const unsigned* group;
  std::uint32_t size;
};

/// Scratch memory of an operation: firmware/README.md, "Operations by hybrids".
std::uint64_t scratch_of(const Shape& shape, std::uint64_t block, std::uint64_t all) {
  constexpr std::uint64_t kVectors = 8, kAllBlocks = 3;
  if (shape.operation == Operation::kBroadcast) return 0;
  if (!shape.blocks) return kVectors * rounded_up(block);
  return shape.operation == Operation::kReduceScatter ? kAllBlocks * rounded_up(all) : all;
}

int run(const Shape& shape, const Arguments& a) {
  const MemoryScope scope;
  const ArrayGroup members(a.group, a.size);
  if (members.result() != CallResult::kSuccess) return number_of(members.result());
  const std::uint64_t block = bytes_of(a.count, a.type), all = block * members.size();
  if (a.root >= members.size() || !is_type(a.type) ||
      (shape.blocks ? all : block) > reg::kMaxMessageBytes) {
    return number_of(CallResult::kBadArgument);
  }
  const bool is_root = !shape.rooted || members.group().rank() == a.root;
  Area source = input(a.source, shape.all_at_source ? all : block, !shape.all_at_source || is_root);
  const Area target =
      output(a.target, shape.all_at_target ? all : block, !shape.result_at_root || is_root);
  // A broadcast has one buffer, which the root reads and the others write.
  const bool broadcast = shape.operation == Operation::kBroadcast;
  if (broadcast && !is_root) source.use = Buffered::kOut;
  const Words words{{CallWord::kOperation, static_cast<std::uint32_t>(shape.operation)},
                    {CallWord::kAlgorithm, static_cast<std::uint32_t>(reg::Algorithm::kIntercom)},
                    {CallWord::kRoot, a.root},
                    {CallWord::kCount, a.count},
                    {CallWord::kType, a.type},
                    {CallWord::kOperator, a.op}};
  return run_operation(words, members.group(),
                       shape.blocks ? serve_by<intercom_blocks::check, intercom_blocks::run>
                                    : serve_by<intercom::check, intercom::run>,
                       source, broadcast ? Area{} : target, scratch_of(shape, block, all));
}

}  // namespace
}  // namespace kit
}  // namespace annelid::firmware

using namespace annelid::firmware::kit;
using annelid::reg::Operation;

extern "C" {

int nic_bcast(void* vector, unsigned count, unsigned type, unsigned root, const unsigned* group,
              unsigned size) {
  return run({.operation = Operation::kBroadcast, .rooted = true},
             {vector, nullptr, count, type, 0, root, group, size});
}
int nic_scatter(const void* source, void* target, unsigned count, unsigned type, unsigned root,
                const unsigned* group, unsigned size) {
  return run(
      {.operation = Operation::kScatter, .blocks = true, .rooted = true, .all_at_source = true},
      {source, target, count, type, 0, root, group, size});
}
int nic_gather(const void* source, void* target, unsigned count, unsigned type, unsigned root,
               const unsigned* group, unsigned size) {
  return run({.operation = Operation::kGather,
              .blocks = true,
              .rooted = true,
              .all_at_target = true,
              .result_at_root = true},
             {source, target, count, type, 0, root, group, size});
}
int nic_collect(const void* source, void* target, unsigned count, unsigned type,
                const unsigned* group, unsigned size) {
  return run({.operation = Operation::kAllGather, .blocks = true, .all_at_target = true},
             {source, target, count, type, 0, 0, group, size});
}
int nic_combine_to_one(const void* source, void* target, unsigned count, unsigned type, unsigned op,
                       unsigned root, const unsigned* group, unsigned size) {
  return run({.operation = Operation::kReduce, .rooted = true, .result_at_root = true},
             {source, target, count, type, op, root, group, size});
}
int nic_combine_to_all(const void* source, void* target, unsigned count, unsigned type, unsigned op,
                       const unsigned* group, unsigned size) {
  return run({.operation = Operation::kAllReduce},
             {source, target, count, type, op, 0, group, size});
}
int nic_distributed_combine(const void* source, void* target, unsigned count, unsigned type,
                            unsigned op, const unsigned* group, unsigned size) {
  return run({.operation = Operation::kReduceScatter, .blocks = true, .all_at_source = true},
             {source, target, count, type, op, 0, group, size});
}

}  // extern "C"
