#include "testbench/lockstep/router_lockstep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "testbench/lockstep/difference.hpp"
#include "testbench/lockstep/neighbours.hpp"
#include "testbench/lockstep/sides.hpp"

namespace annelid::lockstep {
namespace {

constexpr std::array<Mood, 8> kMoods = {{
    {.start = 0.5, .pause = 0.1, .stall = 0.1, .longest = 8},
    {.start = 1.0, .pause = 0.0, .stall = 0.0, .longest = 20},   // everything at full rate
    {.start = 0.9, .pause = 0.0, .stall = 0.95, .longest = 12},  // buffers fill, credits run out
    {.start = 0.02, .pause = 0.3, .stall = 0.3, .longest = 5},   // nearly idle
    {.start = 0.9, .pause = 0.05, .stall = 0.2, .longest = 1},   // packets of one flit
    {.start = 0.9, .pause = 0.0, .stall = 0.3, .longest = 12, .single_exit = true},
    {.start = 0.9, .pause = 0.1, .stall = 0.4, .longest = 6, .wild = true},
    {.start = 0.9, .pause = 0.0, .stall = 0.2, .longest = 3, .single_exit = true, .wild = true},
}};

/// Long enough to fill all buffers of an external port.
Cycle mood_lasts(const systemc::RouterConfig& config, const Geometry& geometry) {
  int vcs = 0;
  for (int p = 0; p < config.external_ports(); ++p) vcs = std::max(vcs, geometry.all_vcs(p));
  return 397 + static_cast<Cycle>(2 * config.depth * vcs);
}

/// Heads of data that took output VC (o, w) at the last edge although a lower VC of their class was
/// free, but had no credit.
std::uint64_t passed_over(const systemc::RouterConfig& config, const Geometry& geometry,
                          const systemc::RouterState& before, const systemc::RouterState& now) {
  std::uint64_t heads = 0;
  for (int o = 0; o < config.ports(); ++o) {
    const auto& was = before.output[static_cast<std::size_t>(o)];
    for (int w = 1; w < geometry.output_data_vcs(o); ++w) {
      const auto above = static_cast<std::size_t>(w);
      if (was[above].owned || !now.output[static_cast<std::size_t>(o)][above].owned) continue;
      for (int v = 0; v < w; ++v) {
        const systemc::OutputVcState& lower = was[static_cast<std::size_t>(v)];
        if (lower.owned || lower.credits != 0) continue;
        if (geometry.class_of_vc(o, v) != geometry.class_of_vc(o, w)) continue;
        ++heads;
        break;
      }
    }
  }
  return heads;
}

/// Control packets that are granted an output whose data packets own all VCs of the same class.
std::uint64_t apart(const systemc::RouterConfig& config, const Geometry& geometry,
                    const systemc::RouterState& state) {
  std::uint64_t grants = 0;
  for (int o = 0; o < config.ports(); ++o) {
    const systemc::Grant& grant = state.grant[static_cast<std::size_t>(o)];
    const int data_vcs = geometry.output_data_vcs(o);
    if (!grant.valid || grant.out_vc < data_vcs) continue;
    bool owned = true;
    for (int w = 0; w < data_vcs; ++w) {
      if (geometry.class_of_vc(o, w) != geometry.class_of_vc(o, grant.out_vc)) continue;
      owned = owned && state.output[static_cast<std::size_t>(o)][static_cast<std::size_t>(w)].owned;
    }
    grants += owned;
  }
  return grants;
}

void count(Coverage& coverage, const systemc::RouterConfig& config, const Geometry& geometry,
           const systemc::RouterState& state) {
  ++coverage.cycles;
  std::array<int, kMaxPorts> wanted{};
  std::array<bool, kMaxPorts> wins_vc{};
  for (const systemc::VaGrant& grant : state.va_grant) {
    if (grant.valid) wins_vc[grant.in_port] = true;
    coverage.va_grants += grant.valid;
  }
  coverage.apart += apart(config, geometry, state);
  for (std::size_t p = 0; p < static_cast<std::size_t>(config.ports()); ++p) {
    const int port = static_cast<int>(p);
    const int output_vcs = geometry.output_data_vcs(port) + geometry.control_vcs(port);
    std::array<bool, kMaxPorts> by_input{};
    bool routed = false;
    for (std::size_t v = 0; v < kMaxVcs; ++v) {
      const systemc::InputVcState& in = state.input[p][v];
      coverage.full_fifos += in.count == config.depth;
      coverage.exhausted += static_cast<int>(v) < output_vcs && state.output[p][v].credits == 0;
      coverage.routed += in.routed;
      routed |= in.routed;
      if (in.count > 0 && in.active && !by_input[in.out_port]) {
        by_input[in.out_port] = true;
        ++wanted[in.out_port];
      }
    }
    coverage.va_lost += routed && !wins_vc[p];
    if (const systemc::Grant& g = state.grant[p]; g.valid) {
      ++coverage.granted_input[g.in_port][g.in_vc];
      ++coverage.granted_output[p][g.out_vc];
    }
  }
  for (int inputs : wanted) coverage.contended += inputs > 1;
}

/// A run, until its first difference.
class Run {
 public:
  Run(const systemc::RouterConfig& model, const systemc::RouterConfig& rtl, const Place& place,
      std::uint64_t seed)
      : config_(model),
        geometry_(model, place),
        mood_lasts_(mood_lasts(model, geometry_)),
        noise_(seed + 1),
        model_(model, place),
        rtl_(rtl, place, noise_),
        neighbours_(model, place, seed),
        title_(fmt::format("seed {}, router at {},{},{} of {}x{}x{}", seed, place.router.x,
                           place.router.y, place.router.z, place.size[0], place.size[1],
                           place.size[2])) {}

