#include "systemc/planes/plane_cut.hpp"

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

/// Bits of 64 neighbouring routers, from a node on, lie in one word of routers or in two.
class Part {
 public:
  Part(std::uint32_t shift, bool second) : shift_(shift), second_(second) {}
  /// The bits in this word.
  std::uint64_t operator()(std::uint64_t bits) const {
    return second_ ? bits >> (kPlaneRouters - shift_) : bits << shift_;
  }
  /// The other direction.
  [[nodiscard]] std::uint64_t back(std::uint64_t bits) const {
    return second_ ? bits << (kPlaneRouters - shift_) : bits >> shift_;
  }

 private:
  std::uint32_t shift_;
  bool second_;
};

/// f(word, bits in it, part) for each word in which there are some.
template <typename F>
void for_each_part(NodeId node, std::uint64_t bits, F f) {
  const std::uint32_t k = node / kPlaneRouters, shift = node % kPlaneRouters;
  const Part first(shift, false), second(shift, true);
  if (first(bits) != 0) f(k, first(bits), first);
  if (shift != 0 && second(bits) != 0) f(k + 1, second(bits), second);
}

template <typename F>
void for_each_bit(std::uint64_t word, F f) {
  for (; word != 0; word &= word - 1) f(static_cast<std::uint32_t>(std::countr_zero(word)));
}

}  // namespace

PlaneCut::PlaneCut(Cut& cut, PlaneState& state)
    : cut_(cut),
      s_(state),
      abroad_(s_.words),
      chunks_((cut.slab().plane + kPlaneRouters - 1) / kPlaneRouters) {
  const Slab& slab = cut.slab();
  for_each_word(0, slab.nodes, [&](std::uint32_t k, std::uint64_t bits) { abroad_[k] |= bits; });
  for_each_word(slab.first, slab.end,
                [&](std::uint32_t k, std::uint64_t bits) { abroad_[k] &= ~bits; });
  const std::size_t chunks = std::size_t{chunks_} * static_cast<std::size_t>(s_.layout.vcs);
  for (const Side side : Cut::kSides) {
    channels_[side].packet.resize(chunks * kPlaneRouters);
    channels_[side].head.resize(chunks * kPlaneRouters);
    channels_[side].heads.resize(chunks);
    channels_[side].come.resize(chunks * kPlaneRouters);
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
  arrive(arrivals_[now % arrivals_.size()]);
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
    const auto vc = static_cast<Vc>(rest % static_cast<std::uint32_t>(at.vcs));
    const std::uint32_t k = rest / static_cast<std::uint32_t>(at.vcs);
    const std::size_t at_channel = channel(vc, (k * kPlaneRouters + bit) % cut_.slab().plane);
    Channels& channels = channels_[in % 2 == 1 ? Cut::kAbove : Cut::kBelow];
    channels.packet[at_channel] = head.packet.handle();
    channels.head[at_channel] = static_cast<std::uint32_t>(head.packet.bits);
    channels.heads[at_channel / kPlaneRouters] |= std::uint64_t{1} << at_channel % kPlaneRouters;
  }
  s_.leaving_count = 0;
}

/// A row's bits of 64 routers, from this node on.
std::uint64_t PlaneCut::read_bits(int row, Port port, NodeId node) const {
  const std::uint32_t k = node / kPlaneRouters, shift = node % kPlaneRouters;
  const std::uint64_t low = s_.lane(k, row, port) >> shift;
  if (shift == 0 || k + 1 == s_.words) return low;
  return low | s_.lane(k + 1, row, port) << (kPlaneRouters - shift);
}

void PlaneCut::leave(Side side, Cycle now) {
  const PlaneLayout& at = s_.layout;
  const Port port = cut_.port(side);
  const NodeId plane = cut_.slab().plane;
  for (NodeId first = 0; first < plane; first += kPlaneRouters) {
    const NodeId node = cut_.border(side) + first;
    const std::uint64_t inside =
        ~std::uint64_t{0} >> (kPlaneRouters - std::min<NodeId>(kPlaneRouters, plane - first));
    for (int v = 0; v < s_.vcs; ++v) {
      Crossings what{.flits = read_bits(at.sent(v), port, node) & inside,
                     .credits = read_bits(at.granted(v), port, node) & inside};
      if ((what.flits | what.credits) == 0) continue;
      what.tails = read_bits(at.sent_tail(), port, node) & what.flits;
      send(side, static_cast<Vc>(v), first, what, now + s_.delay);
    }
  }
}

void PlaneCut::send(Side side, Vc vc, NodeId first, const Crossings& what, Cycle reaches) {
  Channels& channels = channels_[side];
  const std::size_t base = channel(vc, first);
  std::uint64_t& waiting = channels.heads[base / kPlaneRouters];
  const std::uint64_t heads = waiting & what.flits;
  waiting &= ~heads;
  cut_.add(side, {.place = first / kPlaneRouters, .vc = vc, .reaches = reaches});
  for (const std::uint64_t bits : {what.flits, heads, what.tails, what.credits}) {
    cut_.add_word(side, static_cast<std::uint32_t>(bits));
    cut_.add_word(side, static_cast<std::uint32_t>(bits >> 32));
  }
  for_each_bit(heads, [&](std::uint32_t bit) {
    cut_.add_word(side, channels.head[base + bit]);
    cut_.add_packet(side, channels.packet[base + bit]);
  });
  for_each_bit(what.tails,
               [&](std::uint32_t bit) { cut_.terminals()->gone(channels.packet[base + bit]); });
  s_.gone += static_cast<std::uint64_t>(std::popcount(what.flits));
}

// ---- What comes ---------------------------------------------------------------------------------

