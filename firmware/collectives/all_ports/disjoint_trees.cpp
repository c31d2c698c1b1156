// Broadcast and reduction along trees that have no channel in common, each with a strand of the
// block: docs/internals/algorithms/all-ports.md, "Disjoint trees". PARAMETER_1: packets of a
// strand, or 0: by the block's length.
#include "firmware/collectives/all_ports/disjoint_trees.hpp"

#include <optional>

#include "firmware/collectives/buffers/copy.hpp"
#include "firmware/collectives/players/ranked.hpp"
#include "firmware/collectives/players/strands.hpp"

namespace annelid::firmware {
namespace disjoint_trees {
namespace {

std::uint32_t distance(std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; }
std::uint32_t longer(std::uint32_t a, std::uint32_t b) { return a < b ? b : a; }

/// One tree's strand at this process. A round is a packet.
class TreeStrand {
 public:
  TreeStrand(const Call& call, const Trees& trees, std::uint32_t tree, Address self,
             std::uint32_t packets)
      : packets_(0, 1), rounds_(packets) {
    const Buffer strand = PartSizes(call.bytes(), trees.count()).run(0, tree, tree + 1);
    packets_ = PartSizes(strand.bytes, packets);
    combines_ = call.operation() == reg::Operation::kReduce;
    const std::uint32_t depth = trees.depth(tree, self);
    first_step_ = combines_ ? trees.height(tree) - depth : depth;
    const Neighbours children = trees.children(tree, self);
    for (std::uint32_t i = 0; i < children.count; ++i) children_[i] = children.node[i];
    const bool has_parent = depth > 0;
    if (has_parent) parent_ = trees.parent(tree, self);
    receives_ = static_cast<std::uint8_t>(combines_ ? children.count : has_parent);
    sends_ = static_cast<std::uint8_t>(combines_ ? has_parent : children.count);
    own_ = partial_ = call.source() + strand.offset;
    if (combines_ && children.count > 0) {
      partial_ = (has_parent ? scratch_area(call, 0) : call.target()) + strand.offset;
      stage_ = scratch_area(call, 1) + strand.offset;
      stage_bytes_ = scratch_area(call, 1) - scratch_area(call, 0);
    }
  }

  [[nodiscard]] std::uint32_t rounds() const { return rounds_; }
  [[nodiscard]] std::uint32_t receives(std::uint32_t) const { return receives_; }
  [[nodiscard]] std::uint32_t sends(std::uint32_t) const { return sends_; }
  [[nodiscard]] bool combines() const { return combines_; }

  [[nodiscard]] StrandMessage receive(std::uint32_t packet, std::uint32_t child) const {
    StrandMessage m;
    m.peer = combines_ ? children_[child] : parent_;
    m.buffer = packets_.run(partial_, packet, packet + 1);
    m.step = first_step_ + packet;
    const std::uint32_t at = m.buffer.offset - partial_;
    m.operand = (child == 0 ? own_ : partial_) + at;
    m.stage = stage_ + child * stage_bytes_ + at;
    return m;
  }
  [[nodiscard]] StrandMessage send(std::uint32_t packet, std::uint32_t child) const {
    StrandMessage m;
    m.peer = combines_ ? parent_ : children_[child];
    m.buffer = packets_.run(partial_, packet, packet + 1);
    m.step = first_step_ + packet + 1;
    return m;
  }

