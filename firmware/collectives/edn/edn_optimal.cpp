// A mesh is cut into blocks, the mesh of the blocks again, and so on: levels 0 (the finest), 1, ...
// (The document counts them from 1.) How a frame is cut is found once, and kept in its notes.
//
// Nodes are counted, in a ring, so that the top of all is where the source is: a Point is a node so
// counted, or a node of the mesh of a level.
#include "firmware/collectives/edn/edn_optimal.hpp"

#include "firmware/collectives/edn/block_table.hpp"

namespace annelid::firmware::edn_optimal {
namespace {

using block_table::block_number;
using block_table::BlockMessage;
using block_table::Messages;
using block_table::quotient;
using block_table::quotient_rounded_up;
using Point = std::array<int, 3>;

/// A dimension of a level: the nodes of its mesh, and how they are cut.
struct Axis {
  std::uint16_t nodes;
  std::uint8_t part;  ///< nodes of a part, but perhaps the last one
  bool mirrored;

  [[nodiscard]] int part_of(int place) const { return quotient(place, part); }
  [[nodiscard]] int extent(int p) const {
    const int rest = nodes - p * part;
    return rest < part ? rest : part;
  }
  /// Offset to cell coordinate and back.
  [[nodiscard]] int flip(int offset, int e) const { return mirrored ? e - 1 - offset : offset; }
  /// The place of the entry of part p.
  [[nodiscard]] int entry(int p) const {
    const int e = extent(p);
    return p * part + flip((e - 1) / 2, e);
  }
};

struct Level {
  std::array<Axis, 3> axis;
  int steps_before;  ///< of coarser levels
  unsigned rings;    ///< if not 0: the block is that of these rings

  // A word of the notes says all but the nodes, which follow from the level below.
  [[nodiscard]] std::uint32_t packed() const {
    std::uint32_t word = static_cast<std::uint32_t>(steps_before) << 20 | rings << 18;
    for (std::size_t d = 0; d < 3; ++d)
      word |= (static_cast<std::uint32_t>(axis[d].part) << 1 | (axis[d].mirrored ? 1U : 0U))
              << 6 * d;
    return word;
  }
  void unpack(std::uint32_t word, const Point& nodes) {
    steps_before = static_cast<int>(word >> 20);
    rings = word >> 18 & 3;
    for (std::size_t d = 0; d < 3; ++d) {
      const std::uint32_t bits = word >> 6 * d & 63;
      axis[d] = {static_cast<std::uint16_t>(nodes[d]), static_cast<std::uint8_t>(bits >> 1),
                 (bits & 1) != 0};
    }
  }
  /// The nodes of the mesh of its blocks.
  [[nodiscard]] Point blocks() const {
    Point result;
    for (std::size_t d = 0; d < 3; ++d)
      result[d] = quotient_rounded_up(axis[d].nodes, axis[d].part);
    return result;
  }
};

/// A block of a level, as a node in it sees it.
struct Block {
  Point part, extent, cell;
  unsigned rings;

  [[nodiscard]] bool at_entry() const {
    for (std::size_t d = 0; d < 3; ++d) {
      if (cell[d] != (extent[d] - 1) / 2) return false;
    }
    return true;
  }
  [[nodiscard]] int cell_number() const { return number_of(cell); }
  [[nodiscard]] Messages messages() const {
    const Point entry{(extent[0] - 1) / 2, (extent[1] - 1) / 2, (extent[2] - 1) / 2};
    return {block_table::messages_of(rings != 0 ? block_table::ring_block_number(rings)
                                                : block_number(extent[0], extent[1], extent[2])),
            extent[0] * extent[1] * extent[2], number_of(entry)};
  }

 private:
  [[nodiscard]] int number_of(const Point& place) const {
    return (place[2] * extent[1] + place[1]) * extent[0] + place[0];
  }
};

constexpr std::size_t kMostLevels = 10;  // cubes and lines at most 6, planes at most 4

/// What fits() finds out.
struct Notes {
  std::uint32_t level[kMostLevels];  ///< as Level::packed()
  std::uint8_t shift[3];             ///< from a node to what it is counted as
  std::uint8_t levels;
  std::uint8_t steps;  ///< from the top
  bool relay;          ///< the source is not the top
};

/// What the notes say.
class Grid {
 public:
  [[gnu::noinline]] explicit Grid(const Frame& frame) : notes_(frame.notes<Notes>()) {
    const Size size = frame.size();
    Point nodes{size.x, size.y, size.z};
    for (std::size_t d = 0; d < 3; ++d) {
      size_[d] = nodes[d];
    }
    for (std::size_t l = 0; l < notes_.levels; ++l) {
      if (l > 0) nodes = level_[l - 1].blocks();
      level_[l].unpack(notes_.level[l], nodes);
    }
  }