Cycle PlaneCut::come(Cycle now, const Plan& plan) {
  Cycle last = kNever;
  for (const Side side : Cut::kSides) {
    if (!cut_.has(side)) continue;
    Cut::Reader reader = cut_.read(side, now);
    const auto bits = [&] {
      const std::uint64_t low = reader.word();
      return low | std::uint64_t{reader.word()} << 32;
    };
    for (Crossing crossing; reader.next(crossing);) {
      Arrivals& arrivals = arrivals_[crossing.reaches % arrivals_.size()];
      Arrival& arrival = arrivals.list.emplace_back();
      arrival = {
          .side = side, .vc = crossing.vc, .first = crossing.place * kPlaneRouters, .what = {}};
      Crossings& what = arrival.what;
      for (std::uint64_t* const row : {&what.flits, &what.heads, &what.tails, &what.credits}) {
        *row = bits();
      }
      for_each_bit(what.heads, [&](std::uint32_t) {
        const std::uint32_t rest = reader.word();
        const PacketWords words = reader.packet();
        const std::uint32_t packet = cut_.terminals()->come(words);
        plan(packet, words[0], words[1]);
        arrivals.packets.emplace_back().bits = std::uint64_t{packet} << 32 | rest;
      });
      s_.came += static_cast<std::uint64_t>(std::popcount(what.flits));
      last = last == kNever ? crossing.reaches : std::max(last, crossing.reaches);
    }
  }
  arrive(arrivals_[(now - 1) % arrivals_.size()]);
  return last;
}

void PlaneCut::arrive(Arrivals& arrivals) {
  const PlanePacket* packet = arrivals.packets.data();
  for (const Arrival& arrival : arrivals.list) {
    if (arrival.what.flits != 0) add_flits(arrival, packet);
    if (arrival.what.credits != 0) free_places(arrival);
  }
  arrivals.list.clear();
  arrivals.packets.clear();
}

/// As Kernel::arrive and Kernel::shift, where no flit leaves.
void PlaneCut::add_flits(const Arrival& arrival, const PlanePacket*& packet) {
  const PlaneLayout& at = s_.layout;
  const Port in = cut_.port(arrival.side);
  const Vc vc = arrival.vc;
  const NodeId node = cut_.border(arrival.side) + arrival.first;
  std::uint64_t at_front = 0;
  for_each_part(node, arrival.what.flits, [&](std::uint32_t k, std::uint64_t flits, auto own) {
    const std::uint64_t tails = own(arrival.what.tails);
    for (int place = 0; place < at.depth && flits != 0; ++place) {
      std::uint64_t& occupied = s_.lane(k, at.occupied(vc, place), in);
      const std::uint64_t added = flits & ~occupied;
      occupied |= added;
      s_.lane(k, at.tail(vc, place), in) |= added & tails;
      flits &= ~added;
      if (place == 0) at_front |= own.back(added);
    }
    if (flits != 0) throw std::logic_error("a flit came from another process without room");
    s_.busy[k / 64] |= std::uint64_t{1} << k % 64;
    if (at.pipelined) s_.awake[k] = 3;
    s_.used[k] = std::max(s_.used[k], static_cast<std::uint8_t>(vc + 1));
  });
  std::uint32_t* const come = &channels_[arrival.side].come[channel(vc, arrival.first)];
  for_each_bit(arrival.what.flits, [&](std::uint32_t bit) {
    come[bit] = (arrival.what.heads >> bit & 1) != 0 ? 1 : come[bit] + 1;
  });
  for_each_bit(arrival.what.heads, [&](std::uint32_t bit) {
    add_head(node + bit, in, vc, (at_front >> bit & 1) != 0, *packet++);
  });
}

std::uint32_t PlaneCut::flits_come(NodeId node, Port in, Vc vc) const {
  const Side side = in == cut_.port(Cut::kAbove) ? Cut::kAbove : Cut::kBelow;
  return channels_[side].come[channel(vc, node - cut_.border(side))];
}

void PlaneCut::add_head(NodeId node, Port in, Vc vc, bool at_front, const PlanePacket& packet) {
  const PlaneLayout& at = s_.layout;
  const std::size_t slot = s_.slot(node, in, vc);
  if (!at_front) {
    const auto depth = static_cast<std::size_t>(at.depth);
    s_.ring[slot * depth + s_.ring_end[slot]++ % depth] = packet;
    return;
  }
  const std::uint32_t k = node / kPlaneRouters;
  const std::uint64_t mask = std::uint64_t{1} << node % kPlaneRouters;
  s_.front[slot] = packet;
  s_.lane(k, at.target(vc, static_cast<int>(packet.output())), in) |= mask;
  if (at.classes > 1) s_.lane(k, at.in_class(vc, packet.vc_class()), in) |= mask;
}

/// At the routers that we send to: the places that were taken last.
void PlaneCut::free_places(const Arrival& arrival) {
  const PlaneLayout& at = s_.layout;
  const Port in = cut_.port(arrival.side) ^ 1;
  const NodeId node = cut_.beyond(arrival.side) + arrival.first;
  const auto clear = [&](auto row) {
    for_each_part(node, arrival.what.credits, [&](std::uint32_t k, std::uint64_t credits, auto) {
      for (int place = at.depth; place-- > 0 && credits != 0;) {
        std::uint64_t& lane = s_.lane(k, row(place), in);
        const std::uint64_t freed = lane & credits;
        lane &= ~freed;
        credits &= ~freed;
      }
      if (credits != 0) throw std::logic_error("a credit came from another process for no flit");
    });
  };
  clear([&](int place) { return at.occupied(arrival.vc, place); });
  if (at.pipelined) clear([&](int place) { return at.claimed(arrival.vc, place); });
}

}  // namespace annelid::systemc