 private:
  PartSizes packets_;
  std::uint32_t rounds_, first_step_ = 0;
  Address parent_, children_[Trees::kMostChildren];
  std::uint8_t receives_ = 0, sends_ = 0;
  bool combines_ = false;
  std::uint32_t own_ = 0, partial_ = 0;  // the strand, as it was and as it is passed on
  std::uint32_t stage_ = 0, stage_bytes_ = 0;
};

std::uint32_t packets_of(const Call& call, const Trees& trees) {
  const std::uint32_t asked = call.parameter(1);
  if (asked != 0) return asked;
  const std::uint32_t t = trees.count();
  const std::uint32_t words = ((call.bytes() + 7) / 8 + t - 1) / t;  // of strand 0
  std::uint32_t height = 0;
  for (std::uint32_t tree = 0; tree < t; ++tree) height = longer(height, trees.height(tree));
  constexpr std::uint32_t kWordsOfAPacket = 50;  // which take as long as its start-up
  const std::uint32_t square = words * height / (kWordsOfAPacket * t);
  std::uint32_t k = 0;
  for (std::uint32_t bit = 1U << 15; bit != 0; bit /= 2) {
    if ((k + bit) * (k + bit) <= square) k += bit;
  }
  constexpr std::uint32_t kLeastWords = 700;  // of a packet: the core needs time for it
  const std::uint32_t most = words / (kLeastWords * t);
  if (k > most) k = most;
  return k == 0 ? 1 : k;
}

/// What the root of one process alone has to do.
Task copy_block(Context& me) {
  const Call& call = me.call();
  co_await copy(me, {call.source(), call.bytes()}, {call.target(), call.bytes()});
  co_return CallResult::kSuccess;
}

}  // namespace

Trees::Trees(const Topology& network, Address root) : dims_(network), root_(root) {
  rings_ = dims_.count > 0 && dims_.all_wide_rings;
  count_ = dims_.count == 0 ? 1 : rings_ ? 2 * dims_.count : dims_.count;
}

/// The place of a node in tree 0: as a tree's turn maps it there.
Trees::Place Trees::place(std::uint32_t tree, Address node) const {
  std::uint32_t at[2];
  for (std::uint32_t d = 0; d < 2; ++d) {
    const std::uint32_t from = dims_.coordinate(root_, d), to = dims_.coordinate(node, d);
    at[d] = to >= from ? to - from : to + dims_.size[d] - from;
  }
  const auto back = [&](std::uint32_t d) { return at[d] == 0 ? 0 : dims_.size[d] - at[d]; };
  if (dims_.count == 1) return {tree == 0 ? at[0] : back(0), 0};
  switch (tree) {
    case 0:
      return {at[0], at[1]};
    case 1:
      return {at[1], back(0)};
    case 2:
      return {back(0), back(1)};
    default:
      return {back(1), at[0]};
  }
}

std::uint32_t Trees::depth(std::uint32_t tree, Address node) const {
  if (node == root_) return 0;
  if (rings_) {
    const Place at = place(tree, node);
    const std::uint32_t along = dims_.size[dims_.count == 1 ? 0 : tree % 2];
    return at.along == 0 ? along + at.across : at.along + at.across;
  }
  const auto from_root = [&](std::uint32_t d) {
    return distance(dims_.coordinate(node, d), dims_.coordinate(root_, d));
  };
  const std::uint32_t along = from_root(tree), across = dims_.count == 1 ? 0 : from_root(1 - tree);
  return along == 0 ? across + 2 : along + across;
}

std::uint32_t Trees::height(std::uint32_t tree) const {
  if (dims_.count == 0) return 0;
  if (rings_) {
    return dims_.count == 1 ? dims_.size[0] - 1U : dims_.size[0] + dims_.size[1] - 1U;
  }
  const auto farthest = [&](std::uint32_t d) {
    const std::uint32_t at = dims_.coordinate(root_, d);
    return longer(at, dims_.size[d] - 1 - at);
  };
  if (dims_.count == 1) return farthest(0);
  return longer(farthest(tree), 2) + farthest(1 - tree);
}

Address Trees::parent(std::uint32_t tree, Address node) const {
  if (rings_) {
    const Place at = place(tree, node);
    std::uint32_t d = 0;
    bool up = tree != 0;
    if (dims_.count == 2) {
      const std::uint32_t move = at.along == 0 || at.across == 0 ? tree : (tree + 1) % 4;
      d = move % 2;
      up = move >= 2;
    }
    const std::uint32_t from = dims_.coordinate(node, d), size = dims_.size[d];
    if (up) return dims_.with(node, d, from + 1 < size ? from + 1 : 0);
    return dims_.with(node, d, from > 0 ? from - 1 : size - 1);
  }
  const auto towards_root = [&](std::uint32_t d) {
    const std::uint32_t from = dims_.coordinate(node, d);
    return dims_.with(node, d, from > dims_.coordinate(root_, d) ? from - 1 : from + 1);
  };
  const std::uint32_t across = 1 - tree;
  if (dims_.count == 1 || dims_.coordinate(node, across) == dims_.coordinate(root_, across))
    return towards_root(tree);
  const std::uint32_t column = dims_.coordinate(root_, tree);
  if (dims_.coordinate(node, tree) != column) return towards_root(across);
  return dims_.with(node, tree, column + 1 < dims_.size[tree] ? column + 1 : column - 1);
}

Neighbours Trees::children(std::uint32_t tree, Address node) const {
  Neighbours children;
  const auto consider = [&](Address other) {
    if (other == root_ || !(parent(tree, other) == node)) return;
    if (children.count == kMostChildren) stop("a node of a disjoint tree has too many children");
    std::uint32_t at = children.count++;
    for (; at > 0 && children.node[at - 1].word() > other.word(); --at)
      children.node[at] = children.node[at - 1];
    children.node[at] = other;
  };
  for (std::uint32_t d = 0; d < dims_.count; ++d) {
    const std::uint32_t at = dims_.coordinate(node, d), last = dims_.size[d] - 1U;
    if (at > 0 || rings_) consider(dims_.with(node, d, at > 0 ? at - 1 : last));
    if (at < last || rings_) consider(dims_.with(node, d, at < last ? at + 1 : 0));
  }
  return children;
}

CallResult check(const Context& me) {
  if (!me.group().is_all() || !Trees::exist(me.topology())) return CallResult::kDoesNotFit;
  if (me.call().parameter(2) != 0) return CallResult::kBadArgument;
  return check_ranked(me, kPacketBits, false);
}

Task run(Context& me) {
  const Call& call = me.call();
  if (me.group().size() == 1) {
    if (call.operation() == reg::Operation::kBroadcast) co_return CallResult::kSuccess;
    co_return co_await copy_block(me);
  }
  std::optional<Task> strands[Trees::kMost];
  const Trees trees(me.topology(), me.group().address(call.root()));
  const std::uint32_t packets = packets_of(call, trees);
  for (std::uint32_t tree = 0; tree < trees.count(); ++tree) {
    constexpr std::uint32_t kReceives = 4, kSends = 4;
    strands[tree].emplace(play_strand<kReceives, kSends>(
        me, TreeStrand(call, trees, tree, me.topology().self(), packets)));
    strands[tree]->start();
  }
  CallResult result = CallResult::kSuccess;
  for (std::uint32_t tree = 0; tree < trees.count(); ++tree) {
    Task& strand = *strands[tree];
    const CallResult played = co_await strand;
    if (played != CallResult::kSuccess) result = played;
  }
  co_return result;
}

}  // namespace disjoint_trees
}  // namespace annelid::firmware
