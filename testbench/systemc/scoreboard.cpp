#include "testbench/systemc/scoreboard.hpp"

#include <fmt/format.h>

#include "testbench/systemc/order_of_dimensions.hpp"

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
  for (const int dim : order_of_dimensions(router)) {
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
    if (ring != 0) set_classes(path, first, wrap, control);
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

// The VCs of the channels of one ring on a path: `wrap` is the step over the wrap-around link.
void Scoreboard::set_classes(std::vector<Step>& path, std::size_t first, std::size_t wrap,
                             bool control) const {
  const bool plh = config_.router.classes == TorusClasses::kPlh;
  const int classes = plh ? 3 : 2, vcs = config_.router.vcs;
  if (vcs < classes) return;
  for (std::size_t i = first; i < path.size(); ++i) {
    const bool wraps = wrap != ~std::size_t{0}, before = wraps && i <= wrap;
    const int c = plh ? (before ? 1 : wraps ? 2 : 0) : (before ? 0 : 1);
    path[i].first_vc = control ? vcs + c : c * vcs / classes;
    path[i].last_vc = control ? vcs + c : (c + 1) * vcs / classes - 1;
  }
}

void Scoreboard::injected(Cycle cycle, NodeId node, Port local, const Flit& flit) {
  use_channel(cycle, {node, local, true});
  const Lane lane{node, local, true, flit.vc};
  auto& open = open_[lane];
  if (flit.head != (open == nullptr)) return fail(cycle, node, "injected packets interleave");
  if (flit.head) {
    auto& same_head = packets_[flit.data];
    open = &same_head.emplace_back();
    open->path = path_of(unpack_head(flit.data), local, flit.vc >= config_.router.local_vcs);
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
    for (Packet& packet : packets_[flit.data]) {
      if (packet.crossed < packet.path.size() && packet.path[packet.crossed].node == node &&
          packet.path[packet.crossed].out == out) {
        open = &packet;
        break;
      }
    }
    if (open == nullptr) {
      return fail(cycle, node, fmt::format("a head of no packet left by {}", out));
    }
    const Step& step = open->path[open->crossed];
    if (flit.vc < step.first_vc || flit.vc > step.last_vc) {
      fail(cycle, node,
           fmt::format("output {} vc {} is not of the packet's class and kind", out, flit.vc));
    }
    ++open->crossed;
  }
  Packet& packet = *open;
  if (flit.tail) open = nullptr;
  if (out != packet.path.back().out || node != packet.path.back().node) return;

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
