#include "testbench/lockstep/neighbours.hpp"

namespace annelid::lockstep {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

Neighbours::Neighbours(const RouterConfig& config, Address router, std::uint64_t seed)
    : config_(config), router_(router), random_(seed) {
  for (int p = 0; p < config_.ports(); ++p) {
    for (int v = 0; v < config_.link_vcs(p); ++v) senders_[at(p)][at(v)].credits = config_.depth;
  }
}

HeadFields Neighbours::random_head() {
  // Coordinates around the router's own, so that each of its outputs is wanted about equally often.
  auto near = [this](std::uint8_t own) {
    return static_cast<std::uint8_t>(own + random_.below(3) - 1);
  };
  HeadFields head;
  if (!mood_.single_target || random_.chance(0.01)) target_ = {near(router_.x), near(router_.y), 0};
  head.destination = target_;
  head.source = {static_cast<std::uint8_t>(random_.below(256)),
                 static_cast<std::uint8_t>(random_.below(256)), 0};
  head.tag = static_cast<std::uint16_t>(random_.next());
  return head;
}

const Stimulus& Neighbours::stimulus() {
  stimulus_ = {};
  for (int p = 0; p < config_.ports(); ++p) {
    const auto vcs = static_cast<std::uint64_t>(config_.link_vcs(p));
    const std::uint64_t first = random_.below(vcs);
    for (std::uint64_t k = 0; k < vcs && !random_.chance(mood_.pause); ++k) {
      const auto v = static_cast<std::size_t>((first + k) % vcs);
      Sender& s = senders_[at(p)][v];
      if (s.credits == 0) continue;
      if (s.flits_left == 0) {
        if (draining_ || !random_.chance(mood_.start)) continue;
        s.flits_left =
            1 + static_cast<int>(random_.below(static_cast<std::uint64_t>(mood_.longest)));
        s.at_head = true;
        s.head = pack(random_head());
        ++packets_sent;
      }
      --s.flits_left;
      --s.credits;
      ++flits_sent;
      stimulus_.flits[at(p)] = Flit{s.at_head ? s.head : random_.next(), static_cast<Vc>(v),
                                    s.at_head, s.flits_left == 0};
      s.at_head = false;
      break;
    }
    if (!draining_ && random_.chance(mood_.stall)) continue;
    const std::uint64_t start = random_.below(vcs);
    for (std::uint64_t k = 0; k < vcs; ++k) {
      const auto v = static_cast<std::size_t>((start + k) % vcs);
      Receiver& r = receivers_[at(p)][v];
      if (r.held == 0) continue;
      --r.held;
      stimulus_.credits[at(p)] = static_cast<Vc>(v);
      break;
    }
  }
  return stimulus_;
}

void Neighbours::response(const Response& response) {
  for (std::size_t p = 0; p < kMaxPorts; ++p) {
    if (response.flits[p]) {
      ++receivers_[p][response.flits[p]->vc].held;
      ++flits_received;
    }
    if (response.credits[p]) ++senders_[p][*response.credits[p]].credits;
  }
}

bool Neighbours::quiet() const {
  if (flits_sent != flits_received) return false;
  for (const auto& port : receivers_) {
    for (const Receiver& r : port) {
      if (r.held != 0) return false;
    }
  }
  for (const auto& port : senders_) {
    for (const Sender& s : port) {
      if (s.flits_left != 0) return false;
    }
  }
  return true;
}

}  // namespace annelid::lockstep
