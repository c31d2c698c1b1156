#include "testbench/lockstep/geometry.hpp"

#include "testbench/systemc/order_of_dimensions.hpp"

namespace annelid::lockstep {

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

int Geometry::channel_class(int d, int at, const systemc::HeadFields& head, int step) const {
  if (!is_ring(d) || !has_classes()) return 0;
  const bool ahead = wraps(d, at, head.destination[d], step);
  if (config_.classes == systemc::TorusClasses::kDateline) return ahead ? 0 : 1;
  if (ahead) return 1;                                                 // l
  return wraps(d, head.source[d], head.destination[d], step) ? 2 : 0;  // h, p
}

int Geometry::class_of_vc(int link, int vc) const {
  if (link >= 2 * config_.dims || !is_ring(link / 2) || !has_classes()) return 0;
  if (is_control(link, vc)) return vc - config_.vcs;
  const int classes = config_.classes == systemc::TorusClasses::kPlh ? 3 : 2;
  int c = 0;
  while (vc >= (c + 1) * config_.vcs / classes) ++c;
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

int Geometry::control_vcs(int port) const {
  if (!config_.control_vc) return 0;
  const bool ring = port < 2 * config_.dims && is_ring(port / 2);
  if (!ring || !has_classes()) return 1;
  return config_.classes == systemc::TorusClasses::kPlh ? 3 : 2;
}

Geometry::Exit Geometry::exit(int in, const systemc::HeadFields& head) const {
  // A cascade has the dimensions before the one of the input behind it.
  const int first = config_.one_port() && config_.is_external(in) ? in / 2 : 0;
  for (const int d : systemc::order_of_dimensions(config_)) {
    if (d < first || d >= config_.dims) continue;
    const int to = head.destination[d];
    const int step = direction(d, own(d), to);
    if (step == 0) continue;
    return {2 * d + (step > 0 ? 0 : 1), channel_class(d, own(d), head, step),
            wraps(d, own(d), to, step), is_tie(d, own(d), to)};
  }
  const int locals = config_.local_ports;
  const int local = config_.is_external(in) ? in % locals : in - 2 * config_.dims;
  return {2 * config_.dims + local, 0, false, false};
}

bool Geometry::has_neighbour(int link) const {
  if (link >= 2 * config_.dims) return true;
  const int d = link / 2;
  if (is_ring(d)) return size(d) > 1;
  return own(d) != (link % 2 == 0 ? size(d) - 1 : 0);
}

bool Geometry::lawful(int in, int vc, const systemc::HeadFields& head) const {
  const int crossed = in < 2 * config_.dims ? in / 2 : -1;  // the dimension that it travels along
  bool behind = crossed >= 0;  // it has no hops left in this dimension; else none yet
  for (const int d : systemc::order_of_dimensions(config_)) {
    if (d >= config_.dims) continue;
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
