#include "firmware/collectives/edn/edn_mesh_geometry.hpp"

namespace annelid::firmware::edn_mesh {
namespace {

// ---- How blocks are joined ---------------------------------------------------------------------

/// What a part's top is in the whole: the whole's top number `of`, or a receiver of that one.
struct Role {
  bool is_top;
  std::uint8_t of;
};
constexpr Role T(std::uint8_t of) { return {true, of}; }
constexpr Role R(std::uint8_t of) { return {false, of}; }
using Roles = std::array<Role, 4>;  ///< of a part's tops; what it has not is a receiver of none
constexpr Role kNone = R(0xFF);
constexpr Roles kSame{R(0), R(1), R(2), R(3)}, kTops{T(0), T(1), T(2), T(3)};

enum Dimension : std::uint8_t { kX = 0, kY = 8, kZ = 16, kNo = Joint::kNoV };

constexpr Joint join(std::uint8_t factor, Dimension u, Dimension v, Roles part0, Roles part1,
                     Roles part2 = {kNone, kNone, kNone, kNone},
                     Roles part3 = {kNone, kNone, kNone, kNone}) {
  Joint joint{factor, u, v, 0, {}, {}, {}};
  const Roles parts[4] = {part0, part1, part2, part3};
  std::size_t sends[4] = {};
  for (std::size_t number = 0; number < 16; ++number) {
    const Role role = parts[number / 4][number % 4];
    if (role.of == kNone.of) continue;
    joint.role[number] = static_cast<std::uint8_t>(role.of | (role.is_top ? Joint::kIsTop : 0));
    if (role.is_top) {
      joint.top[role.of] = static_cast<std::uint8_t>(number);
    } else {
      joint.to[role.of][sends[role.of]++] = static_cast<std::uint8_t>(number);
    }
  }
  joint.sends = static_cast<std::uint8_t>(sends[0]);
  return joint;
}

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
    join(2, kX, kY, {R(0), T(0), kNone, kNone}, {R(1), R(0), kNone, kNone},
         {R(1), R(0), kNone, kNone}, {T(1), R(1), kNone, kNone}),
    join(2, kX, kY, {R(0), T(0), T(1), kNone}, {R(0), R(2), R(1), kNone}, {R(1), R(0), R(1), kNone},
         {R(2), T(2), R(2), kNone}),
    join(2, kX, kY, {R(0), T(0), R(0), T(1)}, {R(1), T(2), R(3), R(2)}, {R(1), R(0), R(3), R(1)},
         {R(2), R(2), T(3), R(3)}),
    join(2, kY, kZ, kSame, {T(0), T(1), R(0), R(1)}, {R(2), R(3), T(2), T(3)}, kSame),
    join(2, kX, kNo, kTops, kSame),
    join(2, kX, kNo, {T(0), T(1), R(1), R(0)}, {R(3), R(2), T(2), T(3)}),
    join(2, kY, kNo, kTops, kSame),
    join(3, kZ, kNo, kSame, kTops, kSame),
    join(3, kX, kNo, kSame, kTops, kSame),
};

// ---- Which meshes there are --------------------------------------------------------------------

/// n = b·2^k with b = 4 .. 7: b and k; b = 0 if it is not so.
int smallest_side(int n, int& k) {
  k = 0;
  for (; n > 7 && (n & 1) == 0; n >>= 1) ++k;
  return n >= 4 && n <= 7 ? n : 0;
}

void set_levels(Mesh& mesh, JointCode first, JointCode second, int firsts, int levels, int tops) {
  mesh.first = first;
  mesh.second = second;
  mesh.firsts = static_cast<std::uint8_t>(firsts);
  mesh.levels = static_cast<std::uint8_t>(levels);
  mesh.tops = static_cast<std::uint8_t>(tops);
}

bool describe_plane(Mesh& mesh, Size size) {
  int kx = 0, ky = 0;
  const int b = smallest_side(size.x, kx);
  if (b == 0 || smallest_side(size.y, ky) != b) return false;
  const int i = kx < ky ? kx : ky, joined = kx + ky - 2 * i;
  const bool in_x = kx > ky;
  if (b == 4) {
    mesh.cells = nullptr;
    mesh.square_level = static_cast<std::uint8_t>(i);
    mesh.within = ((4U << i) - 1) * 0x0101;
    set_levels(mesh, in_x ? kInXOf4 : kInY, kInY, joined, joined, 4);
  } else {
    mesh.cells = &edn_cells::square(b);
    set_levels(mesh, b == 7 ? kQuad3 : kQuad2, in_x ? kInX : kInY, i, i + joined, b == 7 ? 3 : 2);
  }
  return true;
}

bool describe_cuboid(Mesh& mesh, int side, int other, int along, bool long_x) {
  int k = 0, m = 0;
  if (side != other || smallest_side(side, k) != 4) return false;
  for (; along > 5; along /= 3) {
    if (along % 3 != 0) return false;
    ++m;
  }
  if (along < 4) return false;
  mesh.cells = &edn_cells::cuboid(along, long_x);
  set_levels(mesh, long_x ? kQuadLongX : kQuadLongZ, long_x ? kTripleX : kTripleZ, k, k + m, 4);
  return true;
}

}  // namespace