  [[nodiscard]] int levels() const { return notes_.levels; }
  /// From the top.
  [[nodiscard]] int steps() const { return notes_.steps; }
  /// The source is not the top.
  [[nodiscard]] bool relay() const { return notes_.relay; }
  [[nodiscard]] const Level& level(int l) const { return level_[static_cast<std::size_t>(l)]; }
  [[nodiscard]] int nodes() const { return size_[0] * size_[1] * size_[2]; }

  [[nodiscard]] Point counted(Address node) const {
    Point p{node.x + notes_.shift[0], node.y + notes_.shift[1], node.z + notes_.shift[2]};
    for (std::size_t d = 0; d < 3; ++d) p[d] -= p[d] >= size_[d] ? size_[d] : 0;
    return p;
  }
  [[nodiscard]] Address address(Point p) const {
    for (std::size_t d = 0; d < 3; ++d) {
      p[d] -= notes_.shift[d];
      p[d] += p[d] < 0 ? size_[d] : 0;
    }
    return {static_cast<std::uint8_t>(p[0]), static_cast<std::uint8_t>(p[1]),
            static_cast<std::uint8_t>(p[2])};
  }

  /// The block that a node of a level's mesh is in.
  [[nodiscard, gnu::noinline]] Block block(int l, const Point& place) const {
    Block block;
    block.rings = level(l).rings;
    for (std::size_t d = 0; d < 3; ++d) {
      const Axis& axis = level(l).axis[d];
      block.part[d] = axis.part_of(place[d]);
      block.extent[d] = axis.extent(block.part[d]);
      block.cell[d] = axis.flip(place[d] - block.part[d] * axis.part, block.extent[d]);
    }
    return block;
  }
  /// The block of a node, at a level.
  [[nodiscard]] Block block_of(Point node, int l) const {
    Block found = block(0, node);
    for (int at = 1; at <= l; ++at) found = block(at, found.part);
    return found;
  }
  /// The first level at which the node is not the entry of its block; levels() for the top.
  [[nodiscard]] int level_of(Point node) const {
    int l = 0;
    for (; l < levels(); ++l) {
      const Block at = block(l, node);
      if (!at.at_entry()) break;
      node = at.part;
    }
    return l;
  }

  /// The node of the level's mesh that a cell of a block is.
  [[nodiscard, gnu::noinline]] Point place_of(int l, const Block& block, int cell) const {
    const int row = quotient(cell, block.extent[0]);
    const int z = block.extent[2] == 1 ? 0 : quotient(row, block.extent[1]);
    const Point cells{cell - row * block.extent[0], row - z * block.extent[1], z};
    Point place;
    for (std::size_t d = 0; d < 3; ++d) {
      const Axis& axis = level(l).axis[d];
      place[d] = block.part[d] * axis.part + axis.flip(cells[d], block.extent[d]);
    }
    return place;
  }
  /// The node that a node of a level's mesh is.
  [[nodiscard, gnu::noinline]] Point node_of(Point place, int l) const {
    while (l-- > 0) {
      for (std::size_t d = 0; d < 3; ++d) place[d] = level(l).axis[d].entry(place[d]);
    }
    return place;
  }
  [[nodiscard]] Point top() const { return node_of({0, 0, 0}, levels()); }

  /// Who sends to a node in its block of a level, and in which step from the top.
  [[nodiscard]] Point parent(const Point& node, int l, int& step) const {
    const Block block = block_of(node, l);
    const BlockMessage message = block.messages().message_to(block.cell_number());
    step = level(l).steps_before + message.step;
    return node_of(place_of(l, block, message.from), l);
  }

  /// Nodes that a node of a level's mesh stands for.
  [[nodiscard]] int nodes_of(const Point& place, int l) const {
    int nodes = 1;
    for (std::size_t d = 0; d < 3; ++d) {
      int width = 1;
      for (int below = 0; below < l; ++below) width *= level(below).axis[d].part;
      const int rest = size_[d] - place[d] * width;
      nodes *= rest < width ? rest : width;
    }
    return nodes;
  }
  /// Nodes of the cells that a block's cell reaches in the steps after one, itself included.
  [[nodiscard, gnu::noinline, gnu::cold]] int nodes_below(int l, const Block& block,
                                                          const Messages& messages, int cell,
                                                          int step) const {
    int nodes = nodes_of(place_of(l, block, cell), l);
    while (++step <= block_table::kMostSteps) {
      messages.for_each_message(
          cell, step, [&](int to) { nodes += nodes_below(l, block, messages, to, step); });
    }
    return nodes;
  }
  /// The nodes below a node, with what would be below the source's place.
  [[nodiscard]] int nodes_with_source(const Point& node, int l) const {
    if (l == levels()) return nodes();
    const Block block = block_of(node, l);
    const Messages messages = block.messages();
    const int cell = block.cell_number();
    return nodes_below(l, block, messages, cell, messages.message_to(cell).step);
  }

