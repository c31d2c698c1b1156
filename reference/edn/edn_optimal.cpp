#include "reference/edn/edn_optimal.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>
#include <utility>

#include "reference/edn/block_table.hpp"

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

std::array<int, 3> sizes(const std::array<Axis, 3>& axes) {
  return {static_cast<int>(axes[0].size()), static_cast<int>(axes[1].size()),
          static_cast<int>(axes[2].size())};
}

class Product {
 public:
  Product(const Network& net, std::uint64_t bytes)
      : cut_(cut_of(net.size(), net.ring)), bytes_(bytes) {
    schedule.steps.resize(static_cast<std::size_t>(cut_.steps));
  }
  Schedule schedule;

  /// Adds the broadcast over all nodes of the axes, from the coarser levels to this one; returns
  /// its top. `source`: the place on each axis that decides about mirroring.
  Node add(const std::array<Axis, 3>& axes, std::array<int, 3> source, std::size_t level = 0) {
    if (level == cut_.levels.size()) return {axes[0][0], axes[1][0], axes[2][0]};
    const DivisionLevel& here = cut_.levels[level];
    const CutAxis x(axes[0], here.block[0], source[0]);
    const CutAxis y(axes[1], here.block[1], source[1]);
    const CutAxis z(axes[2], here.block[2], source[2]);

    const Node top =
        add({x.entries, y.entries, z.entries}, {x.source, y.source, z.source}, level + 1);
    for (const Axis& in_z : z.parts) {
      for (const Axis& in_y : y.parts) {
        for (const Axis& in_x : x.parts) {
          const StoredBlock& block =
              here.rings != 0 ? ring_block(here.rings) : stored_block(sizes({in_x, in_y, in_z}));
          const auto node = [&](int cell) -> Node {
            return {x.cell(in_x, cell % block.w), y.cell(in_y, cell / block.w % block.h),
                    z.cell(in_z, cell / (block.w * block.h))};
          };
          for (const StoredMessage& m : block.messages) {
            const int step = here.before + m.step;
            schedule.steps[static_cast<std::size_t>(step - 1)].push_back(
                {node(m.from), node(m.to), bytes_});
          }
        }
      }
    }
    return top;
  }

 private:
  Division cut_;
  std::uint64_t bytes_;
};

Axis all_of(int nodes) {
  Axis axis;
  for (int i = 0; i < nodes; ++i) axis.push_back(i);
  return axis;
}

/// Whether each message has its channels for itself in its step even if all messages of half a
/// block's extent or more may go the other way round a ring.
bool is_free_either_way(const StoredBlock& block) {
  const std::array<int, 3> size{block.w, block.h, block.d};
  const auto place = [&](int cell) {
    return std::array{cell % block.w, cell / block.w % block.h, cell / (block.w * block.h)};
  };
  std::set<std::tuple<int, std::array<int, 3>, std::size_t, int>> used;
  for (const StoredMessage& m : block.messages) {
    std::array<int, 3> at = place(m.from);
    const std::array<int, 3> to = place(m.to);
    for (std::size_t d = 0; d < 3; ++d) {
      const int along = to[d] - at[d];
      for (int way : {1, -1}) {
        if (along == 0 || (2 * std::abs(along) < size[d] && along * way < 0)) continue;
        for (std::array<int, 3> next = at; next[d] != to[d];) {
          if (!used.insert({m.step, next, d, way}).second) return false;
          next[d] = (next[d] + way + size[d]) % size[d];
        }
      }
      at[d] = to[d];
    }
  }
  return true;
}

/// What a broadcast from `root` runs over, and where on each axis the source stands.
struct Frame {
  std::array<Axis, 3> axes;
  std::array<int, 3> source;
};

Frame frame(const Network& net, Node root) {
  Frame f;
  f.source = {root.x, root.y, root.z};
  for (std::size_t d = 0; d < 3; ++d) {
    f.axes[d] = all_of(net.size()[d]);
    if (net.ring[d]) f.source[d] = 0;
  }
  if (!net.has_rings()) return f;
  // A ring has no ends: it is turned until the top of the mesh lies at the source.
  const Node top = Product(net, 0).add(f.axes, f.source);
  const std::array<int, 3> at{top.x, top.y, top.z}, to{root.x, root.y, root.z};
  for (std::size_t d = 0; d < 3; ++d) {
    if (!net.ring[d]) continue;
    const int size = net.size()[d];
    for (int& coordinate : f.axes[d]) coordinate = (coordinate - at[d] + to[d] + size) % size;
    f.source[d] = at[d];
  }
  return f;
}

}  // namespace

bool edn_optimal_contention_free(const Network& net) {
  std::array<int, 3> size = net.size();
  std::array<bool, 3> equal{true, true, true};  // the parts of all finer levels
  for (const DivisionLevel& level : cut_of(size, net.ring).levels) {
    std::array<std::vector<int>, 3> extents;
    bool equal_around = true;
    for (std::size_t d = 0; d < 3; ++d) {
      const CutAxis axis(all_of(size[d]), level.block[d], 0);
      for (const Axis& part : {axis.parts.front(), axis.parts.back()}) {
        extents[d].push_back(static_cast<int>(part.size()));
      }
      if (net.ring[d] && size[d] > 1 && axis.parts.size() == 1) equal_around &= equal[d];
      equal[d] = equal[d] && extents[d].front() == extents[d].back();
      size[d] = static_cast<int>(axis.parts.size());
    }
    if (equal_around || level.rings != 0) continue;
    for (int w : extents[0]) {
      for (int h : extents[1]) {
        for (int d : extents[2]) {
          if (!is_free_either_way(stored_block({w, h, d}))) return false;
        }
      }
    }
  }
  return true;
}

bool edn_optimal_supports(const Network& net) { return net.nodes() > 0; }

int edn_optimal_steps(const Network& net) { return cut_of(net.size()).steps; }

Node edn_optimal_top(const Network& net, Node root) {
  const Frame f = frame(net, root);
  return Product(net, 0).add(f.axes, f.source);
}

Schedule edn_optimal_broadcast(const Network& net, Node root, std::uint64_t bytes) {
  require(net, root);
  const Frame f = frame(net, root);
  Product product(net, bytes);
  const Node top = product.add(f.axes, f.source);
  Schedule& schedule = product.schedule;
  // A sender's messages of a step in the order in which it sends them.
  for (Step& step : schedule.steps) {
    std::ranges::sort(step, {}, [&](const Message& m) {
      return std::pair(index_of(net, m.from), index_of(net, m.to));
    });
  }
  if (top == root) return schedule;
  // The relay: the top has the message one step later, and the source needs none.
  for (Step& step : schedule.steps) {
    std::erase_if(step, [&](const Message& m) { return m.to == root; });
  }
  schedule.steps.insert(schedule.steps.begin(), Step{{root, top, bytes}});
  return schedule;
}

}  // namespace annelid::reference
