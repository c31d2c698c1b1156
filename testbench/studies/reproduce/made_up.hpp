// A laboratory that makes its results up.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "studies/reproduce/laboratory.hpp"

namespace annelid::reproduction {

/// Steps as the algorithm's schedule has them, and `more`; latencies as a formula wants them. An
/// ordinary call on the core takes three times as long, and a prepared one twice as long.
class MadeUp : public Laboratory {
 public:
  explicit MadeUp(int more = 0, double edn_slower = 1) : more_(more), edn_slower_(edn_slower) {}
  [[nodiscard]] int sources() const override { return 2; }

 protected:
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
      for (const reference::Step& messages : schedule.steps) {
        std::uint64_t longest = 0;
        for (const reference::Message& message : messages) {
          m.bytes += message.bytes;
          longest = std::max(longest, message.bytes);
        }
        m.in_sequence += longest;
      }
      count_ends(run.network, schedule, m);
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

 private:
  /// By the steps of the schedule in place of cycles: a message leaves in its step, and has come
  /// before the next one.
  static void count_ends(const reference::Network& net, const reference::Schedule& schedule,
                         Measurement& m) {
    struct Steps {
      std::size_t first_sent = kNone, last_sent = 0, first_received = kNone, last_received = 0;
    };
    std::vector<Steps> nodes(static_cast<std::size_t>(net.nodes()));
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
      for (const reference::Message& message : schedule.steps[i]) {
        Steps& from = nodes[static_cast<std::size_t>(reference::index_of(net, message.from))];
        Steps& to = nodes[static_cast<std::size_t>(reference::index_of(net, message.to))];
        from.first_sent = std::min(from.first_sent, 2 * i + 1);
        from.last_sent = 2 * i + 1;
        to.first_received = std::min(to.first_received, 2 * i + 2);
        to.last_received = 2 * i + 2;
      }
    }
    for (const Steps& node : nodes) {
      m.origins += node.first_sent < node.first_received ? 1 : 0;
      m.ends += node.last_received > node.last_sent ? 1 : 0;
    }
  }
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  int more_;
  double edn_slower_;
};

/// The same, all of it wrong: each number of each run is multiplied by a factor of its own, from
/// 1/8 to 8, which the seed and the run decide. Waits come where there were none.
class Wrong final : public MadeUp {
 public:
  explicit Wrong(std::size_t seed) : seed_(seed) {}

 private:
  [[nodiscard]] double factor(const std::string& of) const {
    const std::size_t drawn = std::hash<std::string>{}(of + "#" + std::to_string(seed_));
    return std::exp2(static_cast<double>(drawn % 6001) / 1000 - 3);
  }
  std::vector<Measurement> results_of(std::vector<Run>& runs) override {
    std::vector<Measurement> results = MadeUp::results_of(runs);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      Measurement& m = results[i];
      const std::string run = runs[i].line();
      const auto spoil = [&](std::uint64_t& value, const char* name) {
        value = 1 + static_cast<std::uint64_t>(static_cast<double>(value + 1) * factor(run + name));
      };
      m.mean *= factor(run + "mean");
      spoil(m.last, "last");
      spoil(m.steps, "steps");
      spoil(m.messages, "messages");
      spoil(m.hops, "hops");
      spoil(m.bytes, "bytes");
      spoil(m.in_sequence, "in sequence");
      m.stepwise = static_cast<std::uint64_t>(factor(run + "stepwise"));
      m.depth = static_cast<std::uint64_t>(factor(run + "depth"));
      m.origins = seed_ % 2 == 0 ? 1 : 16;
      m.ends = seed_ / 2 % 2 == 0 ? 1 : 16;
      m.account = {0, m.last};
    }
    return results;
  }
  std::vector<TraceTimes> times_of(const MessageTrace& trace) override {
    std::vector<TraceTimes> times = MadeUp::times_of(trace);
    for (std::size_t i = 0; i < times.size(); ++i) {
      times[i].arrived += static_cast<std::uint64_t>(1000 * factor(trace.name + std::to_string(i)));
    }
    return times;
  }
  std::uint64_t cycles_of(CoreSchedule schedule, int processes, int process) override {
    return static_cast<std::uint64_t>(
        factor("core" + std::to_string(processes)) *
        static_cast<double>(MadeUp::cycles_of(schedule, processes, process)));
  }

  std::size_t seed_;
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
