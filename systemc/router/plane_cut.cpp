#include "systemc/router/plane_cut.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace annelid::systemc {
namespace {

/// f(word, bits) for each word of routers, with the routers of a range of nodes.
template <typename F>
void for_each_word(NodeId first, NodeId end, F f) {
  for (NodeId node = first; node < end;) {
    const NodeId base = node / kPlaneRouters * kPlaneRouters;
    const NodeId next = std::min<NodeId>(end, base + kPlaneRouters);
    const std::uint64_t upper = ~std::uint64_t{0} << (node - base);
    const std::uint64_t lower = ~std::uint64_t{0} >> (base + kPlaneRouters - next);
    f(base / kPlaneRouters, upper & lower);
    node = next;
  }
}

template <typename F>
void for_each_bit(std::uint64_t word, F f) {
  for (; word != 0; word &= word - 1) f(static_cast<std::uint32_t>(std::countr_zero(word)));
}

}  // namespace

PlaneCut::PlaneCut(Cut& cut, PlaneState& state) : cut_(cut), s_(state), abroad_(s_.words) {
  const Slab& slab = cut.slab();
  for_each_word(0, slab.nodes, [&](std::uint32_t k, std::uint64_t bits) { abroad_[k] |= bits; });
  for_each_word(slab.first, slab.end,
                [&](std::uint32_t k, std::uint64_t bits) { abroad_[k] &= ~bits; });
  const auto vcs = static_cast<std::size_t>(s_.layout.vcs);
  for (const Side side : Cut::kSides) {
    channels_[side].packet.resize(slab.plane * vcs);
    channels_[side].head.resize(slab.plane);
    channels_[side].come.resize(slab.plane * vcs);
  }
  leaving_.resize(std::size_t{2} * slab.plane);
  s_.abroad = abroad_.data();
  s_.leaving = leaving_.data();
}

// ---- What leaves --------------------------------------------------------------------------------

void PlaneCut::end_cycle(Cycle now) {
  take_heads();
  for (const Side side : Cut::kSides) {
    if (cut_.has(side)) leave(side, now);
  }
  auto& arrivals = arrivals_[now % arrivals_.size()];
  for (const Arrival& arrival : arrivals) arrive(arrival);
  arrivals.clear();
}

/// They arrive at the port opposite to that of their side.
void PlaneCut::take_heads() {
  const PlaneLayout& at = s_.layout;
  for (std::uint32_t i = 0; i < s_.leaving_count; ++i) {
    const PlaneHead& head = s_.leaving[i];
    std::uint32_t rest = head.slot / kPlaneRouters;
    const std::uint32_t bit = head.slot % kPlaneRouters;
    const auto in = static_cast<Port>(rest % static_cast<std::uint32_t>(at.ports));
    rest /= static_cast<std::uint32_t>(at.ports);
    const std::uint32_t vc = rest % static_cast<std::uint32_t>(at.vcs);
    const std::uint32_t k = rest / static_cast<std::uint32_t>(at.vcs);
    const std::uint32_t place = (k * kPlaneRouters + bit) % cut_.slab().plane;
    Channels& channels = channels_[in % 2 == 1 ? Cut::kAbove : Cut::kBelow];
    channels.packet[place * static_cast<std::uint32_t>(at.vcs) + vc] = head.packet.handle();
    channels.head[place] = static_cast<std::uint32_t>(head.packet.bits);  // never 0: a leg has hops
  }
  s_.leaving_count = 0;
}

void PlaneCut::leave(Side side, Cycle now) {
  const PlaneLayout& at = s_.layout;
  const Port port = cut_.port(side);
  const NodeId border = cut_.border(side), plane = cut_.slab().plane;
  const Cycle reaches = now + s_.delay;
  for_each_word(border, border + plane, [&](std::uint32_t k, std::uint64_t bits) {
    const std::uint64_t tails = s_.lane(k, at.sent_tail(), port);
    const auto place_of = [&](std::uint32_t bit) { return k * kPlaneRouters + bit - border; };
    for (int v = 0; v < s_.vcs; ++v) {
      const auto vc = static_cast<Vc>(v);
      for_each_bit(s_.lane(k, at.sent(v), port) & bits, [&](std::uint32_t bit) {
        send_flit(side, place_of(bit), vc, (tails >> bit & 1) != 0, reaches);
      });
      for_each_bit(s_.lane(k, at.granted(v), port) & bits, [&](std::uint32_t bit) {
        cut_.add(side, {.place = place_of(bit), .vc = vc, .credit = true, .reaches = reaches});
      });
    }
  });
}

