#include "testbench/lockstep/router_lockstep.hpp"

#include <fmt/format.h>

#include <deque>
#include <vector>

#include "systemc/router_kernel.hpp"
#include "systemc/rtl_model.hpp"
#include "testbench/lockstep/neighbours.hpp"

namespace annelid::lockstep {
namespace {

constexpr Address kRouter{7, 5, 0};

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// The model's router, its neighbours being listeners.
class ModelSide {
 public:
  explicit ModelSide(const RouterConfig& config)
      : config_(config),
        rings_(RouterKernel::ring_flits(config)),
        kernel_({.size = {16, 16, 1}, .router = config}, kRouter, 0, rings_.data()) {
    for (int p = 0; p < config.ports(); ++p) {
      ears_[at(p)].side = this;
      ears_[at(p)].port = at(p);
      kernel_.join(static_cast<Port>(p), {nullptr, &ears_[at(p)], 0, 0});
    }
  }

  void state(RouterState& state) const { kernel_.state(now_, state); }

  Response cycle(const Stimulus& stimulus) {
    response_ = {};
    std::uint8_t unused = 0;
    StepContext context{now_, &unused, nullptr};
    // The neighbours' calls of cycle t may come before or after the router's own step of t.
    const bool early = now_ % 2 == 0;
    if (early) put(stimulus);
    kernel_.step<false>(context);
    if (!early) put(stimulus);
    ++now_;
    return response_;
  }

 private:
  struct Ear : LinkIf {
    ModelSide* side = nullptr;
    std::size_t port = 0;
    void put_flit(const Flit& flit) override { side->response_.flits[port] = flit; }
    void put_credit(Vc vc) override { side->response_.credits[port] = vc; }
  };

  void put(const Stimulus& stimulus) {
    for (int p = 0; p < config_.ports(); ++p) {
      const auto port = static_cast<Port>(p);
      if (stimulus.flits[at(p)]) kernel_.take_flit(port, *stimulus.flits[at(p)], now_);
      if (stimulus.credits[at(p)]) kernel_.take_credit(port, *stimulus.credits[at(p)], now_);
    }
  }

  RouterConfig config_;
  std::vector<Flit> rings_;
  RouterKernel kernel_;
  std::array<Ear, kMaxPorts> ears_;
  Response response_;
  Cycle now_ = 0;
};

class RtlSide {
 public:
  explicit RtlSide(const RouterConfig& config) : config_(config), rtl_(make_rtl_model(config)) {
    rtl_->reset(kRouter);
  }

  void state(RouterState& state) const { rtl_->observe(state); }

  Response cycle(const Stimulus& stimulus) {
    Response response = outputs();
    for (int p = 0; p < config_.ports(); ++p) {
      const auto port = static_cast<Port>(p);
      if (stimulus.flits[at(p)]) rtl_->set_flit(port, *stimulus.flits[at(p)]);
      if (stimulus.credits[at(p)]) rtl_->set_credit(port, *stimulus.credits[at(p)]);
    }
    rtl_->clock();
    return response;
  }

 private:
  Response outputs() const {
    Response response;
    for (int p = 0; p < config_.ports(); ++p) {
      Flit flit;
      Vc vc = 0;
      if (rtl_->flit(static_cast<Port>(p), flit)) response.flits[at(p)] = flit;
      if (rtl_->credit(static_cast<Port>(p), vc)) response.credits[at(p)] = vc;
    }
    return response;
  }

