#include "systemc/network/channel_dependencies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "systemc/network/route.hpp"

namespace annelid::systemc {

std::string name(const NetworkConfig& network, const ChannelClass& vertex) {
  const RouterConfig& router = network.router;
  const Port c = vertex.channel;
  return fmt::format("{} {}{}{}", node_name(router, network.address(vertex.node)),
                     c < router.ports() ? output_channel_name(router, c)
                                        : injection_channel_name(c - router.ports()),
                     router.classes_of(c) > 1 ? fmt::format(" class {}", vertex.cls) : "",
                     vertex.control ? " control" : "");
}

ChannelClass channel_class(const RouterConfig& router, NodeId node, Port out, Vc vc) {
  const int data = router.output_data_vcs(out);
  const bool control = vc >= data;
  int c = control ? vc - data : 0;
  if (!control && router.classes_of(out) > 1) {
    while (vc >= vcs_of_class(router, c).first + vcs_of_class(router, c).count) ++c;
  }
  return {node, out, static_cast<std::uint8_t>(c), control};
}

// ---- The graph ----------------------------------------------------------------------------------

ChannelDependencies::ChannelDependencies(const NetworkConfig& network, const ClassRule& rule)
    : network_(network),
      channels_(static_cast<Vertex>(network.router.ports() + network.router.local_ports)),
      classes_(static_cast<Vertex>(network.router.ring_classes())),
      of_kind_(network.nodes() * channels_ * classes_) {
  const ClassRule& used = rule ? rule : ring_class;
  for (int d = 0; d < network.dims(); ++d) {
    for (int at = 0; at < network.size_of(d); ++at) {
      for (bool up : {true, false}) lines_[d].push_back(line_channel(d, at, up, used));
    }
    for (int e = 0; e < network.dims(); ++e) {
      if (e != d && network.size_of(e) > 1) others_move_[d] = true;
      turns_[d][e] = RoutingFunctions::with(network.router.routing, [&]<class Function>(Function) {
        return Function::may_turn(static_cast<unsigned>(d), static_cast<unsigned>(e));
      });
    }
  }
}

// The packets that use the channel fall into kinds: by whether they have wrapped before it, end
// with it, go on and wrap after it, or go on and do not. All of a kind have the same classes here
// and on the next channel, and if any of a kind is on a minimal way, the shortest is. So the
// shortest of each kind stand for all.
ChannelDependencies::LineChannel ChannelDependencies::line_channel(int d, int at, bool up,
                                                                   const ClassRule& rule) const {
  const int size = network_.size_of(d);
  const bool ring = network_.is_ring(d);
  const int here = up ? at : size - 1 - at;  // coordinates that count in the direction of travel
  const auto address = [&](int coordinate) {
    const int wrapped = (coordinate + size) % size;
    Address a;
    a[d] = static_cast<std::uint8_t>(up ? wrapped : size - 1 - wrapped);
    return a;
  };
  const auto class_at = [&](int coordinate, int source, int to) {
    const int c =
        ring ? rule(network_.router, d, up, address(coordinate), address(source), address(to)) : 0;
    return static_cast<ClassMask>(1u << c);
  };
  const int longest = !ring ? size - 1 : up ? size / 2 : (size - 1) / 2;
  LineChannel channel;
  for (int before : {0, here + 1}) {             // hops before this one; the latter has wrapped
    for (int after : {0, 1, size - 1 - here}) {  // hops after it; the latter goes to 0, wrapped
      const int source = here - before, to = here + 1 + after;
      if (to - source > longest || (!ring && (source < 0 || to >= size))) continue;
      const ClassMask c = class_at(here, source, to);
      if (before == 0) channel.starts |= c;
      if (after == 0) channel.ends |= c;
      if (after == 0) continue;
      channel.continues[static_cast<std::size_t>(std::countr_zero(c))] |=
          class_at(here + 1, source, to);
    }
  }
  return channel;
}

ChannelDependencies::Vertex ChannelDependencies::vertices() const {
  return network_.router.control_vc ? 2 * of_kind_ : of_kind_;
}
ChannelDependencies::Vertex ChannelDependencies::vertex(const ChannelClass& c) const {
  return (c.control ? of_kind_ : 0) + (c.node * channels_ + c.channel) * classes_ + c.cls;
}
ChannelClass ChannelDependencies::channel(Vertex v) const {
  const Vertex of_data = v % of_kind_;
  return {of_data / classes_ / channels_, static_cast<Port>(of_data / classes_ % channels_),
          static_cast<std::uint8_t>(of_data % classes_), v != of_data};
}

const ChannelDependencies::LineChannel& ChannelDependencies::line(int d, Address at,
                                                                  Port out) const {
  return lines_[d][2u * at[d] + out % 2];
}

/// A packet begins its hops in dimension d.
void ChannelDependencies::start(int d, Address at, Follow& follow) const {
  for (const auto out : {static_cast<Port>(2 * d), static_cast<Port>(2 * d + 1)}) {
    follow[out] |= line(d, at, out).starts;
  }
}

/// A packet reaches switch d of a one-port router by its through port.
void ChannelDependencies::enter_switch(int d, Address at, Follow& follow) const {
  start(d, at, follow);
  if (others_move_[d]) follow[network_.router.external_ports() + d] = 1;
}

void ChannelDependencies::inject(Address at, Follow& follow) const {
  if (network_.router.one_port()) return enter_switch(0, at, follow);
  for (int d = 0; d < network_.dims(); ++d) start(d, at, follow);
}

/// A packet has come by external input `in`, and has no more hops in its dimension d.
void ChannelDependencies::finish_dimension(int d, Address at, Port in, Follow& follow) const {
  const RouterConfig& router = network_.router;
  if (router.one_port()) {
    follow[router.external_ports() + d] = 1;
    return;
  }
  for (int e = 0; e < network_.dims(); ++e) {
    if (turns_[d][e]) start(e, at, follow);
  }
  follow[router.ejection_output(in % router.local_ports)] = 1;
}

void ChannelDependencies::successors(Vertex from, std::vector<Vertex>& to) const {
  const RouterConfig& router = network_.router;
  const auto [node, out, cls, control] = channel(from);
  const Address here = network_.address(node);
  NodeId next = node;
  Follow follow{};
  if (router.is_external(out)) {
    const int d = out / 2;
    const LineChannel& held = line(d, here, out);
    const bool ends = (held.ends >> cls & 1) != 0;
    if (!ends && held.continues[cls] == 0) return;
    const Address there = neighbour(network_, here, out).address;
    next = network_.id(there);
    follow[out] = held.continues[cls];
    if (ends) finish_dimension(d, there, opposite(out), follow);
  } else if (cls > 0) {
    return;  // the others have one class
  } else if (out >= router.ports()) {
    inject(here, follow);
  } else if (!router.is_ejection(out)) {
    enter_switch(out - router.external_ports() + 1, here, follow);
  }
  const Vertex base = vertex({next, 0, 0, control});
  for (Vertex o = 0; o < static_cast<Vertex>(router.ports()); ++o) {
    for (Vertex c = 0; c < classes_; ++c) {
      if ((follow[o] >> c & 1) != 0) to.push_back(base + o * classes_ + c);
    }
  }
}

// ---- The check ----------------------------------------------------------------------------------

// Depth-first search with a stack of its own: a path may be as long as the network has channels.
std::vector<std::uint32_t> find_cycle(std::uint32_t vertices, const Successors& successors) {
  enum class Colour : std::uint8_t { kWhite, kOnPath, kDone };
  struct Step {
    std::uint32_t vertex;
    std::size_t first;  // its successors are pending from here on
  };
  std::vector<Colour> colour(vertices, Colour::kWhite);
  std::vector<Step> path;
  std::vector<std::uint32_t> pending;
  const auto enter = [&](std::uint32_t v) {
    colour[v] = Colour::kOnPath;
    path.push_back({v, pending.size()});
    successors(v, pending);
    std::reverse(pending.begin() + static_cast<std::ptrdiff_t>(path.back().first), pending.end());
  };
  for (std::uint32_t root = 0; root < vertices; ++root) {
    if (colour[root] == Colour::kWhite) enter(root);
    while (!path.empty()) {
      if (pending.size() == path.back().first) {
        colour[path.back().vertex] = Colour::kDone;
        path.pop_back();
        continue;
      }
      const std::uint32_t next = pending.back();
      pending.pop_back();
      if (colour[next] == Colour::kWhite) {
        enter(next);
      } else if (colour[next] == Colour::kOnPath) {
        std::vector<std::uint32_t> cycle;
        const auto begin = std::ranges::find(path, next, &Step::vertex);
        for (auto step = begin; step != path.end(); ++step) cycle.push_back(step->vertex);
        return cycle;
      }
    }
  }
  return {};
}

std::string cycle_text(const NetworkConfig& network, const std::vector<ChannelClass>& cycle) {
  constexpr std::size_t kShown = 16;
  std::string text;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (cycle.size() > kShown && i == kShown - 1) {
      text += fmt::format("({} more) -> ", cycle.size() - kShown);
      i = cycle.size() - 1;
    }
    text += name(network, cycle[i]) + " -> ";
  }
  return text + name(network, cycle.front());
}

