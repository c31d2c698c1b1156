// A mesh is a block of the highest level H. A block of a level above 0 is made of parts, two, three
// or four blocks of the level below, and its tops are some of theirs, which send to the others in
// the level's step. A block of level 0 is a base: a square of 4·2^k with all its levels, or one of
// the small blocks. The startup brings the message to the mesh's tops.
#include "firmware/collectives/edn_mesh.hpp"

#include "firmware/collectives/edn_cells.hpp"
#include "firmware/collectives/edn_square.hpp"

namespace annelid::firmware::edn_mesh {
namespace {

using Coordinates = std::array<int, 3>;
Coordinates coordinates(Address a) { return {a.x, a.y, a.z}; }
Address address(const Coordinates& c) {
  return {static_cast<std::uint8_t>(c[0]), static_cast<std::uint8_t>(c[1]),
          static_cast<std::uint8_t>(c[2])};
}

// ---- Levels ------------------------------------------------------------------------------------

/// What a part's top is in the whole: the whole's top number `of`, or a receiver of that one.
struct Role {
  bool is_top;
  std::uint8_t of;
};
constexpr Role T(std::uint8_t of) { return {true, of}; }
constexpr Role R(std::uint8_t of) { return {false, of}; }

/// How a block is made of parts: `factor` of them along dimension u, and as many along v, if any.
/// Part number: that along u, + 2 · that along v.
struct Joint {
  int factor, u, v;
  Role roles[4][4];  ///< by part and top

