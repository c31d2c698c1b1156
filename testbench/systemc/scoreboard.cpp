#include "testbench/systemc/scoreboard.hpp"

#include <fmt/format.h>

namespace annelid {

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
std::vector<std::pair<NodeId, Port>> Scoreboard::path_of(const HeadFields& head, int local) {
  int x = head.source.x, y = head.source.y;
  int entered_by = 4 + local;
  std::vector<std::pair<NodeId, Port>> path;
  const auto here = [&] { return static_cast<NodeId>(y * config_.size[0] + x); };
  while (x != head.destination.x) {
    const bool plus = x < head.destination.x;
    path.emplace_back(here(), static_cast<Port>(plus ? 0 : 1));
    x += plus ? 1 : -1;
    entered_by = plus ? 1 : 0;
  }
  while (y != head.destination.y) {
    const bool plus = y < head.destination.y;
    path.emplace_back(here(), static_cast<Port>(plus ? 2 : 3));
    y += plus ? 1 : -1;
    entered_by = plus ? 3 : 2;
  }
  path.emplace_back(here(), static_cast<Port>(4 + entered_by % config_.router.local_ports));
  return path;
}

void Scoreboard::injected(Cycle cycle, NodeId node, Port local, const Flit& flit) {
  use_channel(cycle, {node, local, true});
  const Lane lane{node, local, true, flit.vc};
  auto& open = open_[lane];
  if (flit.head != (open == nullptr)) return fail(cycle, node, "injected packets interleave");
  if (flit.head) {
    auto& same_head = packets_[flit.data];
    open = &same_head.emplace_back();
    open->path = path_of(unpack_head(flit.data), local);
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
      if (packet.crossed < packet.path.size() &&
          packet.path[packet.crossed] == std::pair(node, out)) {
        open = &packet;
        break;
      }
    }
    if (open == nullptr) {
      return fail(cycle, node, fmt::format("a head of no packet left by {}", out));
    }
    ++open->crossed;
  }
  Packet& packet = *open;
  if (flit.tail) open = nullptr;
  if (out < 4) return;

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

}  // namespace annelid