void PlaneCut::send_flit(Side side, std::uint32_t place, Vc vc, bool tail, Cycle reaches) {
  Channels& channels = channels_[side];
  const std::uint32_t packet =
      channels.packet[place * static_cast<std::uint32_t>(s_.layout.vcs) + vc];
  std::uint32_t& head = channels.head[place];
  cut_.add(side, {.place = place, .vc = vc, .head = head != 0, .tail = tail, .reaches = reaches});
  if (head != 0) {
    cut_.add_word(side, head);
    cut_.add_packet(side, packet);
    head = 0;
  }
  ++s_.gone;
  if (tail) cut_.terminals()->gone(packet);
}

// ---- What comes ---------------------------------------------------------------------------------

Cycle PlaneCut::come(Cycle now, const Plan& plan) {
  Cycle last = kNever;
  for (const Side side : Cut::kSides) {
    if (!cut_.has(side)) continue;
    Cut::Reader reader = cut_.read(side, now);
    const Port port = cut_.port(side);
    for (Arrival arrival; reader.next(arrival.what);) {
      const Crossing& what = arrival.what;
      arrival.in = what.credit ? static_cast<Port>(port ^ 1) : port;
      arrival.node = (what.credit ? cut_.beyond(side) : cut_.border(side)) + what.place;
      if (what.head) {
        const std::uint32_t bits = reader.word();
        const PacketWords words = reader.packet();
        const std::uint32_t packet = cut_.terminals()->come(words);
        plan(packet, words[0], words[1]);
        arrival.packet.bits = std::uint64_t{packet} << 32 | bits;
      }
      if (!what.credit) ++s_.came;
      last = last == kNever ? what.reaches : std::max(last, what.reaches);
      if (what.reaches + 1 == now) {
        arrive(arrival);
      } else {
        arrivals_[what.reaches % arrivals_.size()].push_back(arrival);
      }
    }
  }
  return last;
}

void PlaneCut::arrive(const Arrival& arrival) {
  if (arrival.what.credit) {
    free_place(arrival);
  } else {
    add_flit(arrival);
  }
}

/// As Kernel::arrive and Kernel::shift, where no flit leaves.
void PlaneCut::add_flit(const Arrival& arrival) {
  const PlaneLayout& at = s_.layout;
  const std::uint32_t k = arrival.node / kPlaneRouters, bit = arrival.node % kPlaneRouters;
  const int vc = arrival.what.vc;
  const std::uint64_t mask = std::uint64_t{1} << bit;
  int place = 0;
  while (place < at.depth && (s_.lane(k, at.occupied(vc, place), arrival.in) & mask) != 0) ++place;
  if (place == at.depth) throw std::logic_error("a flit came from another process without room");
  s_.lane(k, at.occupied(vc, place), arrival.in) |= mask;
  if (arrival.what.tail) s_.lane(k, at.tail(vc, place), arrival.in) |= mask;
  const Side side = arrival.in == cut_.port(Cut::kAbove) ? Cut::kAbove : Cut::kBelow;
  std::uint32_t& come = channels_[side].come[place_of(side, arrival.node, arrival.what.vc)];
  come = arrival.what.head ? 1 : come + 1;
  if (arrival.what.head) {
    const std::size_t slot = s_.slot(arrival.node, arrival.in, vc);
    const PlanePacket packet = arrival.packet;
    if (place == 0) {
      s_.front[slot] = packet;
      s_.lane(k, at.target(vc, static_cast<int>(packet.output())), arrival.in) |= mask;
      if (at.classes > 1) s_.lane(k, at.in_class(vc, packet.vc_class()), arrival.in) |= mask;
    } else {
      const auto depth = static_cast<std::size_t>(at.depth);
      s_.ring[slot * depth + s_.ring_end[slot]++ % depth] = packet;
    }
  }
  s_.busy[k / 64] |= std::uint64_t{1} << k % 64;
  if (at.pipelined) s_.awake[k] = 3;
  s_.used[k] = std::max(s_.used[k], static_cast<std::uint8_t>(vc + 1));
}

std::uint32_t PlaneCut::flits_come(NodeId node, Port in, Vc vc) const {
  const Side side = in == cut_.port(Cut::kAbove) ? Cut::kAbove : Cut::kBelow;
  return channels_[side].come[place_of(side, node, vc)];
}

/// At the router that we send to: the place that was taken last.
void PlaneCut::free_place(const Arrival& arrival) {
  const PlaneLayout& at = s_.layout;
  const std::uint32_t k = arrival.node / kPlaneRouters;
  const std::uint64_t mask = std::uint64_t{1} << arrival.node % kPlaneRouters;
  const auto clear = [&](auto row) {
    for (int place = at.depth; place-- > 0;) {
      std::uint64_t& lane = s_.lane(k, row(place), arrival.in);
      if ((lane & mask) == 0) continue;
      lane &= ~mask;
      return;
    }
    throw std::logic_error("a credit came from another process for no flit");
  };
  const int vc = arrival.what.vc;
  clear([&](int place) { return at.occupied(vc, place); });
  if (at.pipelined) clear([&](int place) { return at.claimed(vc, place); });
}

}  // namespace annelid::systemc