  [[nodiscard]] int parts() const { return v < 0 ? factor : factor * factor; }
};
constexpr Role kSame[4] = {R(0), R(1), R(2), R(3)}, kTops[4] = {T(0), T(1), T(2), T(3)};
#define ROW(row) \
  { (row)[0], (row)[1], (row)[2], (row)[3] }
enum JointCode : std::uint8_t {
  kQuad2,
  kQuad3,
  kQuadLongZ,
  kQuadLongX,
  kInX,
  kInXOf4,
  kInY,
  kTripleZ,
  kTripleX
};
constexpr Joint kJoints[] = {
    {2, 0, 1, {{R(0), T(0)}, {R(1), R(0)}, {R(1), R(0)}, {T(1), R(1)}}},
    {2, 0, 1, {{R(0), T(0), T(1)}, {R(0), R(2), R(1)}, {R(1), R(0), R(1)}, {R(2), T(2), R(2)}}},
    {2,
     0,
     1,
     {{R(0), T(0), R(0), T(1)},
      {R(1), T(2), R(3), R(2)},
      {R(1), R(0), R(3), R(1)},
      {R(2), R(2), T(3), R(3)}}},
    {2, 1, 2, {ROW(kSame), {T(0), T(1), R(0), R(1)}, {R(2), R(3), T(2), T(3)}, ROW(kSame)}},
    {2, 0, -1, {ROW(kTops), ROW(kSame)}},
    {2, 0, -1, {{T(0), T(1), R(1), R(0)}, {R(3), R(2), T(2), T(3)}}},
    {2, 1, -1, {ROW(kTops), ROW(kSame)}},
    {3, 2, -1, {ROW(kSame), ROW(kTops), ROW(kSame)}},
    {3, 0, -1, {ROW(kSame), ROW(kTops), ROW(kSame)}},
};
#undef ROW

// ---- Startup -----------------------------------------------------------------------------------

enum Who : std::uint8_t { kSource, kA, kB, kC, kD };
struct StartupMessage {
  Who from, to;
  std::uint8_t step;  ///< 0: no message
};
struct Startup {
  StartupMessage messages[4];
  int steps;
};
// Fixed, by the number of tops, from 2.
constexpr Startup kFixed[] = {{{{kSource, kA, 1}, {kA, kB, 2}}, 2},
                              {{{kSource, kB, 1}, {kB, kA, 2}, {kB, kC, 2}}, 2},
                              {{{kSource, kC, 1}, {kC, kB, 2}, {kC, kD, 2}, {kB, kA, 3}}, 3}};
// Fastest, by where the source is.
constexpr Startup kFastestOf2[] = {{{{kSource, kA, 1}, {kA, kB, 2}}, 2},
                                   {{{kSource, kA, 1}, {kSource, kB, 1}}, 1},
                                   {{{kSource, kB, 1}, {kB, kA, 2}}, 2}};
constexpr Startup kFastestOf3[] = {{{{kSource, kA, 1}, {kSource, kB, 1}, {kSource, kC, 1}}, 1},
                                   {{{kSource, kB, 1}, {kB, kA, 2}, {kB, kC, 2}}, 2}};
constexpr Startup kFastestOf4[] = {
    {{{kSource, kC, 1}, {kSource, kA, 2}, {kC, kB, 2}, {kC, kD, 2}}, 2},
    {{{kSource, kA, 1}, {kSource, kB, 1}, {kA, kD, 2}, {kB, kC, 2}}, 2},
    {{{kSource, kB, 1}, {kSource, kC, 1}, {kB, kA, 2}, {kC, kD, 2}}, 2},
    {{{kSource, kC, 1}, {kSource, kD, 1}, {kC, kB, 2}, {kD, kA, 2}}, 2},
    {{{kSource, kB, 1}, {kSource, kD, 2}, {kB, kA, 2}, {kB, kC, 2}}, 2}};

/// `tops` by ascending x. `column_tops`: a mesh of 4 x 4, which has a top in each column.
Startup choose_startup(std::span<const Address> tops, int x, bool fixed, bool column_tops) {
  if (fixed) return kFixed[tops.size() - 2];
  if (tops.size() == 2) return kFastestOf2[x < tops[0].x ? 0 : x <= tops[1].x ? 1 : 2];
  if (tops.size() == 3) return kFastestOf3[x == tops[1].x ? 0 : 1];
  if (column_tops) {
    const auto top = [&](int column) { return static_cast<Who>(kA + column); };
    return {{{kSource, top(x), 1},
             {kSource, top(x ^ 2), 1},
             {top(x), top(x ^ 1), 2},
             {top(x ^ 2), top(x ^ 3), 2}},
            2};
  }
  const int place = x < tops[0].x    ? 0
                    : x < tops[1].x  ? 1
                    : x <= tops[2].x ? 2
                    : x <= tops[3].x ? 3
                                     : 4;
  return kFastestOf4[place];
}

// ---- A frame's mesh ----------------------------------------------------------------------------

// The notes.
constexpr std::size_t kShape = 0, kReciprocal = 1;
static_assert(kReciprocal + 3 <= Frame::kNotes);

class Mesh {
 public:
  /// Known by fits().
  [[gnu::noinline]] explicit Mesh(const Frame& frame) : frame_(frame) {
    const std::uint32_t shape = frame.notes[kShape];
    const auto field = [&](int low, std::uint32_t mask) {
      return static_cast<int>(shape >> low & mask);
    };
    first_ = static_cast<JointCode>(field(0, 15));
    second_ = static_cast<JointCode>(field(4, 15));
    firsts_ = field(8, 15);
    levels = field(12, 15);
    tops = field(16, 7);
    startup_steps = field(19, 3);
    base_x_ = field(21, 255) + 1;
    planes_ = field(29, 7);
  }
  static std::uint32_t shape(JointCode first, JointCode second, int firsts, int levels, int tops,
                             int base_x, int planes) {
    const auto word = [](int value) { return static_cast<std::uint32_t>(value); };
    return word(first) | word(second) << 4 | word(firsts) << 8 | word(levels) << 12 |
           word(tops) << 16 | word(base_x - 1) << 21 | word(planes) << 29;
  }

  int levels;         ///< H
  int tops;           ///< of each block
  int startup_steps;  ///< 0 if they are not known yet

  [[nodiscard]] const Joint& joint(int level) const {
    return kJoints[level <= firsts_ ? first_ : second_];
  }

  /// The base is a square of 4·2^k.
  [[nodiscard]] bool has_square() const { return planes_ == 0 && tops == 4; }
  /// Its side.
  [[nodiscard]] int square() const { return base_x_; }
  [[nodiscard]] const edn_cells::Block& cells() const {
    return planes_ == 0 ? edn_cells::square(base_x_)
                        : edn_cells::cuboid(planes_, first_ == kQuadLongX);
  }
  /// Of the base.
  [[nodiscard]] Coordinates base() const {
    if (planes_ == 0) return {base_x_, base_x_, 1};
    return first_ == kQuadLongX ? Coordinates{planes_, 4, 4} : Coordinates{4, 4, planes_};
  }
  [[nodiscard]] int base_steps() const {
    return has_square() ? edn_square::level_of(base_x_) + 1 : 2;
  }
  [[nodiscard]] int steps() const { return startup_steps + levels + base_steps(); }

