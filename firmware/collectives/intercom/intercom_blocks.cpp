// Scatter, gather, all-gather and reduce-scatter by a hybrid of InterCom (Barnett and others 1994):
// docs/internals/algorithms/intercom.md. These operations have a block for each rank. The vector by
// place has the blocks in the order of the places, which need not be that of the ranks.
#include "firmware/collectives/buffers/blocks.hpp"
#include "firmware/collectives/buffers/copy.hpp"
#include "firmware/collectives/buffers/padded.hpp"
#include "firmware/collectives/intercom/block_lengths.hpp"
#include "firmware/collectives/intercom/choice.hpp"
#include "firmware/collectives/intercom/hybrid_plan.hpp"
#include "firmware/collectives/players/ranked.hpp"

namespace annelid::firmware::intercom_blocks {
namespace {

using intercom::Areas;
using intercom::BlockLengths;
using intercom::HybridPlan;
using intercom::LogicalMesh;
using intercom::PlacesOfRanks;
using intercom::VectorByPlace;
using Operation = reg::Operation;

/// What an operation does with blocks.
struct Shape {
  explicit Shape(Operation operation)
      : from_root(operation == Operation::kScatter),
        to_root(operation == Operation::kGather),
        combines(operation == Operation::kReduceScatter),
        all_at_source(from_root || combines) {}
  bool from_root, to_root, combines;
  bool all_at_source;  ///< SOURCE has the blocks of all ranks and TARGET one; else the reverse

