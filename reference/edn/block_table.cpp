#include "reference/edn/block_table.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <vector>

namespace annelid::reference {
namespace {

#define BLOCK(w, h, d, steps)
#define M(step, from, to) {step, from, to},
constexpr StoredMessage kMessages[] = {
#include "schedules/blocks.inc"
};
#undef M
#undef BLOCK

#define RING_BLOCK(rings)
#define M(step, from, to) {step, from, to},
constexpr StoredMessage kRingMessages[] = {
#include "schedules/rings.inc"
};
#undef M
#undef RING_BLOCK

struct BlockLine {
  int w, h, d, steps;
};
#define BLOCK(w, h, d, steps) {w, h, d, steps},
#define M(step, from, to)
constexpr BlockLine kBlocks[] = {
#include "schedules/blocks.inc"
};
#undef M
#undef BLOCK

struct PlanLine {
  int steps, x, y, w, h;
};
#define PLAN(steps, x, y, w, h) {steps, x, y, w, h},
constexpr PlanLine kPlans[] = {
#include "schedules/plans.inc"
};
#undef PLAN

std::vector<StoredBlock> with_messages() {
  std::vector<StoredBlock> blocks;
  std::span<const StoredMessage> rest(kMessages);
  for (const BlockLine& b : kBlocks) {
    const auto count = static_cast<std::size_t>(b.w * b.h * b.d - 1);
    blocks.push_back({b.w, b.h, b.d, b.steps, rest.first(count)});
    rest = rest.subspan(count);
  }
  return blocks;
}

using Mesh = std::array<int, 3>;

int parts(int nodes, int width) { return (nodes + width - 1) / width; }
Mesh coarser(const Mesh& mesh, const std::array<int, 3>& block) {
  return {parts(mesh[0], block[0]), parts(mesh[1], block[1]), parts(mesh[2], block[2])};
}

const PlanLine& plan_of(int x, int y) {
  const auto* found =
      std::ranges::find_if(kPlans, [&](const PlanLine& p) { return p.x >= x && p.y >= y; });
  if (found == std::end(kPlans)) throw std::out_of_range("cut_of: sizes are 1 to 256");
  return *found;
}
int steps_of_plan(int x, int y) { return x * y == 1 ? 0 : plan_of(x, y).steps; }

const StoredBlock* find_block(const std::array<int, 3>& size) {
  const auto blocks = stored_blocks();
  const auto found = std::ranges::find_if(blocks, [&](const StoredBlock& b) {
    return std::array{b.w, b.h, b.d} == size;
  });
  return found == blocks.end() ? nullptr : &*found;
}

/// The finest level of a plane, and its steps.
struct PlaneDivision {
  int w, h, steps;
};
PlaneDivision cut_of_plane(int x, int y) {
  const PlanLine& plan = plan_of(x, y);
  const StoredBlock* whole = find_block({x, y, 1});
  if (whole != nullptr && whole->steps < plan.steps) return {x, y, whole->steps};
  return {plan.w, plan.h, plan.steps - steps_of_plan(parts(x, plan.w), parts(y, plan.h))};
}
int steps_of_plane(int x, int y) {
  if (x * y == 1) return 0;
  const PlaneDivision cut = cut_of_plane(x, y);
  return cut.steps + steps_of_plane(parts(x, cut.w), parts(y, cut.h));
}
/// ceil(log3 n): a line's holders have two channels each.
int steps_of_line(int n) { return n == 1 ? 0 : 1 + steps_of_line(parts(n, 3)); }

constexpr std::array<int, 3> kCube = {3, 3, 3};
constexpr int kCubeSteps = 2;
constexpr std::array<int, 3> kLine = {1, 1, 3};
constexpr std::array<int, 3> kRingBlock = {4, 4, 1};

/// What is not cut into cubes any more: one block, or planes over lines along z.
bool is_one_block(const Mesh& mesh) {
  return mesh[2] > 1 && std::ranges::all_of(mesh, [](int n) { return n <= 4; });
}
int steps_without_cubes(const Mesh& mesh) {
  if (is_one_block(mesh)) return stored_block(mesh).steps;
  return steps_of_plane(mesh[0], mesh[1]) + steps_of_line(mesh[2]);
}

}  // namespace

std::span<const StoredBlock> stored_blocks() {
  static const std::vector<StoredBlock> blocks = with_messages();
  return blocks;
}

const StoredBlock& stored_block(std::array<int, 3> size) {
  const StoredBlock* found = find_block(size);
  if (found == nullptr) throw std::out_of_range("stored_block: not in the table");
  return *found;
}

const StoredBlock& ring_block(int rings) {
  constexpr std::size_t kMessagesOfOne = 15;
  static const std::vector<StoredBlock> blocks = [] {
    std::vector<StoredBlock> all;
    for (std::span<const StoredMessage> rest(kRingMessages); !rest.empty();) {
      all.push_back({4, 4, 1, 2, rest.first(kMessagesOfOne)});
      rest = rest.subspan(kMessagesOfOne);
    }
    return all;
  }();
  return blocks.at(static_cast<std::size_t>(rings - 1));
}

Division cut_of(std::array<int, 3> mesh, std::array<bool, 3> ring) {
  // How often cubes come first: as few times as lead to the fewest steps.
  Division cut{{}, steps_without_cubes(mesh)};
  int cubes = 0;
  Mesh rest = mesh;
  for (int tried = 1; rest[2] > 1; ++tried) {
    rest = coarser(rest, kCube);
    const int steps = tried * kCubeSteps + steps_without_cubes(rest);
    if (steps < cut.steps) {
      cut.steps = steps;
      cubes = tried;
    }
  }
  int before = cut.steps;
  std::array<bool, 3> uneven{};  // the parts of all finer levels
  const auto add = [&](const std::array<int, 3>& block, int steps) {
    before -= steps;
    cut.levels.push_back({block, before});
    if (block == kRingBlock && mesh[0] == 4 && mesh[1] == 4) {
      if ((ring[0] && uneven[0]) || (ring[1] && uneven[1])) {
        cut.levels.back().rings = (ring[0] ? 1 : 0) + (ring[1] ? 2 : 0);
      }
    }
    for (std::size_t d = 0; d < 3; ++d) {
      const int longest = parts(mesh[d], parts(mesh[d], block[d]));
      uneven[d] = uneven[d] || mesh[d] % longest != 0;
    }
    mesh = coarser(mesh, block);
  };
  for (int i = 0; i < cubes; ++i) add(kCube, kCubeSteps);
  if (is_one_block(mesh)) add(mesh, before);
  while (mesh[0] * mesh[1] > 1) {
    const PlaneDivision plane = cut_of_plane(mesh[0], mesh[1]);
    add({plane.w, plane.h, 1}, plane.steps);
  }
  while (mesh[2] > 1) add(kLine, 1);
  return cut;
}

}  // namespace annelid::reference