 private:
  const Notes& notes_;
  Point size_;
  std::array<Level, kMostLevels> level_;
};

// ---- How a network is cut ----------------------------------------------------------------------

int steps_of_plane(int x, int y) {
  int steps = 0;
  while (x * y > 1) {
    const block_table::Division cut = block_table::cut_of(x, y);
    steps += cut.steps;
    x = quotient_rounded_up(x, cut.w);
    y = quotient_rounded_up(y, cut.h);
  }
  return steps;
}
int steps_of_line(int z) {
  int steps = 0;
  for (; z > 1; z = quotient_rounded_up(z, 3)) ++steps;
  return steps;
}
bool is_solid(const Point& size) {
  constexpr int kMost = block_table::kLargestSolid;
  return size[2] > 1 && size[0] <= kMost && size[1] <= kMost && size[2] <= kMost;
}
/// Without cubes.
int steps_of(const Point& size) {
  if (is_solid(size)) return block_table::steps_of(block_number(size[0], size[1], size[2]));
  return steps_of_plane(size[0], size[1]) + steps_of_line(size[2]);
}
Point by_cubes(const Point& size) {
  return {quotient_rounded_up(size[0], 3), quotient_rounded_up(size[1], 3),
          quotient_rounded_up(size[2], 3)};
}

/// A mesh that is being cut, and where the source is in it.
struct Cutting {
  Point size, source;
  int steps;  ///< of what is not cut yet
  std::array<bool, 3> ring;
  Notes& notes;
  std::array<bool, 3> uneven{};  ///< finer levels have parts of two sizes

  /// The rings whose 4 x 4 block a level needs, as its messages go round unequal parts.
  [[nodiscard]] unsigned rings_of(const Point& width) const {
    if (size[0] != 4 || size[1] != 4 || width != Point{4, 4, 1}) return 0;
    if (!(ring[0] && uneven[0]) && !(ring[1] && uneven[1])) return 0;
    return (ring[0] ? 1U : 0U) | (ring[1] ? 2U : 0U);
  }

