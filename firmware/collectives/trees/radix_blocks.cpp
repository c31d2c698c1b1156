// Scatter and gather along a tree by radix: docs/internals/algorithms/trade-offs.md, "Radix:
// scatter and gather". PARAMETER_1: the radix, or 0: 2.
//
// The root has the blocks in the order of ranks, and a message has them in that of relative ranks.
// So one message at most has blocks of the last ranks and of the first ones. It is put together, or
// taken apart, in the root's SCRATCH. All others are sent from SOURCE, or received in TARGET. Any
// other process has in SCRATCH its own block and those of the processes below it. A block that is
// sent or received alone is not copied.
#include "firmware/collectives/buffers/blocks.hpp"
#include "firmware/collectives/buffers/copy.hpp"
#include "firmware/collectives/players/player.hpp"
#include "firmware/collectives/trees/radix_tree.hpp"
#include "firmware/communication/ranks.hpp"

namespace annelid::firmware::radix_blocks {
namespace {

bool gathers(const Call& call) { return call.operation() == reg::Operation::kGather; }
std::uint32_t radix_of(const Call& call) { return call.parameter(1) == 0 ? 2 : call.parameter(1); }

class RadixPlan : public PlanOf<RadixPlan> {
 public:
  RadixPlan(const Call& call, const Ranks& ranks)
      : call_(call),
        ranks_(ranks),
        root_(ranks.rank_of(call.root())),
        gathers_(gathers(call)),
        is_root_(ranks.own() == root_),
        below_(!is_root_),
        own_block_{gathers_ ? call.source() : call.target(), call.bytes()},
        all_{gathers_ ? call.target() : call.source(), call.bytes()},
        tree_(ranks.size(), radix_of(call),
              is_root_              ? 0
              : ranks.own() > root_ ? ranks.own() - root_
                                    : ranks.own() + ranks.size() - root_,
              gathers_) {
    if (!is_root_) {
      if (tree_.blocks() > 1) apart_[0] = own_block_;
      return;
    }
    const Buffer in_all = all_.at(root_);
    copy = gathers_ ? PlannedCopy{own_block_.offset, in_all.offset, in_all.bytes}
                    : PlannedCopy{in_all.offset, own_block_.offset, in_all.bytes};
    if (root_ == 0) return;
    const RadixTree::Edge edge = tree_.root_edge_towards(ranks.size() - root_);  // rank 0
    const std::uint32_t first = root_ + edge.process, last_ranks = ranks.size() - first;
    if (last_ranks == 0) return;
    apart_[0] = all_.at(first, last_ranks);
    apart_[1] = all_.at(0, edge.blocks - last_ranks);
  }

  /// Whether blocks are copied to SCRATCH before the messages, or else from there afterwards.
  [[nodiscard]] bool copies_first() const { return gathers_ != is_root_; }
  void add_copies(Context& me, Batch<4>& copies) const {
    std::uint32_t scratch = call_.scratch();
    for (const Buffer& buffer : apart_) {
      if (copies_first()) {
        add_copy(me, copies, scratch, buffer);
      } else {
        add_copy(me, copies, buffer.offset, {scratch, buffer.bytes});
      }
      scratch += buffer.bytes;
    }
  }

  bool send(PlannedMessage& m) { return gathers_ ? up(m) : down(m); }
  bool receive(PlannedMessage& m) { return gathers_ ? down(m) : up(m); }

 private:
  /// The message between this process and its parent.
  bool up(PlannedMessage& m) {
    if (!below_) return false;
    below_ = false;
    const RadixTree::Edge& edge = tree_.parent();
    const Buffer together{call_.scratch(), edge.blocks * own_block_.bytes};
    set(m, edge.step, address(edge.process), edge.blocks > 1 ? together : own_block_);
    return true;
  }
  /// The message between this process and its next child.
  bool down(PlannedMessage& m) {
    RadixTree::Edge edge;
    if (!tree_.next_child(edge)) return false;
    Buffer buffer{call_.scratch(), edge.blocks * own_block_.bytes};
    if (!is_root_) {
      buffer.offset += (edge.process - tree_.own()) * own_block_.bytes;
    } else {
      const std::uint32_t rank = rank_of(edge.process);
      if (rank + edge.blocks <= ranks_.size()) buffer = all_.at(rank, edge.blocks);
    }
    set(m, edge.step, address(edge.process), buffer);
    return true;
  }
  [[nodiscard]] std::uint32_t rank_of(std::uint32_t process) const {
    const std::uint32_t rank = root_ + process;
    return rank < ranks_.size() ? rank : rank - ranks_.size();
  }
  [[nodiscard]] Address address(std::uint32_t process) const {
    return ranks_.address(rank_of(process));
  }

  const Call& call_;
  const Ranks& ranks_;
  std::uint32_t root_;
  bool gathers_, is_root_, below_;  // below_: the parent's message is still to come or to go
  Buffer own_block_;
  Blocks all_;  // the root's, by rank
  RadixTree tree_;
  Buffer apart_[2];  // what lies together in SCRATCH, one behind the other
};

}  // namespace

CallResult check(const Context& me) {
  const Call& call = me.call();
  if (!Ranks::fits(me.group(), call.parameter(2)) || call.root() >= me.group().size() ||
      call.parameter(1) == 1 || call.bytes() > reg::kMaxMessageBytes)
    return CallResult::kBadArgument;
  const Ranks ranks(me.group(), call.parameter(2));
  if (ranks.rank_of(call.root()) == Ranks::kNoRank) return CallResult::kBadArgument;
  const std::uint64_t block = call.bytes(), all = block * ranks.size();
  const std::uint64_t source = gathers(call) ? block : all, target = gathers(call) ? all : block;
  const std::uint64_t scratch = (block + 7) / 8 * 8 * ranks.size();
  const bool good = all <= reg::kMaxMessageBytes && me.in_memory(call.source(), source) &&
                    me.in_memory(call.target(), target) && me.in_memory(call.scratch(), scratch) &&
                    are_apart(call.source(), source, call.target(), target) &&
                    are_apart(call.scratch(), scratch, call.source(), source) &&
                    are_apart(call.scratch(), scratch, call.target(), target);
  return good ? CallResult::kSuccess : CallResult::kBadArgument;
}

Task run(Context& me) {
  const Ranks ranks(me.group(), me.call().parameter(2));
  if (ranks.own() == Ranks::kNoRank) co_return CallResult::kSuccess;
  RadixPlan plan(me.call(), ranks);
  Batch<4> copies;
  if (plan.copies_first()) plan.add_copies(me, copies);
  co_await copies;
  const CallResult result = co_await play(me, plan);
  if (result != CallResult::kSuccess) co_return result;
  if (!plan.copies_first()) plan.add_copies(me, copies);
  co_await copies;
  co_return CallResult::kSuccess;
}

}  // namespace annelid::firmware::radix_blocks