  /// The base that a node is in, counted in each dimension.
  [[nodiscard, gnu::noinline]] Coordinates base_of(const Coordinates& node) const {
    Coordinates result;
    for (std::size_t d = 0; d < 3; ++d) {
      result[d] = static_cast<int>(
          static_cast<std::uint32_t>(node[d]) * frame_.notes[kReciprocal + d] >> 16);
    }
    return result;
  }
  [[nodiscard]] Coordinates in_base(const Coordinates& node, const Coordinates& base_number) const {
    const Coordinates size = base();
    return {node[0] - base_number[0] * size[0], node[1] - base_number[1] * size[1],
            node[2] - base_number[2] * size[2]};
  }
  [[nodiscard]] Coordinates from_base(const Coordinates& local,
                                      const Coordinates& base_number) const {
    const Coordinates size = base();
    return {local[0] + base_number[0] * size[0], local[1] + base_number[1] * size[1],
            local[2] + base_number[2] * size[2]};
  }

  [[nodiscard]] int cell(const Coordinates& local) const {
    const Coordinates size = base();
    return (local[2] * size[1] + local[1]) * size[0] + local[0];
  }
  [[nodiscard, gnu::noinline]] Coordinates local_of(int cell) const {
    const Coordinates size = base();
    const int row = cell / size[0], z = row / size[1];
    return {cell - row * size[0], row - z * size[1], z};
  }
  /// A top of the base, in it.
  [[nodiscard]] Coordinates base_top(int index) const {
    if (!has_square()) return local_of(cells().tops()[static_cast<std::size_t>(index)]);
    const edn_square::Point p = edn_square::top(index, base_x_);
    return {p.x, p.y, 0};
  }

  /// The top `index` of a block of a level; blocks are counted in each dimension.
  [[nodiscard, gnu::noinline]] Address top(int level, Coordinates block, int index) const {
    for (; level > 0; --level) {
      const Joint& j = joint(level);
      int part = 0;
      const int role = index;
      for (bool found = false; !found; part += found ? 0 : 1) {
        for (index = 0; index < tops && !found; index += found ? 0 : 1)
          found = j.roles[part][index].is_top && j.roles[part][index].of == role;
      }
      block = part_block(j, block, part);
    }
    return address(from_base(base_top(index), block));
  }
  [[nodiscard]] static Coordinates part_block(const Joint& j, Coordinates block, int part) {
    const auto u = static_cast<std::size_t>(j.u);
    if (j.v < 0) {
      block[u] = block[u] * j.factor + part;
    } else {
      const auto v = static_cast<std::size_t>(j.v);
      block[u] = 2 * block[u] + (part & 1);
      block[v] = 2 * block[v] + (part >> 1);
    }
    return block;
  }
  /// Goes from a part to its whole; gives the part's number.
  [[nodiscard]] static int to_whole(const Joint& j, Coordinates& block) {
    const auto u = static_cast<std::size_t>(j.u);
    if (j.factor == 3) {
      const int whole = static_cast<int>(static_cast<std::uint32_t>(block[u]) * 21846 >> 16);
      const int part = block[u] - 3 * whole;
      block[u] = whole;
      return part;
    }
    int part = block[u] & 1;
    block[u] >>= 1;
    if (j.v >= 0) {
      const auto v = static_cast<std::size_t>(j.v);
      part |= (block[v] & 1) << 1;
      block[v] >>= 1;
    }
    return part;
  }

