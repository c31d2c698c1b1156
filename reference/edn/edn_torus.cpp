#include "reference/edn/edn_torus.hpp"

#include <algorithm>
#include <bit>

namespace annelid::reference {
namespace {

struct Offset {
  int x, y;
};
using Pattern = std::array<Offset, 3>;

constexpr Pattern kY{{{-1, -1}, {0, 2}, {2, 0}}};  // a, b, c
/// The offsets from the holder that sent the Y, its a, its b, its c.
constexpr std::array<Pattern, 4> kT{{{{{0, -1}, {1, 0}, {-1, 0}}},
                                     {{{2, 0}, {-1, -1}, {0, -1}}},
                                     {{{-1, -1}, {0, -1}, {1, 0}}},
                                     {{{-1, 1}, {0, -1}, {0, 1}}}}};
constexpr Pattern kF{{{-1, 1}, {0, 1}, {1, 0}}};

/// Contiguous planes of the line into which the z dimension is laid, and who has the message.
struct Zone {
  int first, planes;
  Node holder;
};

class TorusBroadcast {
 public:
  TorusBroadcast(const Network& net, Node root, std::uint64_t bytes, ZoneSplit split)
      : net_(net),
        bytes_(bytes),
        split_(split),
        cut_(net.ring[2] ? (root.z - (net.z - 1) / 2 + net.z) % net.z : 0) {}

  void zone(const Zone& zone, std::size_t step) {
    if (zone.planes == 1) {
      plane(zone.holder, step);
      return;
    }
    const int own = (zone.holder.z - cut_ + net_.z) % net_.z - zone.first;
    const int limit = split_ == ZoneSplit::kTheorem3 && step > 1 ? most() - 1 : most();
    int count = std::min(zone.planes, limit);
    int mine = holders_zone(zone.planes, count, own);
    if (count == most() && (mine == 0 || mine == count - 1)) {
      count = most() - 1;  // one of the ways straight up and down leads nowhere
      mine = holders_zone(zone.planes, count, own);
    }
    const std::vector<Offset> ways = ways_to(count, mine);
    for (int i = 0; i < count; ++i) {
      const int first = i * zone.planes / count, end = (i + 1) * zone.planes / count;
      Zone part{zone.first + first, end - first, zone.holder};
      if (i != mine) {
        const Offset way = ways[static_cast<std::size_t>(i)];
        part.holder = moved(zone.holder, way, 1);
        part.holder.z = (cut_ + part.first + (part.planes - 1) / 2) % net_.z;
        send(step, zone.holder, part.holder);
      }
      this->zone(part, step + 1);
    }
  }

  Schedule schedule;

 private:
  /// Zones that a step can make: the holder's own, one straight up, one straight down, and one by
  /// each of the ways in x and y.
  [[nodiscard]] int most() const { return net_.x == 2 ? 5 : 7; }

  static int holders_zone(int planes, int count, int holder) {
    int i = 0;
    while ((i + 1) * planes / count <= holder) ++i;
    return i;
  }

  /// How each of `count` zones is reached from the one called `mine`.
  [[nodiscard]] std::vector<Offset> ways_to(int count, int mine) const {
    std::vector<Offset> sideways{{0, -1}, {1, 0}, {-1, 0}, {0, 1}};
    if (net_.x == 2) sideways = {{1, 0}, {0, 1}};
    const int above = count - 1 - mine, below = mine;
    std::vector<Offset> ways(static_cast<std::size_t>(count), Offset{0, 0});
    std::size_t next = 0;
    for (int i = 1; i <= above; ++i) {
      if (i != std::min(above, 3)) ways[static_cast<std::size_t>(mine + i)] = sideways.at(next++);
    }
    for (int i = 1; i <= below; ++i) {
      if (i != std::min(below, 2)) ways[static_cast<std::size_t>(mine - i)] = sideways.at(next++);
    }
    return ways;
  }

  void plane(Node source, std::size_t step) {
    std::vector<Node> holders{source};
    if (net_.x == 2) {
      send(step, source, moved(source, {1, 0}, 1));
      send(step + 1, source, moved(source, {0, 1}, 1));
      send(step + 1, moved(source, {1, 0}, 1), moved(source, {1, 1}, 1));
      return;
    }
    int delta = net_.x / 4;
    for (; delta >= 1; delta /= 4, step += 2) {
      std::vector<Node> next;
      for (Node h : holders) {
        const std::array<Node, 4> roles{h, moved(h, kY[0], delta), moved(h, kY[1], delta),
                                        moved(h, kY[2], delta)};
        pattern(step, h, kY, delta, nullptr);
        next.insert(next.end(), roles.begin(), roles.end());
        for (std::size_t r = 0; r < 4; ++r) pattern(step + 1, roles[r], kT[r], delta, &next);
      }
      holders = std::move(next);
      if (delta == 2) {  // 2 * 4^k: nodes at distance 2 hold it
        for (Node h : holders) pattern(step + 2, h, kF, 1, nullptr);
        return;
      }
    }
  }

  void pattern(std::size_t step, Node from, const Pattern& targets, int delta,
               std::vector<Node>* reached) {
    for (Offset o : targets) {
      const Node to = moved(from, o, delta);
      send(step, from, to);
      if (reached != nullptr) reached->push_back(to);
    }
  }

  [[nodiscard]] Node moved(Node n, Offset o, int delta) const {
    return {(n.x + o.x * delta + 2 * net_.x) % net_.x, (n.y + o.y * delta + 2 * net_.y) % net_.y,
            n.z};
  }

  void send(std::size_t step, Node from, Node to) {
    if (schedule.steps.size() < step) schedule.steps.resize(step);
    schedule.steps[step - 1].push_back({from, to, bytes_});
  }

  const Network& net_;
  std::uint64_t bytes_;
  ZoneSplit split_;
  int cut_;  ///< the plane with which the line of planes begins
};

}  // namespace

bool torus_edn_supports(const Network& net) {
  return net.x == net.y && net.x >= 2 && net.x <= 256 &&
         std::has_single_bit(static_cast<unsigned>(net.x)) && net.ring[0] && net.ring[1] &&
         net.z >= 1 && net.z <= 256;
}

Schedule torus_edn_broadcast(const Network& net, Node root, std::uint64_t bytes, ZoneSplit split) {
  require(net, root);
  if (!torus_edn_supports(net)) {
    throw std::invalid_argument("EDN broadcast on tori is for 2^d x 2^d x z with rings in x and y");
  }
  TorusBroadcast broadcast(net, root, bytes, split);
  broadcast.zone({0, net.z, root}, 1);
  return std::move(broadcast.schedule);
}

int theorem_3_steps(int d, int z) {
  int steps = d, reached = 1;
  for (int factor = 7; reached < z; factor = 6, ++steps) reached *= factor;
  return steps;
}

}  // namespace annelid::reference