bool Mesh::describe(Size size) {
  if (size.z == 1) return describe_plane(*this, size);
  return describe_cuboid(*this, size.x, size.y, size.z, false) ||
         describe_cuboid(*this, size.y, size.z, size.x, true);
}

const Joint& Mesh::joint(int level) const { return kJoints[level <= firsts ? first : second]; }

Top Mesh::top_of_base(int level, Top top) const {
  for (; level > 0; --level) {
    const Joint& j = joint(level);
    top = j.in_part(top.block, j.top[top.index]);
  }
  return top;
}

Address Mesh::node_of_cells(Top top) const {
  return cells->lowest(top.block) + cells->node(cells->tops()[static_cast<std::size_t>(top.index)]);
}

// ---- Nodes -------------------------------------------------------------------------------------

Standing standing(const Mesh& mesh, Address node) {
  Standing s{-1, -1, {mesh.base_of(node), 0}};
  const Address local = mesh.in_base(node);
  if (mesh.cells == nullptr) {
    const edn_square::Point p = Mesh::point(local);
    s.base_level = edn_square::highest_level(p, mesh.square_level);
    if (s.base_level < mesh.square_level) return s;
    s.top.index = edn_square::top_index(p, mesh.square_level);
  } else {
    const int cell = mesh.cells->number(local);
    if (!mesh.cells->is_top(cell)) return s;
    while (mesh.cells->tops()[static_cast<std::size_t>(s.top.index)] != cell) ++s.top.index;
  }
  for (s.level = 0; s.level < mesh.levels; ++s.level) {
    const Joint& j = mesh.joint(s.level + 1);
    Address whole = s.top.block;
    const std::uint8_t role = j.role[j.to_whole(whole, s.top.index)];
    if ((role & Joint::kIsTop) == 0) break;
    s.top = {whole, role & 3};
  }
  return s;
}

Address parent(const Mesh& mesh, Address node, const Standing& s, int& step) {
  if (s.level >= 0) {
    const Joint& j = mesh.joint(s.level + 1);
    Address whole = s.top.block;
    const std::uint32_t number = j.to_whole(whole, s.top.index);
    step = mesh.levels - s.level;
    return mesh.node(s.level + 1, {whole, j.role[number]});
  }
  const Address local = mesh.in_base(node);
  Address from;
  if (mesh.cells == nullptr) {
    from = Mesh::local_of(edn_square::parent(Mesh::point(local), s.base_level, mesh.square_level));
    step = mesh.levels + mesh.square_level - s.base_level;
  } else {
    const int cell = mesh.cells->number(local);
    from = mesh.cells->node(mesh.cells->parent(cell));
    step = mesh.levels + mesh.cells->step(cell);
  }
  return node - local + from;
}

std::uint32_t nodes_below(const Mesh& mesh, Address node, const Standing& s) {
  const auto of_cell = [&](int cell) {
    return static_cast<std::uint32_t>(mesh.cells->nodes_below(cell));
  };
  if (s.level < 0) {
    if (mesh.cells == nullptr) return edn_square::nodes_below(s.base_level);
    return of_cell(mesh.cells->number(mesh.in_base(node)));
  }
  std::array<std::uint32_t, 4> nodes{};  // by top, of blocks of a level, from 0 up
  for (std::size_t i = 0; i < mesh.tops; ++i) {
    nodes[i] = mesh.cells == nullptr ? edn_square::nodes_below(mesh.square_level)
                                     : of_cell(mesh.cells->tops()[i]);
  }
  for (int level = 1; level <= s.level; ++level) {
    const Joint& j = mesh.joint(level);
    std::array<std::uint32_t, 4> whole{};
    for (std::size_t i = 0; i < mesh.tops; ++i) {
      whole[i] = nodes[j.top[i] & 3];
      for (std::size_t send = 0; send < j.sends; ++send) whole[i] += nodes[j.to[i][send] & 3];
    }
    nodes = whole;
  }
  return nodes[static_cast<std::size_t>(s.top.index)];
}

}  // namespace annelid::firmware::edn_mesh
