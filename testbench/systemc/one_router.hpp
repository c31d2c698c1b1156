// One router kernel with a hand-driven neighbour on every port, and no SystemC around it.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "systemc/router_kernel.hpp"

namespace annelid {

/// The router stands at (5, 5). Calls between two step()s belong to one cycle.
class OneRouter {
 public:
  explicit OneRouter(const RouterConfig& config)
      : rings_(RouterKernel::ring_flits(config)),
        kernel_({.size = {16, 16, 1}, .router = config}, {5, 5, 0}, 7, rings_.data()) {
    for (Port p = 0; p < config.ports(); ++p) kernel_.join(p, {.other = &probes_[p]});
  }

  static Flit head(Address to, Vc vc = 0, bool tail = false, std::uint16_t tag = 0) {
    return {pack(HeadFields{to, {1, 1, 0}, tag}), vc, true, tail};
  }
  static Flit body(Vc vc = 0, std::uint64_t data = 0) { return {data, vc, false, false}; }
  static Flit tail(Vc vc = 0, std::uint64_t data = 0) { return {data, vc, false, true}; }

  void put(Port in, const Flit& flit) { kernel_.take_flit(in, flit, now_); }
  void credit(Port out, Vc vc) { kernel_.take_credit(out, vc, now_); }

  /// Executes the cycle; afterwards sent() and freed() say what was on the channels in it.
  void step() {
    for (Probe& probe : probes_) probe = {};
    StepContext context{.now = now_};
    kernel_.step<false>(context);
    ++now_;
  }
  [[nodiscard]] std::optional<Flit> sent(Port out) const { return probes_[out].flit; }
  [[nodiscard]] std::optional<Vc> freed(Port in) const { return probes_[in].credit; }

  /// The registers at the start of the cycle that the next step() executes.
  [[nodiscard]] RouterState state() const {
    RouterState state;
    kernel_.state(now_, state);
    return state;
  }
  [[nodiscard]] RouterKernel& kernel() { return kernel_; }
  [[nodiscard]] Cycle now() const { return now_; }

 private:
  struct Probe final : LinkIf {
    Probe() = default;
    Probe& operator=(const Probe& other) {
      flit = other.flit;
      credit = other.credit;
      return *this;
    }
    void put_flit(const Flit& f) override { flit = f; }
    void put_credit(Vc vc) override { credit = vc; }
    std::optional<Flit> flit;
    std::optional<Vc> credit;
  };

  std::vector<Flit> rings_;
  RouterKernel kernel_;
  std::array<Probe, kMaxPorts> probes_;
  Cycle now_ = 0;
};

}  // namespace annelid
