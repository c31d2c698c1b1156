#include "testbench/lockstep/geometry.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace annelid::lockstep {
namespace {

/// A packet with this head takes the dimensions of o1turn backwards.
bool odd(const systemc::HeadFields& head) { return std::popcount(pack(head)) % 2 == 1; }

}  // namespace

int Geometry::distance(int d, int from, int to, int step) const {
  int hops = 0;
  while (from != to) {
    from += step;
    if (is_ring(d)) from = from < 0 ? size(d) - 1 : from == size(d) ? 0 : from;
    ++hops;
  }
  return hops;
}

int Geometry::direction(int d, int from, int to) const {
  if (from == to) return 0;
  if (!is_ring(d)) return to > from ? 1 : -1;
  return distance(d, from, to, 1) <= distance(d, from, to, -1) ? 1 : -1;
}

bool Geometry::is_tie(int d, int from, int to) const {
  return is_ring(d) && from != to && distance(d, from, to, 1) == distance(d, from, to, -1);
}

bool Geometry::wraps(int d, int at, int to, int step) const {
  const int edge = step > 0 ? size(d) - 1 : 0;
  for (int hops = distance(d, at, to, step); hops > 0; --hops, at += step) {
    if (at == edge) return true;
  }
  return false;
}

int Geometry::ring_classes() const {
  return config_.classes == systemc::TorusClasses::kPlh ? 3 : 2;
}

int Geometry::orders() const { return config_.routing == systemc::RoutingKind::kO1turn ? 2 : 1; }

int Geometry::wanted_classes() const {
  const bool rings = is_ring(0) || is_ring(1) || is_ring(2);
  return orders() * (rings ? ring_classes() : 1);
}

int Geometry::most_classes() const { return config_.vcs < wanted_classes() ? 1 : wanted_classes(); }

int Geometry::classes(int link) const {
  if (link >= 2 * config_.dims || !has_classes()) return 1;
  return orders() * (is_ring(link / 2) ? ring_classes() : 1);
}

int Geometry::channel_class(int d, int at, const systemc::HeadFields& head, int step) const {
  if (!has_classes()) return 0;
  const int first = orders() == 2 && odd(head) ? classes(2 * d) / 2 : 0;  // of the order
  if (!is_ring(d)) return first;
  const bool ahead = wraps(d, at, head.destination[d], step);
  if (config_.classes == systemc::TorusClasses::kDateline) return first + (ahead ? 0 : 1);
  if (ahead) return first + 1;                                                   // l
  return first + (wraps(d, head.source[d], head.destination[d], step) ? 2 : 0);  // h, p
}

int Geometry::class_of_vc(int link, int vc) const {
  if (classes(link) == 1) return 0;
  if (is_control(link, vc)) return vc - config_.vcs;
  int c = 0;
  while (vc >= (c + 1) * config_.vcs / classes(link)) ++c;
  return c;
}

int Geometry::data_vcs(int link) const {
  return link < 2 * config_.dims ? config_.vcs : config_.local_vcs;
}

int Geometry::input_data_vcs(int port) const {
  const bool internal = config_.one_port() && port > 2 * config_.dims;
  return internal ? config_.vcs : data_vcs(port);
}

int Geometry::output_data_vcs(int port) const {
  const bool internal = config_.one_port() && port < 3 * config_.dims - 1;
  return internal ? config_.vcs : data_vcs(port);
}

int Geometry::control_vcs(int port) const { return config_.control_vc ? classes(port) : 0; }

bool Geometry::is_turn_model() const {
  switch (config_.routing) {
    case systemc::RoutingKind::kWestFirst:
    case systemc::RoutingKind::kNorthLast:
    case systemc::RoutingKind::kNegativeFirst:
    case systemc::RoutingKind::kOddEven:
      return true;
    default:
      return false;
  }
}

std::vector<int> Geometry::dimensions(const systemc::HeadFields& head) const {
  std::vector<int> order;
  for (int d = 0; d < config_.dims; ++d) order.push_back(d);
  if (config_.routing == systemc::RoutingKind::kYx || (orders() == 2 && odd(head))) {
    std::ranges::reverse(order);
  }
  return order;
}

bool Geometry::permits(int link, int x, int y, const systemc::HeadFields& head) const {
  const int to_x = head.destination.x, to_y = head.destination.y;
  const bool east = to_x > x;
  const bool west = to_x < x;
  const bool north = to_y > y;
  const bool south = to_y < y;
  const std::array<bool, 4> leads{east, west, north, south};
  if (!leads[at(link)]) return false;
  const bool in_x = link < 2;
  switch (config_.routing) {
    case systemc::RoutingKind::kWestFirst:
      return !west || link == 1;
    case systemc::RoutingKind::kNorthLast:
      return link != 2 || (!east && !west);
    case systemc::RoutingKind::kNegativeFirst:
      return link % 2 == 1 || (!west && !south);
    default:  // odd-even
      if (!north && !south) return true;
      if (east && in_x) return to_x % 2 == 1 || to_x != x + 1;
      if (east) return x % 2 == 1 || x == head.source.x;
      return in_x || !west || x % 2 == 0;
  }
}

