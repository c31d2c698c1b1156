#include "testbench/systemc/scoreboard.hpp"

#include <fmt/format.h>

#include "testbench/systemc/order_of_dimensions.hpp"
#include "testbench/systemc/turn_rules.hpp"

namespace annelid::systemc {

void Scoreboard::fail(Cycle cycle, NodeId node, const std::string& what) {
  if (violations_.size() < 10) {
    violations_.push_back(fmt::format("cycle {}, node {}: {}", cycle, node, what));
  }
}

void Scoreboard::use_channel(Cycle cycle, const Channel& channel) {
  const auto [entry, first] = last_used_.try_emplace(channel, cycle);
  if (!first && entry->second == cycle) {
    fail(cycle, std::get<0>(channel), "two flits on one channel");
  }
  entry->second = cycle;
}

// Written out in coordinates on purpose, rather than with the model's route().
std::vector<Scoreboard::Step> Scoreboard::path_of(const HeadFields& head, int local, bool control) {
  const RouterConfig& router = config_.router;
  const bool one_port = router.kind == RouterKind::kOnePort;
  const int n = router.dims;
  std::array<int, 3> at{head.source.x, head.source.y, head.source.z};
  const std::array<int, 3> to{head.destination.x, head.destination.y, head.destination.z};
  const auto here = [&] {
    return static_cast<NodeId>((at[2] * config_.size[1] + at[1]) * config_.size[0] + at[0]);
  };
  int entered_by = 2 * n + local;
  std::vector<Step> path;
  // To a channel of one class with so many data VCs; its control VC comes behind them.
  const auto step = [&](int out, int data) {
    path.push_back({here(), static_cast<Port>(out), control ? data : 0, control ? data : data - 1});
  };
  if (is_turn_model(router.routing)) return {};
  const bool first_order = router.routing != RoutingKind::kO1turn || !goes_by_y_first(head);
  for (const int dim : order_of_dimensions(router, head)) {
    if (dim >= n) continue;
    const auto d = static_cast<std::size_t>(dim);
    const int size = config_.size[d], ring = router.torus[d] ? size : 0;
    int up = to[d] - at[d];
    if (ring != 0 && up < 0) up += ring;
    const bool plus = ring != 0 ? up <= size - up : up > 0;
    const int hops = plus ? up : ring != 0 ? size - up : -up;
    const std::size_t first = path.size();
    std::size_t wrap = ~std::size_t{0};
    for (int hop = 0; hop < hops; ++hop) {
      step(2 * static_cast<int>(d) + (plus ? 0 : 1), router.vcs);
      const int next = at[d] + (plus ? 1 : -1);
      if (ring != 0 && (next < 0 || next == size)) wrap = path.size() - 1;
      at[d] = ring != 0 ? (next + size) % size : next;
      entered_by = 2 * static_cast<int>(d) + (plus ? 1 : 0);
    }
    set_classes(path, first, wrap, first_order, control);
    const int data = static_cast<int>(d) + 1 < n ? router.vcs : router.local_vcs;
    if (one_port) step(2 * n + static_cast<int>(d), data);
  }
  if (!one_port) {
    const int ejection = entered_by < 2 * n ? entered_by % router.local_ports : entered_by - 2 * n;
    step(2 * n + ejection, router.local_vcs);
  }
  if (config_.ideal) {  // nothing but the ejection channel, with the port of an all-port mesh
    path.clear();
    step(one_port ? 3 * n - 1 : 2 * n + entered_by % router.local_ports, router.local_vcs);
  }
  return path;
}

// The VCs of the channels of one dimension on a path, from step `first` on: `wrap` is the step over
// the wrap-around link. The classes of the second order of o1turn follow those of the first.
void Scoreboard::set_classes(std::vector<Step>& path, std::size_t first, std::size_t wrap,
                             bool first_order, bool control) const {
  const RouterConfig& router = config_.router;
  const bool plh = router.classes == TorusClasses::kPlh;
  const int of_rings = plh ? 3 : 2, orders = router.routing == RoutingKind::kO1turn ? 2 : 1;
  const bool any_ring = router.torus[0] || router.torus[1] || router.torus[2];
  if (router.vcs < (any_ring ? of_rings : 1) * orders) return;
  for (std::size_t i = first; i < path.size(); ++i) {
    const bool ring = router.torus[path[i].out / 2U];
    const bool wraps = wrap != ~std::size_t{0}, before = wraps && i <= wrap;
    const int of_ring = !ring ? 0 : plh ? (before ? 1 : wraps ? 2 : 0) : (before ? 0 : 1);
    const int each = ring ? of_rings : 1, classes = each * orders;
    const int c = of_ring + (first_order ? 0 : each);
    path[i].first_vc = control ? router.vcs + c : c * router.vcs / classes;
    path[i].last_vc = control ? router.vcs + c : (c + 1) * router.vcs / classes - 1;
  }
}

std::vector<Scoreboard::Step> Scoreboard::next_steps(const Packet& packet) const {
  const RouterConfig& router = config_.router;
  if (!is_turn_model(router.routing)) {
    if (packet.crossed >= packet.path.size()) return {};
    return {packet.path[packet.crossed]};
  }
  std::vector<Step> steps;
  const Address to = unpack_head(packet.data.front()).destination;
  const auto add = [&](int out, int data) {
    steps.push_back({number_of(packet.at), static_cast<Port>(out), packet.control ? data : 0,
                     packet.control ? data : data - 1});
  };
  for (const int out : outputs_by_turns(router.routing, packet.at, packet.by, to)) {
    add(out, router.vcs);
  }
  // It came by the input opposite to its last output: 0 and 1, 2 and 3.
  const int in = packet.by % 2 == 0 ? packet.by + 1 : packet.by - 1;
  if (packet.at == to) add(4 + in % router.local_ports, router.local_vcs);
  return steps;
}

void Scoreboard::go(Packet& packet, Port out) {
  ++packet.crossed;
  if (out >= 4 || !packet.path.empty()) return;
  packet.at = step_by(packet.at, out);
  packet.by = out;
}

void Scoreboard::injected(Cycle cycle, NodeId node, Port local, const Flit& flit) {
  use_channel(cycle, {node, local, true});
  const Lane lane{node, local, true, flit.vc};
  auto& open = open_[lane];
  if (flit.head != (open == nullptr)) return fail(cycle, node, "injected packets interleave");
  if (flit.head) {
    auto& same_head = packets_[flit.data];
    open = &same_head.emplace_back();
    const HeadFields head = unpack_head(flit.data);
    open->at = head.source;
    open->control = flit.vc >= config_.router.local_vcs;
    open->path = path_of(head, local, open->control);
  }
  open->data.push_back(flit.data);
  if (flit.tail) open = nullptr;
}

// A VC of a channel is known by its sender's output; which packet a flit belongs to is what its VC
// says. Heads name their packet; of packets with equal heads, the oldest that is not there yet.
void Scoreboard::moved(Cycle cycle, NodeId node, Port /*in*/, Vc /*in_vc*/, Port out,
                       const Flit& flit) {
  use_channel(cycle, {node, out, false});
  auto& open = open_[{node, out, false, flit.vc}];
  if (flit.head != (open == nullptr)) {
    return fail(cycle, node, fmt::format("packets interleave at output {} vc {}", out, flit.vc));
  }
  if (flit.head) {
    Step taken{};
    for (Packet& packet : packets_[flit.data]) {
      for (const Step& step : next_steps(packet)) {
        if (open != nullptr || step.node != node || step.out != out) continue;
        open = &packet;
        taken = step;
      }
      if (open != nullptr) break;
    }
    if (open == nullptr) {
      return fail(cycle, node, fmt::format("a head of no packet left by {}", out));
    }
    if (flit.vc < taken.first_vc || flit.vc > taken.last_vc) {
      fail(cycle, node,
           fmt::format("output {} vc {} is not of the packet's class and kind", out, flit.vc));
    }
    go(*open, out);
  }
  Packet& packet = *open;
  if (flit.tail) open = nullptr;
  const RouterConfig& router = config_.router;
  if (out < (router.kind == RouterKind::kOnePort ? 3 * router.dims - 1 : 2 * router.dims)) return;

  ++flits_delivered_;
  if (packet.ejected >= packet.data.size() || packet.data[packet.ejected] != flit.data) {
    fail(cycle, node, "a flit came out that did not go in, or out of order");
  }
  ++packet.ejected;
  if (!flit.tail) return;
  if (packet.ejected != packet.data.size()) fail(cycle, node, "flits are missing");
  ++delivered_;
  auto& same_head = packets_[packet.data.front()];
  if (&same_head.front() == &packet) same_head.pop_front();
}

void Scoreboard::expect_empty() {
  for (const auto& [head, packets] : packets_) {
    if (!packets.empty()) fail(kNever, 0, fmt::format("{:x} never came out", head));
  }
  for (const auto& [lane, packet] : open_) {
    if (packet != nullptr) fail(kNever, std::get<0>(lane), "a packet without a tail");
  }
}

}  // namespace annelid::systemc
