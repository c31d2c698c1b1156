#include "testbench/lockstep/neighbours.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace annelid::lockstep {
namespace {
// A head's tag says where the packet entered the router: the link in its low bits, then whether it
// was on a VC for control packets.
constexpr unsigned kLinkMask = 15, kControlBit = 16;

const char* kind(bool control) { return control ? "control" : "data"; }
}  // namespace

Neighbours::Neighbours(const systemc::RouterConfig& config, const Place& place, std::uint64_t seed)
    : config_(config), place_(place), geometry_(config, place), random_(seed) {
  for (int p = 0; p < config_.links(); ++p) {
    for (int v = 0; v < geometry_.all_vcs(p); ++v) senders_[at(p)][at(v)].credits = config_.depth;
  }
}

/// Mostly near the router: all outputs are wanted about equally often. And half round a ring.
std::uint8_t Neighbours::coordinate(int d) {
  const int size = geometry_.size(d);
  if (geometry_.is_ring(d) && random_.chance(0.15)) {
    return static_cast<std::uint8_t>((geometry_.own(d) + size / 2) % size);
  }
  if (size <= 4 || random_.chance(0.2)) return static_cast<std::uint8_t>(random_.below(size));
  const int near = geometry_.own(d) + random_.below(5) - 2;
  if (geometry_.is_ring(d)) return static_cast<std::uint8_t>((near + size) % size);
  return static_cast<std::uint8_t>(std::clamp(near, 0, size - 1));
}

/// Any packet for wild moods; for lawful ones a packet that has a chance to be lawful: it has made
/// its hops in the dimensions before the input's, and none in those behind.
systemc::HeadFields Neighbours::any_head(int in, int vc) {
  const int crossed = config_.is_external(in) ? in / 2 : -1;
  systemc::HeadFields head;
  for (int d = 0; d < config_.dims; ++d) {
    const auto own = static_cast<std::uint8_t>(geometry_.own(d));
    head.source[d] = d > crossed && !mood_.wild ? own : coordinate(d);
    const bool arrived = mood_.wild ? random_.chance(0.3) : d != crossed && random_.chance(0.5);
    head.destination[d] = arrived || (d < crossed && !mood_.wild) ? own : coordinate(d);
  }
  const unsigned entry =
      static_cast<unsigned>(in) | (geometry_.is_control(in, vc) ? kControlBit : 0);
  head.tag = static_cast<std::uint16_t>((random_.next() & 0xffe0) | entry);
  return head;
}

std::optional<systemc::HeadFields> Neighbours::random_head(int in, int vc) {
  if (random_.chance(0.01)) target_ = random_.below(config_.links());
  for (int tries = 0; tries < 24; ++tries) {
    const systemc::HeadFields head = any_head(in, vc);
    if (!mood_.wild && !geometry_.lawful(in, vc, head)) continue;
    if (mood_.single_exit && geometry_.exit(in, head).link != target_) continue;
    return head;
  }
  return std::nullopt;
}

void Neighbours::send(int link) {
  if (!geometry_.has_neighbour(link)) return;
  const int vcs = geometry_.all_vcs(link);
  const int first = random_.below(vcs);
  for (int k = 0; k < vcs && !random_.chance(mood_.pause); ++k) {
    const int v = (first + k) % vcs;
    Sender& s = senders_[at(link)][at(v)];
    if (s.credits == 0) continue;
    if (s.flits_left == 0) {
      if (draining_ || !random_.chance(mood_.start)) continue;
      const std::optional<systemc::HeadFields> head = random_head(link, v);
      if (!head) continue;
      s.flits_left = 1 + random_.below(mood_.longest);
      s.at_head = true;
      s.head = pack(*head);
      ++packets_sent;
    }
    --s.flits_left;
    --s.credits;
    ++flits_sent;
    stimulus_.flits[at(link)] = systemc::Flit{s.at_head ? s.head : random_.next(),
                                              static_cast<Vc>(v), s.at_head, s.flits_left == 0};
    s.at_head = false;
    return;
  }
}

void Neighbours::return_credit(int link) {
  if (!draining_ && random_.chance(mood_.stall)) return;
  const int vcs = geometry_.all_vcs(link);
  const int start = random_.below(vcs);
  for (int k = 0; k < vcs; ++k) {
    const int v = (start + k) % vcs;
    Receiver& r = receivers_[at(link)][at(v)];
    if (r.held == 0) continue;
    --r.held;
    stimulus_.credits[at(link)] = static_cast<Vc>(v);
    return;
  }
}

const Stimulus& Neighbours::stimulus() {
  stimulus_ = {};
  for (int link = 0; link < config_.links(); ++link) {
    send(link);
    return_credit(link);
  }
  return stimulus_;
}

std::string Neighbours::response(const Response& response) {
  for (int link = 0; link < config_.links(); ++link) {
    if (const auto& vc = response.credits[at(link)]) {
      if (*vc >= geometry_.all_vcs(link) || ++senders_[at(link)][*vc].credits > config_.depth) {
        return fmt::format("a credit too many at input {} vc {}", link, *vc);
      }
    }
    const auto& flit = response.flits[at(link)];
    if (!flit) continue;
    ++flits_received;
    if (flit->vc >= geometry_.all_vcs(link) ||
        ++receivers_[at(link)][flit->vc].held > config_.depth) {
      return fmt::format("a flit without a place at output {} vc {}", link, flit->vc);
    }
    if (!flit->head) continue;
    if (std::string wrong = check_head(link, *flit); !wrong.empty()) return wrong;
  }
  return {};
}

std::string Neighbours::check_head(int link, const systemc::Flit& flit) {
  const systemc::HeadFields head = systemc::unpack_head(flit.data);
  const Geometry::Exit exit = geometry_.exit(static_cast<int>(head.tag & kLinkMask), head);
  const bool control = (head.tag & kControlBit) != 0;
  const int vc_class = geometry_.class_of_vc(link, flit.vc);
  if (exit.link != link || exit.vc_class != vc_class ||
      control != geometry_.is_control(link, flit.vc)) {
    return fmt::format(
        "{} head {:016x} left by output {} VC {}, class {} of {}, expected {} class {}",
        kind(control), flit.data, link, flit.vc, vc_class,
        kind(geometry_.is_control(link, flit.vc)), exit.link, exit.vc_class);
  }
  wrapping += exit.wraps;
  ties += exit.tie;
  ++heads[at(link)][at(vc_class)];
  control_heads[at(link)][at(vc_class)] += control;
  return {};
}

bool Neighbours::quiet() const {
  if (flits_sent != flits_received) return false;
  for (int p = 0; p < config_.links(); ++p) {
    for (int v = 0; v < geometry_.all_vcs(p); ++v) {
      const Sender& s = senders_[at(p)][at(v)];
      if (receivers_[at(p)][at(v)].held != 0 || s.flits_left != 0 || s.credits != config_.depth) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace annelid::lockstep