std::optional<DependencyCycle> find_cycle(const NetworkConfig& network, const ClassRule& rule) {
  const ChannelDependencies graph(network, rule);
  const auto vertices =
      find_cycle(graph.vertices(),
                 [&](std::uint32_t v, std::vector<std::uint32_t>& to) { graph.successors(v, to); });
  if (vertices.empty()) return std::nullopt;
  DependencyCycle cycle;
  for (const auto v : vertices) cycle.channels.push_back(graph.channel(v));
  cycle.text = cycle_text(network, cycle.channels);
  return cycle;
}

void check_deadlock_freedom(const NetworkConfig& network, const ClassRule& rule) {
  if (network.router.allow_deadlock) return;
  if (const auto cycle = find_cycle(network, rule)) {
    throw ConfigError("router.allow_deadlock", "false, but packets can deadlock: " + cycle->text,
                      "enough virtual channels for the classes of a torus, or true");
  }
}

DependencyCounts count_dependencies(const NetworkConfig& network) {
  const ChannelDependencies graph(network);
  std::vector<bool> used(graph.vertices());
  std::vector<ChannelDependencies::Vertex> next;
  DependencyCounts counts;
  for (ChannelDependencies::Vertex v = 0; v < graph.vertices(); ++v) {
    next.clear();
    graph.successors(v, next);
    counts.dependencies += next.size();
    if (!next.empty()) used[v] = true;
    for (const auto w : next) used[w] = true;
  }
  counts.channels = static_cast<std::size_t>(std::ranges::count(used, true));
  return counts;
}

}  // namespace annelid::systemc
