#include "reference/edn_optimal.hpp"

#include <algorithm>

#include "reference/block_schedules.hpp"

namespace annelid::reference {
namespace {

/// The places of a mesh along one dimension: the coordinates of its nodes in the whole network,
/// ascending. A coarser mesh has fewer of them.
using Axis = std::vector<int>;

/// An axis cut into parts, all of them as long as the first but for the last.
struct CutAxis {
  std::vector<Axis> parts;
  bool mirrored;
  Axis entries;  ///< of all parts: the axis of the coarser mesh
  int source;    ///< the place in it that holds the source

  CutAxis(const Axis& axis, int width, int source_place) {
    const int nodes = static_cast<int>(axis.size());
    const int count = (nodes + width - 1) / width;
    const int length = (nodes + count - 1) / count;
    for (int first = 0; first < nodes; first += length) {
      parts.emplace_back(axis.begin() + first, axis.begin() + std::min(first + length, nodes));
    }
    source = source_place / length;
    const auto size_there = parts[static_cast<std::size_t>(source)].size();
    mirrored = 2 * (source_place % length) > static_cast<int>(size_there) - 1;
    for (const Axis& part : parts) {
      entries.push_back(cell(part, (static_cast<int>(part.size()) - 1) / 2));
    }
  }

  /// The coordinate of a block's cell.
  [[nodiscard]] int cell(const Axis& part, int offset) const {
    const auto o = static_cast<std::size_t>(offset);
    return mirrored ? part[part.size() - 1 - o] : part[o];
  }
};

class Product {
 public:
  Product(Schedule& schedule, std::uint64_t bytes) : schedule_(schedule), bytes_(bytes) {}

  /// Adds the broadcast over all nodes of the axes after those of the coarser meshes; returns its
  /// top. `source`: the place on each axis that decides about mirroring.
  Node add(const std::array<Axis, 3>& axes, std::array<int, 3> source) {
    const std::array<int, 3> size = sizes(axes);
    if (size == std::array{1, 1, 1}) return {axes[0][0], axes[1][0], axes[2][0]};
    const Cut cut = cut_of(size);
    const CutAxis x(axes[0], cut.block[0], source[0]);
    const CutAxis y(axes[1], cut.block[1], source[1]);
    const CutAxis z(axes[2], cut.block[2], source[2]);
    const std::array<Axis, 3> coarser{x.entries, y.entries, z.entries};

    const Node top = add(coarser, {x.source, y.source, z.source});
    const std::size_t before = steps_of(coarser);
    schedule_.steps.resize(std::max(schedule_.steps.size(), static_cast<std::size_t>(cut.steps)));
    for (const Axis& in_z : z.parts) {
      for (const Axis& in_y : y.parts) {
        for (const Axis& in_x : x.parts) {
          const BlockSchedule& block = block_schedule(sizes({in_x, in_y, in_z}));
          const auto node = [&](int cell) -> Node {
            return {x.cell(in_x, cell % block.w), y.cell(in_y, cell / block.w % block.h),
                    z.cell(in_z, cell / (block.w * block.h))};
          };
          for (const BlockMessage& m : block.messages) {
            schedule_.steps[before + m.step - 1].push_back({node(m.from), node(m.to), bytes_});
          }
        }
      }
    }
    return top;
  }

 private:
  static std::array<int, 3> sizes(const std::array<Axis, 3>& axes) {
    return {static_cast<int>(axes[0].size()), static_cast<int>(axes[1].size()),
            static_cast<int>(axes[2].size())};
  }
  static std::size_t steps_of(const std::array<Axis, 3>& axes) {
    const auto size = sizes(axes);
    return size == std::array{1, 1, 1} ? 0 : static_cast<std::size_t>(cut_of(size).steps);
  }

  Schedule& schedule_;
  std::uint64_t bytes_;
};

Axis all_of(int nodes) {
  Axis axis;
  for (int i = 0; i < nodes; ++i) axis.push_back(i);
  return axis;
}

}  // namespace

bool edn_optimal_supports(const Network& net) { return !net.has_rings(); }

int edn_optimal_steps(const Network& net) {
  return net.nodes() == 1 ? 0 : cut_of(net.size()).steps;
}

Node edn_optimal_top(const Network& net, Node root) {
  Schedule schedule;
  return Product(schedule, 0)
      .add({all_of(net.x), all_of(net.y), all_of(net.z)}, {root.x, root.y, root.z});
}

Schedule edn_optimal_broadcast(const Network& net, Node root, std::uint64_t bytes) {
  require(net, root);
  if (!edn_optimal_supports(net)) {
    throw std::invalid_argument("edn-optimal: " + to_string(net) + " has rings");
  }
  Schedule schedule;
  const Node top =
      Product(schedule, bytes)
          .add({all_of(net.x), all_of(net.y), all_of(net.z)}, {root.x, root.y, root.z});
  if (top == root) return schedule;
  // The relay: the top has the message one step later, and the source needs none.
  for (Step& step : schedule.steps) {
    std::erase_if(step, [&](const Message& m) { return m.to == root; });
  }
  schedule.steps.insert(schedule.steps.begin(), Step{{root, top, bytes}});
  return schedule;
}

}  // namespace annelid::reference