  RouterConfig config_;
  std::unique_ptr<RtlModel> rtl_;
};

std::string shown(const Flit& f) {
  return fmt::format("vc{} {}{} {:016x}", f.vc, f.head ? "H" : "-", f.tail ? "T" : "-", f.data);
}

/// One line: what a router did in a cycle.
std::string trace(const Response& response) {
  std::string line;
  for (std::size_t p = 0; p < kMaxPorts; ++p) {
    if (response.flits[p]) line += fmt::format(" out{}[{}]", p, shown(*response.flits[p]));
    if (response.credits[p]) line += fmt::format(" credit{}[vc{}]", p, *response.credits[p]);
  }
  return line.empty() ? " idle" : line;
}

/// The first register that differs, in words; empty if none does.
std::string difference(const RouterState& model, const RouterState& rtl) {
  auto say = [](std::string_view what, int port, int vc, int expected, int found) {
    return fmt::format("{} of port {} vc {}: model {}, RTL {}", what, port, vc, expected, found);
  };
  for (int p = 0; p < kMaxPorts; ++p) {
    for (int v = 0; v < kMaxVcs; ++v) {
      const InputVcState &a = model.input[at(p)][at(v)], &b = rtl.input[at(p)][at(v)];
      const OutputVcState &c = model.output[at(p)][at(v)], &d = rtl.output[at(p)][at(v)];
      if (a.count != b.count) return say("count", p, v, a.count, b.count);
      if (a.active != b.active) return say("active", p, v, a.active, b.active);
      if (a.out_port != b.out_port) return say("out_port", p, v, a.out_port, b.out_port);
      if (a.out_vc != b.out_vc) return say("out_vc", p, v, a.out_vc, b.out_vc);
      if (!(a.front == b.front)) {
        return fmt::format("front of port {} vc {}: model {}, RTL {}", p, v, shown(a.front),
                           shown(b.front));
      }
      if (c.credits != d.credits) return say("credits", p, v, c.credits, d.credits);
      if (c.owned != d.owned) return say("owned", p, v, c.owned, d.owned);
    }
    const auto i = at(p);
    if (model.in_pointer[i] != rtl.in_pointer[i]) {
      return say("in_pointer", p, 0, model.in_pointer[i], rtl.in_pointer[i]);
    }
    if (model.out_pointer[i] != rtl.out_pointer[i]) {
      return say("out_pointer", p, 0, model.out_pointer[i], rtl.out_pointer[i]);
    }
    if (!(model.grant[i] == rtl.grant[i])) {
      return fmt::format("grant of output {}: model {} (input {} vc {}), RTL {} (input {} vc {})",
                         p, model.grant[i].valid, model.grant[i].in_port, model.grant[i].in_vc,
                         rtl.grant[i].valid, rtl.grant[i].in_port, rtl.grant[i].in_vc);
    }
  }
  return {};
}

void count(Coverage& coverage, const RouterConfig& config, const RouterState& state,
           const Response& response) {
  ++coverage.cycles;
  std::array<int, kMaxPorts> wanted{};
  for (int p = 0; p < config.ports(); ++p) {
    std::array<bool, kMaxPorts> by_input{};
    for (int v = 0; v < config.link_vcs(p); ++v) {
      const InputVcState& in = state.input[at(p)][at(v)];
      coverage.full_fifos += in.count == config.depth;
      coverage.exhausted += state.output[at(p)][at(v)].credits == 0;
      if (in.count > 0 && in.active && !by_input[in.out_port]) {
        by_input[in.out_port] = true;
        ++wanted[in.out_port];
      }
    }
    if (const auto& flit = response.flits[at(p)]) {
      ++coverage.flits;
      ++coverage.flits_by_output[at(p)];
      ++coverage.flits_by_output_vc[flit->vc];
      coverage.packets += flit->head;
      coverage.single_flit_packets += flit->head && flit->tail;
      for (Vc w = 0; flit->head && w < flit->vc; ++w) {
        const OutputVcState& lower = state.output[at(p)][w];
        if (!lower.owned && lower.credits == 0) {
          ++coverage.passed_over;
          break;
        }
      }
    }
  }
  for (int n : wanted) coverage.contended += n > 1;
}

constexpr std::array<Mood, 6> kMoods = {{
    {0.5, 0.1, 0.1, 8, false},
    {1.0, 0.0, 0.0, 20, false},  // everything at full rate
    {0.9, 0.0, 0.8, 6, false},   // slow receivers: buffers fill, credits run out
    {0.02, 0.3, 0.3, 5, false},  // nearly idle
    {0.9, 0.05, 0.2, 1, false},  // packets of one flit
    {0.9, 0.0, 0.3, 12, true},   // everybody wants one output
}};
constexpr Cycle kMoodLasts = 997;

}  // namespace

Outcome run_router_lockstep(const RouterConfig& model_config, const RouterConfig& rtl_config,
                            Cycle cycles, std::uint64_t seed) {
  ModelSide model(model_config);
  RtlSide rtl(rtl_config);
  Neighbours neighbours(model_config, kRouter, seed);
  Outcome outcome;
  std::deque<std::string> traces;

  auto differ = [&](Cycle cycle, const std::string& what) {
    outcome.equal = false;
    outcome.difference = fmt::format("seed {}, cycle {}: {}\n", seed, cycle, what);
    for (const std::string& line : traces) outcome.difference += "  " + line + "\n";
  };

  const Cycle drain_limit = cycles + 10'000;
  for (Cycle cycle = 0; cycle < cycles || !neighbours.quiet(); ++cycle) {
    if (cycle == drain_limit) {
      differ(cycle, "flits are left in the routers");
      return outcome;
    }
    if (cycle % kMoodLasts == 0) neighbours.set_mood(kMoods[cycle / kMoodLasts % kMoods.size()]);
    if (cycle == cycles) neighbours.drain();

    RouterState model_state, rtl_state;
    model.state(model_state);
    rtl.state(rtl_state);
    if (!(model_state == rtl_state)) {
      differ(cycle, difference(model_state, rtl_state));
      return outcome;
    }
    const Stimulus& stimulus = neighbours.stimulus();
    const Response expected = model.cycle(stimulus);
    const Response found = rtl.cycle(stimulus);
    if (!outcome.equal || !(expected == found)) {
      traces.push_back(fmt::format("cycle {} model{}", cycle, trace(expected)));
      traces.push_back(fmt::format("cycle {} RTL  {}", cycle, trace(found)));
      differ(cycle, "the outputs differ");
      return outcome;
    }
    if (traces.size() == 8) traces.pop_front();
    traces.push_back(fmt::format("cycle {} both {}", cycle, trace(expected)));
    count(outcome.coverage, model_config, model_state, expected);
    neighbours.response(expected);
  }
  return outcome;
}

}  // namespace annelid::lockstep
