// A mesh is cut into blocks, the mesh of the blocks again, and so on: levels 0 (the finest), 1, ...
// (The document counts them from 1.) What a frame's levels are is found once, and kept in its
// notes.
#include "firmware/collectives/edn_optimal.hpp"

#include "firmware/collectives/block_table.hpp"

namespace annelid::firmware::edn_optimal {
namespace {

using block_table::BlockMessage;
using block_table::Range;

constexpr int kMostLevels = 10;  // 4 of planes on 256 x 256, then 6 along z

int quotient_rounded_up(int n, int by) { return (n + by - 1) / by; }
/// n / by for n < 256, by <= 10, without the core's divider.
int quotient(int n, int by) {
  constexpr auto kReciprocal = [] {
    std::array<std::uint16_t, block_table::kLargest + 1> result{};
    for (std::size_t i = 2; i < result.size(); ++i)
      result[i] = static_cast<std::uint16_t>(65536 / i + 1);
    return result;
  }();
  if (by == 1) return n;
  return static_cast<int>(
      static_cast<std::uint32_t>(n) * kReciprocal[static_cast<std::size_t>(by)] >> 16);
}

/// A dimension's part of a level: the nodes of its mesh there, and how they are cut.
struct Axis {
  int nodes, part;  ///< of a part, but perhaps the last one
  bool mirrored;

  [[nodiscard]] int part_of(int place) const { return quotient(place, part); }
  [[nodiscard]] int extent(int p) const {
    const int rest = nodes - p * part;
    return rest < part ? rest : part;
  }
  /// Offset to cell coordinate and back.
  [[nodiscard]] int flip(int offset, int extent) const {
    return mirrored ? extent - 1 - offset : offset;
  }
  /// The place of the entry of part p.
  [[nodiscard]] int entry(int p) const {
    const int e = extent(p);
    return p * part + flip((e - 1) / 2, e);
  }
};

/// One word of the notes. A level along z has one dimension, called `a` as x is.
struct Level {
  Axis a, b;
  int steps_before;  ///< of coarser levels

  [[nodiscard]] std::uint32_t packed() const {
    const auto word = [](int value) { return static_cast<std::uint32_t>(value); };
    return word(a.nodes - 1) | word(b.nodes - 1) << 8 | word(a.part - 1) << 16 |
           word(b.part - 1) << 20 | word(a.mirrored ? 1 : 0) << 24 |
           word(b.mirrored ? 1 : 0) << 25 | word(steps_before) << 26;
  }
  static Level unpacked(std::uint32_t word) {
    const auto field = [&](int low, std::uint32_t mask) {
      return static_cast<int>(word >> low & mask);
    };
    return {{field(0, 255) + 1, field(16, 15) + 1, field(24, 1) != 0},
            {field(8, 255) + 1, field(20, 15) + 1, field(25, 1) != 0},
            field(26, 63)};
  }
};

/// Where a node is in the mesh of a level: `a` and `b` in x and y, z apart; along z `a` is z, and x
/// and y are those of the single node that a plane has become.
struct Place {
  int a, b;
};

// The notes.
constexpr std::size_t kHeader = 0, kLevels = 1;
static_assert(kLevels + kMostLevels <= Frame::kNotes);
struct Header {
  int planes, all;  ///< levels of planes, and of all
  int steps;        ///< from the top
  bool relay;       ///< the source is not the top
};
Header header(const Frame& frame) {
  const std::uint32_t word = frame.notes[kHeader];
  return {static_cast<int>(word & 15), static_cast<int>(word >> 4 & 15),
          static_cast<int>(word >> 8 & 63), (word >> 16 & 1) != 0};
}
Level level_at(const Frame& frame, int level) {
  return Level::unpacked(frame.notes[kLevels + static_cast<std::size_t>(level)]);
}

/// A block of a level, as a node in it sees it.
struct Block {
  Level level;
  int part_a, part_b;      ///< which block
  int extent_a, extent_b;  ///< its size
  int cell_a, cell_b;      ///< the node's cell
  bool along_z;

  Block(const Level& l, Place place, bool z)
      : level(l),
        part_a(l.a.part_of(place.a)),
        part_b(l.b.part_of(place.b)),
        extent_a(l.a.extent(part_a)),
        extent_b(l.b.extent(part_b)),
        cell_a(l.a.flip(place.a - part_a * l.a.part, extent_a)),
        cell_b(l.b.flip(place.b - part_b * l.b.part, extent_b)),
        along_z(z) {}