 private:
  const Frame& frame_;
  JointCode first_, second_;
  int firsts_, base_x_, planes_;
};

/// What a node is, without regard to the source.
struct Standing {
  int base_level;  ///< of the highest blocks in its base of which it is a top; -1: none. With a
                   ///< base of cells 0 for dominating nodes as well as tops
  int level;  ///< as which top it stands highest: a top of a block of this level; -1: of no base
  int index;  ///< which top of it
  Coordinates block;  ///< that block's number
};

[[gnu::noinline]] Standing standing(const Mesh& mesh, Address node, int up_to) {
  const Coordinates at = coordinates(node);
  Standing s{-1, -1, 0, mesh.base_of(at)};
  const Coordinates local = mesh.in_base(at, s.block);
  if (mesh.has_square()) {
    const edn_square::Point p{local[0], local[1]};
    s.base_level = edn_square::highest_level(p, mesh.square());
    if (s.base_level < edn_square::level_of(mesh.square())) return s;
    s.index = edn_square::top_index(p, mesh.square());
  } else {
    const std::span<const std::uint8_t> tops = mesh.cells().tops();
    const int cell = mesh.cell(local);
    while (s.index < mesh.tops && tops[static_cast<std::size_t>(s.index)] != cell) ++s.index;
    if (s.index == mesh.tops) return s;
  }
  s.level = 0;
  while (s.level < up_to) {
    const Joint& j = mesh.joint(s.level + 1);
    Coordinates whole = s.block;
    const int part = Mesh::to_whole(j, whole);
    const Role role = j.roles[part][s.index];
    if (!role.is_top) break;
    ++s.level;
    s.index = role.of;
    s.block = whole;
  }
  return s;
}

/// Who sends to a node that is no top of the mesh; and in which step after the startup.
[[gnu::noinline]] Address parent(const Mesh& mesh, Address node, const Standing& s, int& step) {
  if (s.level >= 0) {
    const Joint& j = mesh.joint(s.level + 1);
    Coordinates whole = s.block;
    const int part = Mesh::to_whole(j, whole);
    step = mesh.levels - s.level;
    return mesh.top(s.level + 1, whole, j.roles[part][s.index].of);
  }
  const Coordinates local = mesh.in_base(coordinates(node), s.block);
  Coordinates from{};
  if (mesh.has_square()) {
    const int n = mesh.square();
    const edn_square::Point p = edn_square::parent({local[0], local[1]}, s.base_level, n);
    from = {p.x, p.y, 0};
    step = mesh.levels + edn_square::level_of(n) - s.base_level;
  } else {
    const edn_cells::Block& cells = mesh.cells();
    const int cell = mesh.cell(local);
    from = mesh.local_of(cells.parent(cell));
    step = mesh.levels + cells.step(cell);
  }
  return address(mesh.from_base(from, s.block));
}

/// The startup of a frame, found by those who have a part in it.
class FrameStartup {
 public:
  FrameStartup(const Frame& frame, const Mesh& mesh) : source_(frame.root()) {
    for (int i = 0; i < mesh.tops; ++i)
      tops_[static_cast<std::size_t>(i)] = mesh.top(mesh.levels, {0, 0, 0}, i);
    startup_ = choose_startup({tops_.data(), static_cast<std::size_t>(mesh.tops)}, source_.x,
                              frame.parameter() == 1, frame.size() == Size{4, 4, 1});
  }

  [[nodiscard]] int steps() const { return startup_.steps; }
  [[nodiscard]] std::span<const StartupMessage> messages() const { return startup_.messages; }
  [[nodiscard]] Address node(Who who) const {
    return who == kSource ? source_ : tops_[static_cast<std::size_t>(who - kA)];
  }
  /// Calls visit(to, step) for what a node sends.
  template <typename Visit>
  void for_each_send(Address from, Visit visit) const {
    for (const StartupMessage& m : startup_.messages) {
      if (m.step == 0) break;
      const Address to = node(m.to);
      if (node(m.from) == from && !(to == from) && !(to == source_)) visit(to, m.step);
    }
  }

