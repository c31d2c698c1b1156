#include "firmware/collectives/intercom/hybrid_plan.hpp"

namespace annelid::firmware::intercom {
namespace {

/// Bytes. A message as long as this is not received while the stage before is under way: it would
/// share the node's ejection channels with that stage's messages, and hold up their whole line.
constexpr std::uint32_t kLongMessage = 2048;

}  // namespace

HybridPlan::HybridPlan(const Call& call, const Ranks& ranks, const LogicalMesh& mesh,
                       const VectorByPlace& vector, const Areas& areas)
    : ranks_(ranks),
      mesh_(mesh),
      vector_(vector),
      areas_(areas),
      stages_(call.operation(), mesh.dimensions(), is_short(call)),
      own_place_(mesh.place()) {}

bool HybridPlan::has_receives() const {
  HybridPlan again = *this;
  PlannedMessage m;
  return again.receive(m);
}

bool HybridPlan::enter_next_stage(Cursor& c) const {
  if (c.stage == stages_.count()) return false;
  const Stage entered = stages_[c.stage++];
  const Dimension& d = mesh_[entered.dimension];
  if (combines(c.block) && c.steps > 0) c.fresh = false;
  c.before += c.steps;
  if (entered.block != c.block) c.settled = c.before;
  c.block = entered.block;
  c.dimension = entered.dimension;
  c.first_place = mesh_.first_place(entered.dimension);
  c.step = 0;
  if (is_bucket(c.block)) {
    c.steps = d.size - 1;
    return true;
  }
  c.tree = MinimumSpanningTree(d.size, d.root, d.coordinate);
  c.steps = c.tree.steps();
  if (!mesh_.with_root_behind(c.dimension)) c.step = c.steps;  // other lines do this stage
  return true;
}

/// Sends of a step go to the neighbour behind and receives come from the one before; the other way
/// round if they are combined.
void HybridPlan::bucket_message(const Cursor& c, bool receives, std::uint32_t& peer,
                                Run& run) const {
  const Dimension& d = mesh_[c.dimension];
  const std::uint32_t own = d.coordinate;
  const auto wrapped = [&d](std::uint32_t i) { return i < d.size ? i : i - d.size; };
  const std::uint32_t behind = wrapped(own + 1), before = wrapped(own + d.size - 1);
  std::uint32_t piece = 0;
  if (c.block == Block::kCollect) {
    peer = receives ? before : behind;
    piece = wrapped(own + d.size - c.step + (receives ? 0 : 1));
  } else {
    peer = receives ? behind : before;
    piece = wrapped(own + c.step + (receives ? 1 : 0));
  }
  run = pieces(c, piece, piece + 1);
}

bool HybridPlan::tree_message(Cursor& c, bool receives, std::uint32_t& peer, Run& run) const {
  const Dimension& d = mesh_[c.dimension];
  const bool down = goes_down(c.block);
  if (!c.tree.go_to(down ? c.step : c.steps + 1 - c.step)) return false;
  // Down the tree the holder sends; up the tree it receives.
  const bool is_holder = d.coordinate == c.tree.from();
  if (is_holder != (down != receives)) return false;
  peer = is_holder ? c.tree.to() : c.tree.from();
  const bool whole = c.block == Block::kBroadcast || c.block == Block::kReduce;
  if (!whole) {
    run = pieces(c, c.tree.part().first, c.tree.part().end);
  } else if (d.has_places) {
    run = pieces(c, 0, d.size);
  } else {
    run = {c.first_place, c.first_place + 1};
  }
  return true;
}

/// Whether what this member sends, or combines a message with, is still its own vector.
bool HybridPlan::is_own_vector(const Cursor& c) const {
  if (!combines(c.block) || !c.fresh) return false;
  // On the way up, the deepest message comes first. A round combines every piece once, and sends
  // what it has combined but for the first piece.
  return c.block == Block::kReduce ? c.tree.segment().size() == 1 : true;
}

void HybridPlan::set_combining(const Cursor& c, Run run, PlannedMessage& m) const {
  const std::uint32_t at = vector_.begin(run.first);
  m.flags |= PlannedMessage::kCombines;
  m.target = m.place;
  m.operand = (is_own_vector(c) ? areas_.own_vector : areas_.vector) + at;
  if (c.block == Block::kDistributedCombine) {
    m.place = areas_.stage + at;
    m.not_before = c.before;
    return;
  }
  // The messages of a tree are combined in the same bytes, so each needs a staging area.
  m.place = areas_.stage + c.step % areas_.stages * areas_.stage_bytes + at;
  const std::uint32_t step = c.before + c.step;
  m.not_before = c.step > areas_.stages ? step - areas_.stages : c.before;
}

bool HybridPlan::next(Cursor& c, bool receives, PlannedMessage& m) {
  for (;;) {
    if (c.step == c.steps) {
      if (!enter_next_stage(c)) return false;
      continue;
    }
    ++c.step;
    std::uint32_t peer = 0;
    Run run{};
    if (is_bucket(c.block)) {
      bucket_message(c, receives, peer, run);
    } else if (!tree_message(c, receives, peer, run)) {
      continue;
    }
    const Dimension& d = mesh_[c.dimension];
    const std::uint32_t at = vector_.begin(run.first), bytes = vector_.begin(run.end) - at;
    const bool alone = is_own_block(run);
    const bool own = !receives && is_own_vector(c) && (c.block == Block::kReduce || c.step == 1);
    const std::uint32_t base = own ? areas_.own_vector : areas_.vector;
    set(m, c.before + c.step, ranks_.address(ranks_.own() + (peer - d.coordinate) * d.stride),
        {alone ? areas_.own_block : base + at, bytes});
    if (!receives) return true;
    if (alone) has_own_block_ = true;
    if (combines(c.block)) {
      if (peer < d.coordinate) m.flags |= PlannedMessage::kMessageLeft;
      set_combining(c, run, m);
    } else {
      const bool writes_once = c.block == Block::kCollect || c.block == Block::kGather;
      m.not_before = writes_once && bytes < kLongMessage ? c.settled : c.before;
    }
    return true;
  }
}

}  // namespace annelid::firmware::intercom