  [[nodiscard]] bool rooted() const { return from_root || to_root; }
};

/// Staging areas of a reduce-scatter.
constexpr std::uint32_t kStages = 2;

/// All blocks from the order of ranks to that of places, or back.
Task reorder(Context& me, const LogicalMesh& mesh, const BlockLengths& lengths,
             const VectorByPlace& vector, std::uint32_t by_rank, std::uint32_t by_place,
             bool to_places) {
  PlacesOfRanks places(mesh);
  Batch<8> copies;
  for (std::uint32_t rank = 0; rank < mesh.places(); ++rank, places.next()) {
    const std::uint32_t bytes = lengths[rank];
    const std::uint32_t at_place = by_place + vector.begin(places.place());
    if (!copies.has_room(2)) co_await copies;
    add_copy(me, copies, to_places ? at_place : by_rank, {to_places ? by_rank : at_place, bytes});
    by_rank += bytes;
  }
  co_await copies;
  co_return CallResult::kSuccess;
}

/// Bytes of SCRATCH in front of the list of begins, which is there if blocks are listed.
std::uint64_t scratch_bytes(const Shape& shape, const BlockLengths& lengths) {
  if (shape.combines) return std::uint64_t{1 + kStages} * padded(lengths.all());
  return lengths.listed() ? padded(lengths.all()) : lengths.all();
}

/// Whether the buffers are in memory, and none is written that another one shares. Of single
/// blocks the longest one counts, so that all processes find the same.
bool has_buffers(const Context& me, const Shape& shape, const BlockLengths& lengths,
                 std::uint32_t ranks) {
  const Call& call = me.call();
  const std::uint32_t all = lengths.all(), block = lengths.longest();
  const std::uint32_t source = shape.all_at_source ? all : block;
  const std::uint32_t target = shape.all_at_source ? block : all;
  std::uint64_t scratch = scratch_bytes(shape, lengths);
  if (lengths.listed()) {
    const std::uint32_t list = call.parameter(0);
    scratch += 4 * (std::uint64_t{ranks} + 1);
    if (!are_apart(list, std::uint64_t{ranks} * 4, call.target(), target) ||
        !are_apart(list, std::uint64_t{ranks} * 4, call.scratch(), scratch))
      return false;
  }
  return me.is_message(call.source(), source) && me.is_message(call.target(), target) &&
         me.in_memory(call.scratch(), scratch) &&
         are_apart(call.source(), source, call.target(), target) &&
         are_apart(call.scratch(), scratch, call.source(), source) &&
         are_apart(call.scratch(), scratch, call.target(), target);
}

}  // namespace

CallResult check(const Context& me) {
  const Call& call = me.call();
  const Shape shape(call.operation());
  if (!Ranks::fits(me.group(), call.parameter(2))) return CallResult::kBadArgument;
  const Ranks ranks(me.group(), call.parameter(2));
  const std::uint32_t p = ranks.size();
  if (!LogicalMesh::fits(call, p, true)) return CallResult::kBadArgument;
  if (shape.rooted() &&
      (call.root() >= me.group().size() || ranks.rank_of(call.root()) == Ranks::kNoRank))
    return CallResult::kBadArgument;
  if (shape.combines && !is_ranked_operator(call, call.operator_code() == kAffine &&
                                                      LogicalMesh::keeps_order(call, p)))
    return CallResult::kBadArgument;
  return BlockLengths::fit(me, p) && has_buffers(me, shape, BlockLengths(me, p), p)
             ? CallResult::kSuccess
             : CallResult::kBadArgument;
}

Task run(Context& me) {
  const Call& call = me.call();
  const Shape shape(call.operation());
  const Ranks ranks(me.group(), call.parameter(2));
  const std::uint32_t p = ranks.size(), own = ranks.own();
  if (own == Ranks::kNoRank) co_return CallResult::kSuccess;
  const BlockLengths lengths(me, p);
  const std::uint32_t bytes = lengths[own];
  intercom::choose_unless_named(me, p, lengths.listed() ? (lengths.all() + p - 1) / p : bytes);
  const std::uint32_t root = shape.rooted() ? ranks.rank_of(call.root()) : 0;
  const LogicalMesh mesh(call, p, own, root, false);
  // Whether this process has the blocks of all ranks at SOURCE before, or at TARGET after.
  const bool has_all = !shape.rooted() || own == root;
  const std::uint32_t all_blocks = shape.all_at_source ? call.source() : call.target();
  const bool reorders = has_all && mesh.permutes();

  Areas areas;
  areas.vector = has_all && !reorders && !shape.combines ? all_blocks : call.scratch();
  areas.own_block = shape.all_at_source ? call.target() : call.source();
  if (shape.combines) {
    areas.own_vector = reorders ? areas.vector : call.source();
    areas.stages = kStages;
    areas.stage_bytes = padded(lengths.all());
    areas.stage = call.scratch() + areas.stage_bytes;
  }
  VectorByPlace vector = VectorByPlace::of_blocks(bytes);
  if (lengths.listed()) {
    const std::uint32_t begins =
        call.scratch() + static_cast<std::uint32_t>(scratch_bytes(shape, lengths));
    intercom::write_begins(me.memory(), mesh, lengths, begins);
    vector = VectorByPlace::of_list(me.memory(), begins);
  }
  HybridPlan plan(call, ranks, mesh, vector, areas);
  const std::uint32_t own_at = areas.vector + vector.begin(mesh.place());
  Batch<2> copied;
  CallResult result = CallResult::kSuccess;

  if (shape.all_at_source && reorders) {
    result = co_await reorder(me, mesh, lengths, vector, all_blocks, areas.vector, true);
    if (result != CallResult::kSuccess) co_return result;
  }
  // A block that is sent alone is sent from SOURCE.
  if (!shape.all_at_source && (has_all || plan.has_receives())) {
    add_copy(me, copied, own_at, {call.source(), bytes});
    co_await copied;
  }
  result = co_await play(me, plan);
  if (result != CallResult::kSuccess) co_return result;
  if (shape.all_at_source && !plan.has_own_block()) {
    const bool combined = shape.combines && p > 1;
    const std::uint32_t from = shape.combines && !combined ? areas.own_vector : own_at;
    add_copy(me, copied, call.target(), {from, bytes});
    co_await copied;
  }
  if (!shape.all_at_source && reorders) {
    result = co_await reorder(me, mesh, lengths, vector, all_blocks, areas.vector, false);
  }
  co_return result;
}

}  // namespace annelid::firmware::intercom_blocks