 private:
  Address source_;
  std::array<Address, 4> tops_;
  Startup startup_;
};

// ---- Which meshes ------------------------------------------------------------------------------

/// n = b·2^k with b = 4 .. 7: b and k; b = 0 if it is not so.
int smallest_side(int n, int& k) {
  k = 0;
  for (; n > 7 && n % 2 == 0; n /= 2) ++k;
  return n >= 4 && n <= 7 ? n : 0;
}

/// Of a base's side: 1, 4 .. 7 or a power of two. For dividends below 256.
std::uint32_t reciprocal(int n) {
  constexpr std::uint16_t kOf[] = {65536 / 5 + 1, 65536 / 6 + 1, 65536 / 7 + 1};
  if (n >= 5 && n <= 7) return kOf[n - 5];
  std::uint32_t result = 65536;
  for (; n > 1; n >>= 1) result >>= 1;
  return result;
}

/// The notes' shape, 0 if there is none.
std::uint32_t plane_shape(Size size) {
  int kx = 0, ky = 0;
  const int b = smallest_side(size.x, kx);
  if (b == 0 || smallest_side(size.y, ky) != b) return 0;
  const int i = kx < ky ? kx : ky, joined = kx + ky - 2 * i;
  const bool in_x = kx > ky;
  if (b == 4) return Mesh::shape(in_x ? kInXOf4 : kInY, kInY, joined, joined, 4, 4 << i, 0);
  return Mesh::shape(b == 7 ? kQuad3 : kQuad2, in_x ? kInX : kInY, i, i + joined, b == 7 ? 3 : 2, b,
                     0);
}
std::uint32_t cuboid_shape(Size size) {
  const auto shape = [](int side, int other, int along, bool long_x) -> std::uint32_t {
    int k = 0, m = 0;
    if (side != other || smallest_side(side, k) != 4) return 0;
    while (along % 3 == 0) {
      along /= 3;
      ++m;
    }
    if (along != 4 && along != 5) return 0;
    return Mesh::shape(long_x ? kQuadLongX : kQuadLongZ, long_x ? kTripleX : kTripleZ, k, k + m, 4,
                       4, along);
  };
  const std::uint32_t long_z = shape(size.x, size.y, size.z, false);
  return long_z != 0 ? long_z : shape(size.y, size.z, size.x, true);
}

bool fits(Frame& frame) {
  const Size size = frame.size();
  if (!frame.is_network() || frame.has_rings()) return false;
  const std::uint32_t shape = size.z == 1 ? plane_shape(size) : cuboid_shape(size);
  if (shape == 0) return false;
  frame.notes[kShape] = shape;
  const Coordinates base = Mesh(frame).base();
  for (std::size_t d = 0; d < 3; ++d) frame.notes[kReciprocal + d] = reciprocal(base[d]);
  // Four tops take as many steps from everywhere, the square of 4 x 4 nodes too.
  const Mesh mesh(frame);
  const int startup_steps =
      mesh.tops == 4 ? (frame.parameter() == 1 ? 3 : 2) : FrameStartup(frame, mesh).steps();
  frame.notes[kShape] |= static_cast<std::uint32_t>(startup_steps) << 19;
  return true;
}

int steps(const Frame& frame) { return Mesh(frame).steps(); }

// ---- One node's part ---------------------------------------------------------------------------

// What the rule keeps in the plan: the next step to look at, and what the node is.
constexpr std::size_t kNext = 0, kBaseLevel = 1, kLevel = 2;
constexpr std::uint32_t kNone = 0xFF;  // for -1

void find_parent(const Frame& frame, Address node, TreePlan& plan) {
  const Mesh mesh(frame);
  const Standing s = standing(mesh, node, mesh.levels);
  plan.receive_step = 0;
  plan.state[kNext] = 1;
  plan.state[kBaseLevel] = static_cast<std::uint32_t>(s.base_level) & kNone;
  plan.state[kLevel] = static_cast<std::uint32_t>(s.level) & kNone;
  if (node == frame.root()) return;
  if (s.level < mesh.levels) {
    int step = 0;
    plan.parent = parent(mesh, node, s, step);
    plan.receive_step = mesh.startup_steps + step;
    plan.state[kNext] = static_cast<std::uint32_t>(plan.receive_step + 1);
    return;
  }
  const FrameStartup startup(frame, mesh);
  for (const StartupMessage& m : startup.messages()) {
    const Address from = startup.node(m.from);
    if (m.step == 0 || !(startup.node(m.to) == node) || from == node) continue;
    plan.parent = from;
    plan.receive_step = m.step;
  }
}

/// The sends of a step behind the startup.
[[gnu::noinline]] void add_sends(const Mesh& mesh, Address node, Address source, int step,
                                 int highest, int base_level, TreePlan& plan) {
  const auto add = [&](Address to) {
    if (!(to == source)) plan.add(to);
  };
  const int level = mesh.levels + 1 - step;
  if (level > 0) {
    if (level > highest) return;  // a source that is no top of the mesh has this behind its startup
    const Standing s = standing(mesh, node, level);
    const Joint& j = mesh.joint(level);
    for (int part = 0; part < j.parts(); ++part) {
      for (int index = 0; index < mesh.tops; ++index) {
        const Role role = j.roles[part][index];
        if (!role.is_top && role.of == s.index)
          add(mesh.top(level - 1, Mesh::part_block(j, s.block, part), index));
      }
    }
    return;
  }
  const Coordinates at = coordinates(node), base = mesh.base_of(at);
  const Coordinates local = mesh.in_base(at, base);
  const int base_step = step - mesh.levels;
  if (mesh.has_square()) {
    const int n = mesh.square(), in_square = edn_square::level_of(n) + 1 - base_step;
    if (in_square > base_level) return;
    const edn_square::Receivers to = edn_square::receivers({local[0], local[1]}, in_square, n);
    for (int i = 0; i < to.count; ++i) {
      const edn_square::Point p = to.to[static_cast<std::size_t>(i)];
      add(address(mesh.from_base({p.x, p.y, 0}, base)));
    }
    return;
  }
  const edn_cells::Block& cells = mesh.cells();
  for (const std::uint8_t child : cells.children(mesh.cell(local))) {
    if (cells.step(child) == base_step) add(address(mesh.from_base(mesh.local_of(child), base)));
  }
}

bool next_step(const Frame& frame, Address node, TreePlan& plan) {
  const Mesh mesh(frame);
  const auto signed_level = [&](std::size_t i) {
    return plan.state[i] == kNone ? -1 : static_cast<int>(plan.state[i]);
  };
  const int level = signed_level(kLevel), base_level = signed_level(kBaseLevel);
  int step = static_cast<int>(plan.state[kNext]);
  plan.clear();
  if (mesh.has_square() && base_level < 0 && !(node == frame.root())) return false;
  for (; plan.sends().empty() && step <= mesh.steps(); ++step) {
    if (step <= mesh.startup_steps) {
      FrameStartup(frame, mesh).for_each_send(node, [&](Address to, int in_step) {
        if (in_step == step) plan.add(to);
      });
    } else {
      add_sends(mesh, node, frame.root(), step - mesh.startup_steps, level, base_level, plan);
    }
  }
  plan.step = step - 1;
  plan.state[kNext] = static_cast<std::uint32_t>(step);
  return !plan.sends().empty();
}

// ---- Sizes of trees ----------------------------------------------------------------------------

/// Nodes that a node reaches in the steps behind the startup, itself and the source's place
/// included.
[[gnu::noinline]] std::uint32_t nodes_below(const Mesh& mesh, Address node, const Standing& s) {
  if (s.level < 0) {
    if (mesh.has_square()) return edn_square::nodes_below(s.base_level);
    const Coordinates at = coordinates(node);
    return static_cast<std::uint32_t>(
        mesh.cells().nodes_below(mesh.cell(mesh.in_base(at, mesh.base_of(at)))));
  }
  std::array<std::uint32_t, 4> nodes{};  // by top, of blocks of a level, from 0 up
  for (std::size_t i = 0; i < static_cast<std::size_t>(mesh.tops); ++i) {
    nodes[i] = mesh.has_square()
                   ? edn_square::nodes_below(edn_square::level_of(mesh.square()))
                   : static_cast<std::uint32_t>(mesh.cells().nodes_below(mesh.cells().tops()[i]));
  }
  for (int level = 1; level <= s.level; ++level) {
    const Joint& j = mesh.joint(level);
    std::array<std::uint32_t, 4> whole{};
    for (int part = 0; part < j.parts(); ++part) {
      for (int index = 0; index < mesh.tops; ++index)
        whole[j.roles[part][index].of] += nodes[static_cast<std::size_t>(index)];
    }
    nodes = whole;
  }
  return nodes[static_cast<std::size_t>(s.index)];
}

std::uint32_t subtree(const Frame& frame, Address node) {
  if (node == frame.root()) return frame.nodes();
  const Mesh mesh(frame);
  const Address source = frame.root();
  const Standing of_source = standing(mesh, source, mesh.levels);
  // The source's tree is missing from those of all that would come before it.
  const auto without_source = [&](Address top) {
    std::uint32_t nodes = nodes_below(mesh, top, standing(mesh, top, mesh.levels));
    Address above = source;
    for (Standing s = of_source; s.level < mesh.levels; s = standing(mesh, above, mesh.levels)) {
      int step = 0;
      above = parent(mesh, above, s, step);
      if (above == top) return nodes - nodes_below(mesh, source, of_source);
    }
    return nodes;
  };
  std::uint32_t nodes = without_source(node);
  // Tops of the mesh that got the message from this one, and so on.
  if (standing(mesh, node, mesh.levels).level < mesh.levels) return nodes;
  const FrameStartup startup(frame, mesh);
  startup.for_each_send(node, [&](Address to, int) {
    nodes += without_source(to);
    startup.for_each_send(to, [&](Address last, int) { nodes += without_source(last); });
  });
  return nodes;
}

}  // namespace

const TreeRule kRule{fits, steps, find_parent, next_step, subtree};

}  // namespace annelid::firmware::edn_mesh