  Outcome run(Cycle cycles) {
    const Cycle drain_limit = cycles + 10'000;
    for (; outcome_.equal && (now_ < cycles || !neighbours_.quiet()); ++now_) {
      if (now_ % mood_lasts_ == 0) {
        neighbours_.set_mood(kMoods[now_ / mood_lasts_ % kMoods.size()]);
      }
      if (now_ == cycles) neighbours_.drain();
      if (now_ == drain_limit) {
        stop("flits or credits are left in the routers");
      } else {
        cycle();
      }
    }
    Coverage& coverage = outcome_.coverage;
    coverage.flits = neighbours_.flits_received;
    coverage.packets = neighbours_.packets_sent;
    coverage.wrapping = neighbours_.wrapping;
    coverage.ties = neighbours_.ties;
    coverage.heads = neighbours_.heads;
    coverage.control_heads = neighbours_.control_heads;
    return outcome_;
  }

 private:
  void cycle() {
    const systemc::RouterState state = model_.state();
    if (const std::string d = difference(state, rtl_.state()); !d.empty()) return stop(d);
    const Stimulus& stimulus = neighbours_.stimulus();
    const Response expected = model_.cycle(stimulus);
    const Response found = rtl_.cycle(stimulus);
    history_[recorded_++ % history_.size()] = expected;
    if (!(expected == found)) {
      stop(difference(expected, found));
      outcome_.difference += fmt::format("  cycle {} RTL  {}\n", now_, trace(found));
      return;
    }
    if (const std::string wrong = neighbours_.response(expected); !wrong.empty()) {
      return stop("model and RTL agree, but " + wrong);
    }
    if (now_ > 0) {
      outcome_.coverage.passed_over += passed_over(config_, geometry_, before_, state);
    }
    count(outcome_.coverage, config_, geometry_, state);
    before_ = state;
  }

  /// Ends the run, and shows what the model did in the last cycles; the RTL did the same.
  void stop(const std::string& what) {
    outcome_.equal = false;
    outcome_.difference = fmt::format("{}, cycle {}: {}\n", title_, now_, what);
    const Cycle first = recorded_ < history_.size() ? 0 : recorded_ - history_.size();
    for (Cycle c = first; c < recorded_; ++c) {
      outcome_.difference +=
          fmt::format("  cycle {} model{}\n", c, trace(history_[c % history_.size()]));
    }
  }

  systemc::RouterConfig config_;
  Geometry geometry_;
  Cycle mood_lasts_;
  Random noise_;
  ModelSide model_;
  RtlSide rtl_;
  Neighbours neighbours_;
  std::string title_;
  std::array<Response, 8> history_;  // of the model, by cycle
  Cycle now_ = 0, recorded_ = 0;
  systemc::RouterState before_;
  Outcome outcome_;
};

}  // namespace

Coverage& Coverage::operator+=(const Coverage& o) {
  cycles += o.cycles;
  flits += o.flits;
  packets += o.packets;
  for (std::size_t p = 0; p < kMaxPorts; ++p) {
    for (std::size_t v = 0; v < kMaxVcs; ++v) {
      granted_input[p][v] += o.granted_input[p][v];
      granted_output[p][v] += o.granted_output[p][v];
    }
    for (std::size_t c = 0; c < heads[p].size(); ++c) {
      heads[p][c] += o.heads[p][c];
      control_heads[p][c] += o.control_heads[p][c];
    }
  }
  full_fifos += o.full_fifos;
  exhausted += o.exhausted;
  contended += o.contended;
  passed_over += o.passed_over;
  apart += o.apart;
  wrapping += o.wrapping;
  ties += o.ties;
  routed += o.routed;
  va_grants += o.va_grants;
  va_lost += o.va_lost;
  return *this;
}

std::vector<Place> places(const systemc::RouterConfig& config) {
  constexpr std::array kRingSizes{4, 5, 2, 3, 8, 256, 6, 1};
  constexpr int kMeshSize = 16;
  std::vector<Place> places;
  for (int k = 0; k < static_cast<int>(kRingSizes.size()); ++k) {
    Place place;
    for (int d = 0; d < config.dims; ++d) {
      const auto dim = static_cast<std::size_t>(d);
      const bool ring = config.torus[dim];
      const int size =
          ring ? kRingSizes[static_cast<std::size_t>(k + 3 * d) % kRingSizes.size()] : kMeshSize;
      // On a ring both ends, their neighbours and the middle; on a mesh mostly within.
      const std::array spots{size - 1, 0, 1 % size, size / 2, (2 * size - 2) % size};
      const int own = spots[static_cast<std::size_t>(k + d) % spots.size()];
      place.size[dim] = size;
      place.router[d] = static_cast<std::uint8_t>(ring || k % 4 == 3 ? own : 5 + k + d);
    }
    places.push_back(place);
  }
  return places;
}

Outcome run_router_lockstep(const systemc::RouterConfig& model, const systemc::RouterConfig& rtl,
                            const Place& place, Cycle cycles, std::uint64_t seed) {
  return Run(model, rtl, place, seed).run(cycles);
}

}  // namespace annelid::lockstep