std::vector<Geometry::Exit> Geometry::exits(int in, const systemc::HeadFields& head) const {
  std::vector<Exit> found;
  if (is_turn_model()) {
    for (int link = 0; link < 4; ++link) {
      if (permits(link, own(0), own(1), head)) found.push_back({link, 0, false, false});
    }
  } else {
    // A cascade has the dimensions before the one of the input behind it.
    const int first = config_.one_port() && config_.is_external(in) ? in / 2 : 0;
    for (const int d : dimensions(head)) {
      const int to = head.destination[d];
      const int step = d < first ? 0 : direction(d, own(d), to);
      if (step == 0) continue;
      found.push_back({2 * d + (step > 0 ? 0 : 1), channel_class(d, own(d), head, step),
                       wraps(d, own(d), to, step), is_tie(d, own(d), to)});
      break;
    }
  }
  if (found.empty()) {
    const int locals = config_.local_ports;
    const int local = config_.is_external(in) ? in % locals : in - 2 * config_.dims;
    found.push_back({2 * config_.dims + local, 0, false, false});
  }
  return found;
}

bool Geometry::has_neighbour(int link) const {
  if (link >= 2 * config_.dims) return true;
  const int d = link / 2;
  if (is_ring(d)) return size(d) > 1;
  return own(d) != (link % 2 == 0 ? size(d) - 1 : 0);
}

bool Geometry::passes(int x, int y, const systemc::HeadFields& head) const {
  const int from_x = head.source.x, from_y = head.source.y;
  const int step_x = head.destination.x < from_x ? -1 : 1;
  const int step_y = head.destination.y < from_y ? -1 : 1;
  const int width = (x - from_x) * step_x, height = (y - from_y) * step_y;
  if (width < 0 || height < 0) return false;
  if (width > std::abs(head.destination.x - from_x)) return false;
  if (height > std::abs(head.destination.y - from_y)) return false;
  // Hop by hop, whether it comes to the node that is i hops away in x and j in y.
  std::vector<bool> comes(at((width + 1) * (height + 1)));
  auto node = [&](int i, int j) { return comes[at(i * (height + 1) + j)]; };
  node(0, 0) = true;
  for (int i = 0; i <= width; ++i) {
    for (int j = 0; j <= height; ++j) {
      if (!node(i, j)) continue;
      const int here_x = from_x + i * step_x, here_y = from_y + j * step_y;
      if (i < width && permits(step_x > 0 ? 0 : 1, here_x, here_y, head)) node(i + 1, j) = true;
      if (j < height && permits(step_y > 0 ? 2 : 3, here_x, here_y, head)) node(i, j + 1) = true;
    }
  }
  return node(width, height);
}

bool Geometry::lawful_turns(int in, const systemc::HeadFields& head) const {
  if (in >= 4) return head.source == place_.router && !(head.destination == place_.router);
  // The neighbour there sends it by the link that is opposite to ours.
  const std::array<int, 4> beyond_x{1, -1, 0, 0}, beyond_y{0, 0, 1, -1};
  const int x = own(0) + beyond_x[at(in)], y = own(1) + beyond_y[at(in)];
  return passes(x, y, head) && permits(in ^ 1, x, y, head);
}

bool Geometry::lawful(int in, int vc, const systemc::HeadFields& head) const {
  if (is_turn_model()) return lawful_turns(in, head);
  const int crossed = in < 2 * config_.dims ? in / 2 : -1;  // the dimension that it travels along
  bool behind = crossed >= 0;  // it has no hops left in this dimension; else none yet
  for (const int d : dimensions(head)) {
    const Address& end = behind ? head.destination : head.source;
    if (d == crossed) {
      behind = false;
    } else if (end[d] != own(d)) {
      return false;
    }
  }
  if (crossed < 0) return !(head.destination == place_.router);
  const int d = crossed, s = head.source[d], t = head.destination[d];
  const int step = in % 2 == 1 ? 1 : -1;  // input -x takes what travels up
  int before = own(d) - step;
  if (is_ring(d)) before = (before + size(d)) % size(d);
  if (direction(d, s, t) != step) return false;
  // From the source it came over the neighbour, and the destination is not behind us.
  if (!is_ring(d) && ((before - s) * step < 0 || (t - own(d)) * step < 0)) return false;
  if (distance(d, s, before, step) >= distance(d, s, t, step)) return false;
  return class_of_vc(in, vc) == channel_class(d, before, head, step);
}

}  // namespace annelid::lockstep