  /// By blocks of `width`, which take `level_steps`.
  void cut(const Point& width, int level_steps) {
    Level level;
    level.steps_before = steps -= level_steps;
    level.rings = rings_of(width);
    for (std::size_t d = 0; d < 3; ++d) {
      Axis& axis = level.axis[d];
      axis.nodes = static_cast<std::uint16_t>(size[d]);
      // The divider: parts may be as many as nodes.
      axis.part =
          static_cast<std::uint8_t>((size[d] - 1) / quotient_rounded_up(size[d], width[d]) + 1);
      const int p = axis.part_of(source[d]);
      axis.mirrored = !ring[d] && 2 * (source[d] - p * axis.part) > axis.extent(p) - 1;
      source[d] = p;
    }
    const Point nodes = size;
    size = level.blocks();
    for (std::size_t d = 0; d < 3; ++d)
      uneven[d] = uneven[d] || size[d] * level.axis[d].part != nodes[d];
    notes.level[notes.levels++] = level.packed();
  }
};

bool fits(Frame& frame) {
  if (!frame.is_network()) return false;
  const Address root = frame.root();
  Cutting mesh{{frame.size().x, frame.size().y, frame.size().z},
               {root.x, root.y, root.z},
               steps_of({frame.size().x, frame.size().y, frame.size().z}),
               {frame.is_ring(0), frame.is_ring(1), frame.is_ring(2)},
               frame.make_notes<Notes>()};
  Notes& notes = mesh.notes;
  notes.levels = 0;
  int cubes = 0, k = 0;
  for (Point rest = mesh.size; rest[2] > 1;) {
    rest = by_cubes(rest);
    const int steps = 2 * ++k + steps_of(rest);
    if (steps >= mesh.steps) continue;
    mesh.steps = steps;
    cubes = k;
  }
  const int steps = mesh.steps;
  for (; cubes > 0; --cubes) mesh.cut({3, 3, 3}, 2);
  if (is_solid(mesh.size)) mesh.cut(mesh.size, mesh.steps);
  while (mesh.size[0] * mesh.size[1] > 1) {
    const block_table::Division cut = block_table::cut_of(mesh.size[0], mesh.size[1]);
    mesh.cut({cut.w, cut.h, 1}, cut.steps);
  }
  while (mesh.size[2] > 1) mesh.cut({1, 1, 3}, 1);

  notes.steps = static_cast<std::uint8_t>(steps);
  notes.relay = false;
  for (std::uint8_t& shift : notes.shift) shift = 0;
  const Point top = Grid(frame).top(), source{root.x, root.y, root.z};
  const Size size = frame.size();
  const Point sizes{size.x, size.y, size.z};
  for (std::size_t d = 0; d < 3; ++d) {
    if (mesh.ring[d]) {
      const int shift = top[d] - source[d] + (top[d] < source[d] ? sizes[d] : 0);
      notes.shift[d] = static_cast<std::uint8_t>(shift);
    } else if (top[d] != source[d]) {
      notes.relay = true;
    }
  }
  return true;
}

int steps(const Frame& frame) {
  const Grid grid(frame);
  return grid.steps() + (grid.relay() ? 1 : 0);
}

// ---- One node's part ---------------------------------------------------------------------------

// What the rule keeps in the plan: the level + 1 whose messages come next (0: none), their step in
// the block, and whether the source has the relay before it.
constexpr std::size_t kLevel = 0, kStep = 1, kRelay = 2;

void take_step(TreePlan& plan) {
  if (++plan.state[kStep] <= block_table::kMostSteps) return;
  plan.state[kStep] = 1;
  --plan.state[kLevel];
}

void find_parent(const Frame& frame, Address node, TreePlan& plan) {
  const Grid grid(frame);
  const Point at = grid.counted(node);
  const int level = grid.level_of(at);
  const bool is_source = node == frame.root();
  plan.receive_step = 0;
  plan.state[kLevel] =
      static_cast<std::uint32_t>(level < grid.levels() ? level + 1 : grid.levels());
  plan.state[kStep] = 1;
  plan.state[kRelay] = is_source && grid.relay() ? 1 : 0;
  if (is_source) return;
  if (level == grid.levels()) {
    plan.parent = frame.root();
    plan.receive_step = 1;
    return;
  }
  int step = 0;
  plan.parent = grid.address(grid.parent(at, level, step));
  plan.receive_step = step + (grid.relay() ? 1 : 0);
  plan.state[kStep] = static_cast<std::uint32_t>(step - grid.level(level).steps_before);
  take_step(plan);
}

bool next_step(const Frame& frame, Address node, TreePlan& plan) {
  plan.clear();
  if (plan.state[kLevel] == 0 && plan.state[kRelay] == 0) return false;
  const Grid grid(frame);
  if (plan.state[kRelay] != 0) {
    plan.state[kRelay] = 0;
    plan.step = 1;
    plan.add(grid.address(grid.top()));
    return true;
  }
  const Point at = grid.counted(node);
  while (plan.state[kLevel] != 0) {
    const int level = static_cast<int>(plan.state[kLevel]) - 1;
    const Block block = grid.block_of(at, level);
    const Messages messages = block.messages();
    const int cell = block.cell_number();
    do {
      const int step = static_cast<int>(plan.state[kStep]);
      messages.for_each_message(cell, step, [&](int number) {
        const Address to = grid.address(grid.node_of(grid.place_of(level, block, number), level));
        if (to != frame.root()) plan.add(to);
      });
      take_step(plan);
      if (plan.sends().empty()) continue;
      plan.step = grid.level(level).steps_before + step + (grid.relay() ? 1 : 0);
      return true;
    } while (plan.state[kStep] != 1);
  }
  return false;
}

[[gnu::cold]] std::uint32_t subtree(const Frame& frame, Address node) {
  if (node == frame.root()) return frame.nodes();
  const Grid grid(frame);
  const Point at = grid.counted(node), source = grid.counted(frame.root());
  int nodes = grid.nodes_with_source(at, grid.level_of(at));
  // The source's tree is missing from those of all that would come before it.
  const int source_level = grid.level_of(source);
  Point above = source;
  for (int l = source_level; l < grid.levels(); l = grid.level_of(above)) {
    int step = 0;
    above = grid.parent(above, l, step);
    if (above == at) {
      nodes -= grid.nodes_with_source(source, source_level);
      break;
    }
  }
  return static_cast<std::uint32_t>(nodes);
}

}  // namespace

const TreeRule kRule{fits, steps, find_parent, next_step, subtree};

}  // namespace annelid::firmware::edn_optimal