  [[nodiscard]] bool at_entry() const {
    return cell_a == (extent_a - 1) / 2 && cell_b == (extent_b - 1) / 2;
  }
  [[nodiscard]] int cell() const { return cell_b * extent_a + cell_a; }
  [[nodiscard]] Range messages() const {
    return block_table::messages_of(along_z ? block_table::line_block(extent_a)
                                            : block_table::plane_block(extent_a, extent_b));
  }
  [[nodiscard]] Place place_of(int cell) const {
    const int b = quotient(cell, extent_a), a = cell - b * extent_a;
    return {part_a * level.a.part + level.a.flip(a, extent_a),
            part_b * level.b.part + level.b.flip(b, extent_b)};
  }
};

/// The block of `level` that the node is in. It is the entry of its blocks below, or it does not
/// matter what it is there.
[[gnu::noinline]] Block block_at(const Frame& frame, Address node, int level) {
  const int planes = header(frame).planes;
  const bool along_z = level >= planes;
  Place place = along_z ? Place{node.z, 0} : Place{node.x, node.y};
  for (int l = along_z ? planes : 0; l < level; ++l) {
    const Level below = level_at(frame, l);
    place = {below.a.part_of(place.a), below.b.part_of(place.b)};
  }
  return {level_at(frame, level), place, along_z};
}

/// The node that a place of a level is; z is that of the asking node, if the level is one of
/// planes.
[[gnu::noinline]] Address node_of(const Frame& frame, Place place, int level, int z) {
  const int planes = header(frame).planes;
  int l = level;
  for (; l > planes; --l) place.a = level_at(frame, l - 1).a.entry(place.a);
  if (level >= planes) {
    z = place.a;
    place = {0, 0};
  }
  for (l = level < planes ? level : planes; l > 0; --l) {
    const Level below = level_at(frame, l - 1);
    place = {below.a.entry(place.a), below.b.entry(place.b)};
  }
  return {static_cast<std::uint8_t>(place.a), static_cast<std::uint8_t>(place.b),
          static_cast<std::uint8_t>(z)};
}

/// The first level at which the node is not the entry of its block; that of no level for the top.
[[gnu::noinline]] int level_of(const Frame& frame, Address node) {
  const Header h = header(frame);
  Place place{node.x, node.y};
  for (int l = 0; l < h.all; ++l) {
    if (l == h.planes) place = {node.z, 0};
    const Block block(level_at(frame, l), place, l >= h.planes);
    if (!block.at_entry()) return l;
    place = {block.part_a, block.part_b};
  }
  return h.all;
}

Address top_of(const Frame& frame) { return node_of(frame, {0, 0}, header(frame).all, 0); }

int steps_along_z(int planes) {
  int steps = 0;
  for (; planes > 1; planes = quotient_rounded_up(planes, 3)) ++steps;
  return steps;
}

/// Cuts a dimension by blocks of `width`; the source is at `place` of it.
[[gnu::noinline]] Axis cut(int nodes, int width, int place) {
  Axis axis{nodes, quotient_rounded_up(nodes, quotient_rounded_up(nodes, width)), false};
  const int p = axis.part_of(place);
  axis.mirrored = 2 * (place - p * axis.part) > axis.extent(p) - 1;
  return axis;
}

bool fits(Frame& frame) {
  if (!frame.is_network() || frame.has_rings()) return false;
  Size size = frame.size();
  int x = frame.root().x, y = frame.root().y, z = frame.root().z, level = 0;
  const int q = steps_along_z(size.z);
  const auto steps_of_plane = [&] {
    return size.x * size.y > 1 ? block_table::cut_of(size.x, size.y) : block_table::Cut{};
  };
  const auto add = [&](const Level& l) {
    frame.notes[kLevels + static_cast<std::size_t>(level++)] = l.packed();
  };
  block_table::Cut next = steps_of_plane();
  const int steps = next.steps + q;
  while (size.x * size.y > 1) {
    Level l{cut(size.x, next.w, x), cut(size.y, next.h, y), 0};
    size.x = quotient_rounded_up(size.x, l.a.part);
    size.y = quotient_rounded_up(size.y, l.b.part);
    x = l.a.part_of(x);
    y = l.b.part_of(y);
    next = steps_of_plane();
    l.steps_before = next.steps + q;
    add(l);
  }
  const int planes = level;
  while (size.z > 1) {
    Level l{cut(size.z, 3, z), {1, 1, false}, 0};
    size.z = quotient_rounded_up(size.z, l.a.part);
    z = l.a.part_of(z);
    l.steps_before = steps_along_z(size.z);
    add(l);
  }
  frame.notes[kHeader] = static_cast<std::uint32_t>(planes | level << 4 | steps << 8);
  if (!(top_of(frame) == frame.root())) frame.notes[kHeader] |= 1 << 16;
  return true;
}

int steps(const Frame& frame) {
  const Header h = header(frame);
  return h.steps + (h.relay ? 1 : 0);
}

/// The cell that sends to the block's node, and in which step.
[[gnu::noinline]] Address parent_in(const Frame& frame, const Block& block, int level, int z,
                                    int& step) {
  const BlockMessage message = block_table::message_to(block.messages(), block.cell());
  step = block.level.steps_before + message.step;
  return node_of(frame, block.place_of(message.from), level, z);
}

// What the rule keeps in the plan: the level + 1 whose messages come next (0: none), the number of
// its next message (0: that of the first), and whether the source has the relay before it.
constexpr std::size_t kLevel = 0, kMessage = 1, kRelay = 2;
constexpr std::uint32_t kFirst = 0xFFFFFFFF;

void find_parent(const Frame& frame, Address node, TreePlan& plan) {
  const Header h = header(frame);
  const int level = level_of(frame, node);
  const bool is_source = node == frame.root();
  plan.receive_step = 0;
  plan.state[kLevel] = static_cast<std::uint32_t>(level < h.all ? level + 1 : h.all);
  plan.state[kMessage] = kFirst;
  plan.state[kRelay] = is_source && h.relay ? 1 : 0;
  if (is_source) return;
  if (level == h.all) {
    plan.parent = frame.root();
    plan.receive_step = 1;
    return;
  }
  int step = 0;
  plan.parent = parent_in(frame, block_at(frame, node, level), level, node.z, step);
  plan.receive_step = step + (h.relay ? 1 : 0);
}

bool next_step(const Frame& frame, Address node, TreePlan& plan) {
  const Header h = header(frame);
  const int relay = h.relay ? 1 : 0;
  plan.clear();
  if (plan.state[kRelay] != 0) {
    plan.state[kRelay] = 0;
    plan.step = 1;
    plan.add(top_of(frame));
    return true;
  }
  for (; plan.state[kLevel] != 0; --plan.state[kLevel], plan.state[kMessage] = kFirst) {
    const int level = static_cast<int>(plan.state[kLevel]) - 1;
    const Block block = block_at(frame, node, level);
    const Range range = block.messages();
    const int cell = block.cell();
    std::uint32_t number = plan.state[kMessage];
    if (number == kFirst) number = block_table::first_from(range, cell);
    plan.step = 0;
    for (; number < range.end; ++number) {
      const BlockMessage message = block_table::message_at(number);
      const int step = block.level.steps_before + message.step + relay;
      if (message.from != cell || (plan.step != 0 && plan.step != step)) break;
      const Address to = node_of(frame, block.place_of(message.to), level, node.z);
      if (to == frame.root()) continue;
      plan.step = step;
      plan.add(to);
    }
    plan.state[kMessage] = number;
    if (!plan.sends().empty()) return true;
  }
  return false;
}

/// Nodes of a place of a level, in one dimension.
int nodes_at(const Frame& frame, int level, int place, bool b) {
  const int planes = header(frame).planes;
  int width = 1, nodes = 1;
  for (int l = level - 1; l >= (level >= planes ? planes : 0); --l) {
    const Level below = level_at(frame, l);
    width *= b ? below.b.part : below.a.part;
    nodes = b ? below.b.nodes : below.a.nodes;
  }
  if (width == 1) return 1;
  const int rest = nodes - place * width;
  return rest < width ? rest : width;
}

/// Nodes of the cells that a block's cell reaches, itself included.
[[gnu::noinline]] int nodes_below(const Frame& frame, const Block& block, int level, int cell) {
  const Place place = block.place_of(cell);
  int nodes = nodes_at(frame, level, place.a, false);
  if (block.along_z) {
    nodes *= frame.size().x * frame.size().y;
  } else {
    nodes *= nodes_at(frame, level, place.b, true);
  }
  const Range range = block.messages();
  for (std::uint32_t i = block_table::first_from(range, cell); i < range.end; ++i) {
    const BlockMessage message = block_table::message_at(i);
    if (message.from != cell) break;
    nodes += nodes_below(frame, block, level, message.to);
  }
  return nodes;
}

/// With what the source's place would have below it.
int nodes_with_source(const Frame& frame, Address node, int level) {
  if (level == header(frame).all) return static_cast<int>(frame.nodes());
  const Block block = block_at(frame, node, level);
  return nodes_below(frame, block, level, block.cell());
}

std::uint32_t subtree(const Frame& frame, Address node) {
  if (node == frame.root()) return frame.nodes();
  const Header h = header(frame);
  const int level = level_of(frame, node);
  int nodes = nodes_with_source(frame, node, level);
  // The source's tree is missing from those of all that would come before it.
  const int source_level = level_of(frame, frame.root());
  Address above = frame.root();
  for (int l = source_level; l < h.all; l = level_of(frame, above)) {
    int step = 0;
    above = parent_in(frame, block_at(frame, above, l), l, above.z, step);
    if (above == node) {
      nodes -= nodes_with_source(frame, frame.root(), source_level);
      break;
    }
  }
  return static_cast<std::uint32_t>(nodes);
}

}  // namespace

const TreeRule kRule{fits, steps, find_parent, next_step, subtree};

}  // namespace annelid::firmware::edn_optimal
