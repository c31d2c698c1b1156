// A laboratory that makes its results up.
#pragma once

#include "studies/reproduce/laboratory.hpp"

namespace annelid::reproduction {

/// Steps as the algorithm's schedule has them, and `more`; latencies as a formula wants them. An
/// ordinary call on the core takes three times as long, and a prepared one twice as long.
class MadeUp final : public Laboratory {
 public:
  explicit MadeUp(int more = 0, double edn_slower = 1) : more_(more), edn_slower_(edn_slower) {}
  [[nodiscard]] int sources() const override { return 2; }

 private:
  std::vector<Measurement> results_of(std::vector<Run>& runs) override {
    std::vector<Measurement> results;
    for (const Run& run : runs) {
      const auto* algorithm = reference::find_algorithm(run.operation, run.algorithm);
      const auto schedule = algorithm->schedule({run.network,
                                                 run.root,
                                                 run.bytes,
                                                 run.parameter,
                                                 {},
                                                 run.hybrid.value_or(reference::HybridChoice{})});
      Measurement m;
      m.messages = schedule.messages();
      m.steps = schedule.steps.size() + static_cast<std::size_t>(more_);
      m.hops = reference::hops(run.network, schedule);
      const double step = static_cast<double>(run.alpha + run.gamma + run.bytes / 8);
      m.mean = step * static_cast<double>(schedule.steps.size());
      if (run.algorithm == "edn") m.mean *= edn_slower_;
      m.last = static_cast<std::uint64_t>(m.mean);
      m.last *= run.calls == CallKind::kFirst ? 3 : run.calls == CallKind::kPrepared ? 2 : 1;
      m.account = {run.alpha, m.last - run.alpha};
      results.push_back(m);
    }
    return results;
  }
  std::vector<TraceTimes> times_of(const MessageTrace& trace) override {
    std::vector<TraceTimes> times;
    for (const TraceMessage& m : trace.messages) times.push_back({m.start, m.start + 9, 5});
    return times;
  }
  std::uint64_t cycles_of(CoreSchedule, int processes, int process) override {
    return 1000 + static_cast<std::uint64_t>(processes % 7 + process % 7);
  }

  int more_;
  double edn_slower_;
};

/// A broadcast by EDN on 4x4, from the corner.
inline Measured one_measured(std::uint64_t bytes = 64) {
  Run run;
  run.algorithm = "edn";
  run.network = {4, 4};
  run.bytes = bytes;
  run.alpha = 5;
  MadeUp lab;
  return lab.measure({run}).front();
}

}  // namespace annelid::reproduction
