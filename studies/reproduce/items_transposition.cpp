// Figure 3.29 of Tsai 1997 (Section 3.6): matrix transposition by extended dominating nodes and
// directly, on 8 x 8, 16 x 16 and 32 x 32 meshes.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "reference/checks/contention.hpp"
#include "reference/costs/critical_path.hpp"
#include "studies/reproduce/claims.hpp"
#include "studies/reproduce/items.hpp"
#include "studies/reproduce/latency_study.hpp"

namespace annelid::reproduction {
namespace {

using reference::Network;
using reference::Operation;

Run transposition(const char* algorithm, int n, double bytes, const Machine& machine) {
  Run run;
  run.operation = Operation::kTranspose;
  run.algorithm = algorithm;
  run.network = {n, n};
  run.bytes = static_cast<std::uint64_t>(bytes);
  run.alpha = machine.alpha();
  run.gamma = machine.gamma();
  return run;
}

reference::Schedule schedule_of(const char* algorithm, const Network& net,
                                std::uint64_t bytes = 8) {
  reference::Request request;
  request.network = net;
  request.bytes = bytes;
  return reference::find_algorithm(Operation::kTranspose, algorithm)->schedule(request);
}
reference::Schedule edn_schedule(const Network& net, std::uint64_t bytes = 8) {
  return schedule_of("edn", net, bytes);
}

/// Messages of a schedule that share a channel with one of the same step: all, and those between
/// the two blocks beside the main diagonal.
struct InContention {
  long all = 0, exchanged = 0;
};
InContention in_contention(const Network& net, const reference::Schedule& schedule) {
  const int half = net.x / 2;
  InContention found;
  for (const auto& step : reference::contention(net, schedule)) {
    std::set<reference::Message> sharing;
    for (const auto& conflict : step.conflicts) {
      sharing.insert(conflict.first);
      sharing.insert(conflict.second);
    }
    found.all += static_cast<long>(sharing.size());
    found.exchanged += std::ranges::count_if(sharing, [&](const reference::Message& m) {
      return m.from.x / half != m.from.y / half && m.to == reference::Node{m.from.y, m.from.x};
    });
  }
  return found;
}

/// The schedule's messages, entering the network when the walk along the schedule says, and not
/// before their senders have what earlier steps bring.
MessageTrace trace_of(std::string name, const Network& net, const reference::Schedule& schedule,
                      const Machine& machine) {
  reference::Timing timing;
  timing.alpha = machine.alpha();
  timing.gamma = machine.gamma();
  const reference::Prediction walk = reference::predict(net, schedule, timing);
  MessageTrace trace{std::move(name), net, {}};
  std::vector<std::vector<std::size_t>> arriving(static_cast<std::size_t>(net.nodes()));
  const auto at = [&](const reference::Node& node) -> std::vector<std::size_t>& {
    return arriving[static_cast<std::size_t>(reference::index_of(net, node))];
  };
  for (std::size_t step = 0; step < schedule.steps.size(); ++step) {
    const reference::Step& messages = schedule.steps[step];
    const std::size_t first = trace.messages.size();
    for (std::size_t i = 0; i < messages.size(); ++i) {
      const reference::Message& m = messages[i];
      trace.messages.push_back({m.from, m.to, m.bytes, walk.messages[step][i].head, at(m.from)});
    }
    for (std::size_t i = 0; i < messages.size(); ++i) at(messages[i].to).push_back(first + i);
  }
  return trace;
}

/// A transposition, cycles.
struct SingleBlocks {
  double last = 0, mean = 0;  ///< mean over the nodes off the main diagonal
  std::string command;
  OnRouters on;
};

/// A transposition by EDN whose messages are all one block long, played on the routers.
SingleBlocks with_single_blocks(Laboratory& lab, int n, double bytes, const Machine& machine) {
  const Network net{n, n};
  auto schedule = edn_schedule(net);
  for (reference::Step& step : schedule.steps) {
    for (reference::Message& m : step) m.bytes = static_cast<std::uint64_t>(bytes);
  }
  const MessageTrace trace =
      trace_of(fmt::format("fig3.29-single-blocks-{}", machine.alpha()), net, schedule, machine);
  const Played played = lab.play(trace);
  std::vector<std::uint64_t> complete(static_cast<std::size_t>(net.nodes()));
  for (std::size_t i = 0; i < trace.messages.size(); ++i) {
    std::uint64_t& last =
        complete[static_cast<std::size_t>(reference::index_of(net, trace.messages[i].to))];
    last = std::max(last, played.arrived()[i] + machine.gamma());
  }
  SingleBlocks single{0, 0, trace.command(), OnRouters(played)};
  for (int i = 0; i < net.nodes(); ++i) {
    const auto cycles = static_cast<double>(complete[static_cast<std::size_t>(i)]);
    single.last = std::max(single.last, cycles);
    const reference::Node node = reference::node_at(net, i);
    if (node.x != node.y) single.mean += cycles / (n * n - n);
  }
  return single;
}

/// The schedule of the paper where k is odd: in the step in which the two blocks beside the main
/// diagonal change places, the blocks on the diagonal already begin to scatter.
reference::Schedule early_schedule(int n) {
  reference::Schedule schedule = edn_schedule({n, n}, 2048);
  const int half = n / 2;
  const auto on_diagonal = [&](const reference::Message& m) {
    return m.from.x / half == m.from.y / half && m.to.x / half == m.to.y / half;
  };
  const std::size_t exchange = schedule.steps.size() / 2;
  for (std::size_t i = exchange + 1; i < schedule.steps.size(); ++i) {
    reference::Step &from = schedule.steps[i], &to = schedule.steps[i - 1];
    std::ranges::copy_if(from, std::back_inserter(to), on_diagonal);
    std::erase_if(from, on_diagonal);
  }
  return schedule;
}

/// How many messages of the step with the early scatter wait for others on the routers.
Claim waits_on_routers(Laboratory& lab, int n, const reference::Schedule& early,
                       const Formula& claimed) {
  const MessageTrace trace = trace_of(fmt::format("fig3.29-early-{}", n), {n, n}, early, t3d());
  const Played played = lab.play(trace);
  const std::size_t exchange = early.steps.size() / 2;
  std::size_t message = 0;
  long waiting = 0, elsewhere = 0;
  for (std::size_t step = 0; step < early.steps.size(); ++step) {
    for (std::size_t i = 0; i < early.steps[step].size(); ++i, ++message) {
      if (played.waited()[message] > 0) ++(step == exchange ? waiting : elsewhere);
    }
  }
  return count(fmt::format("messages that wait on the routers in the step with the early scatter, "
                           "EDN, n = {}",
                           n),
               claimed, waiting, OnRouters(played),
               fact(fmt::format("`{}` plays the messages, each at the time of the walk along the "
                                "schedule. In other steps {} messages wait, too.",
                                trace.command(), elsewhere)));
}

/// The largest and mean latencies of both on one machine, and what is said of 32 x 32. Returns
/// EDN's runs with the longest messages, by size.
std::vector<Measured> add_machine(Laboratory& lab, const Machine& machine, Outcome& result) {
  std::vector<Measured> edn_runs;
  Plot largest{"(a) largest, " + machine.name, "block, bytes", "latency, us", {}};
  Plot mean{"(b) mean, " + machine.name, "block, bytes", "latency, us", {}};
  double largest_ratio = 0, mean_ratio = 0;
  const SingleBlocks single = with_single_blocks(lab, 32, torus_lengths().back(), machine);
  double direct_last = 0, direct_mean = 0;
  std::vector<Measured> decisive;
  for (const int n : {8, 16, 32}) {
    std::vector<Run> runs;
    for (const char* algorithm : {"edn", "direct"}) {
      for (const double bytes : torus_lengths()) {
        runs.push_back(transposition(algorithm, n, bytes, machine));
      }
    }
    const auto measured = lab.measure(runs);
    const CoreRatios core = lab.core_ratios(measured);
    const std::size_t lengths = torus_lengths().size();
    edn_runs.push_back(measured[lengths - 1]);
    for (const std::size_t algorithm : {0, 1}) {
      const std::string name = fmt::format("{} {}x{}", algorithm == 0 ? "EDN" : "direct", n, n);
      largest.curves.push_back({name, {}});
      mean.curves.push_back({name, {}});
      for (std::size_t i = 0; i < lengths; ++i) {
        const Measured& m = measured[algorithm * lengths + i];
        const double bytes = torus_lengths()[i];
        const double last_us = machine.us(static_cast<double>(m.last));
        largest.curves.back().points.emplace_back(bytes, last_us);
        mean.curves.back().points.emplace_back(bytes, machine.us(m.mean));
        result.table.rows.push_back({machine.name, name, fmt::format("{:g}", bytes),
                                     fmt::format("{:.5g}", last_us),
                                     fmt::format("{:.5g}", machine.us(m.mean)),
                                     fmt::format("{:.2f}", core.first[algorithm * lengths + i]),
                                     fmt::format("{:.2f}", core.prepared[algorithm * lengths + i]),
                                     std::to_string(m.stepwise), std::to_string(m.control)});
      }
    }
    if (n == 32) {
      const Measured &edn = measured[lengths - 1], &direct = measured.back();
      decisive = {edn, direct};
      largest_ratio = static_cast<double>(edn.last) / static_cast<double>(direct.last);
      mean_ratio = edn.mean / direct.mean;
      direct_last = static_cast<double>(direct.last);
      direct_mean = direct.mean;
    }
  }
  result.plots.push_back(largest);
  result.plots.push_back(mean);
  const auto why = [&](double ratio) {
    return fact(fmt::format(
               "Blocks gather on their path to the diagonals. The messages of the five steps hold "
               "1, 5, 25, 5 and 1 blocks, which makes 37 one after the other. The busiest channel "
               "of the direct approach carries only 31. If all messages of EDN's schedule are one "
               "block long, they take {:.2f} of the direct approach's time on the routers "
               "(`{}`).",
               ratio, single.command)) +
           hypothesis("messages did not grow in the paper's simulation.");
  };
  result.claims.push_back(
      below("ratio of largest latencies, EDN to direct, 32x32, " + machine.name,
            printed("Tsai 1997, 3.6", "less than one-third").meaning({1.0 / 3, 3}), largest_ratio,
            OnHardware(decisive), why(single.last / direct_last)));
  result.claims.push_back(
      number("ratio of mean latencies, EDN to direct, 32x32, " + machine.name,
             printed("Tsai 1997, 3.6", "approximately one-half").meaning({0.5, 1}), mean_ratio,
             OnHardware(decisive), kApproximately, why(single.mean / direct_mean)));
  const std::string alone = " if all messages of EDN are one block long, 32x32, " + machine.name;
  result.claims.push_back(
      below("ratio of largest latencies, EDN to direct," + alone,
            printed("Tsai 1997, 3.6", "less than one-third").meaning({1.0 / 3, 3}),
            single.last / direct_last, single.on));
  result.claims.push_back(
      number("ratio of mean latencies, EDN to direct," + alone,
             printed("Tsai 1997, 3.6", "approximately one-half").meaning({0.5, 1}),
             single.mean / direct_mean, single.on, kApproximately));
  result.notes.push_back(machine.conversion());
  return edn_runs;
}

/// Where k is odd, the simulated messages of EDN meet, too: no process waits for the others' steps.
Claim meets_in_simulation(const std::vector<Measured>& edn_runs) {
  std::string ours;
  bool odd_meet = true;
  for (const Measured& m : edn_runs) {
    const int n = m.run().network.x;
    ours += fmt::format("{}{} flit-cycles for n = {}", ours.empty() ? "" : ", ", m.depth, n);
    if (n != 16) odd_meet = odd_meet && m.depth > 0;
  }
  return words(
      "messages of EDN wait for messages of other steps where k is odd (n = 8, 32), 2048 B",
      printed("Tsai 1997, 3.6", "channel contention is possible"), odd_meet, ours,
      OnHardware(edn_runs));
}

}  // namespace

Outcome figure_3_29(Laboratory& lab) {
  Outcome result;
  result.table.columns = {"machine",
                          "algorithm",
                          "bytes",
                          "largest, us",
                          "mean, us",
                          "first / native",
                          "prepared / native",
                          "flit-cycles blocked stepwise",
                          "flit-cycles blocked by control packets"};
  const std::vector<Measured> edn_runs = add_machine(lab, t3d(), result);
  add_machine(lab, ncube_2(), result);
  result.claims.push_back(meets_in_simulation(edn_runs));
  for (const int n : {8, 16, 32}) {
    const Network net{n, n};
    result.claims.push_back(count(fmt::format("messages in contention, direct, n = {}", n),
                                  Formula{"n^2 - n - 2, 3.6", 1.0 * n * n - n - 2},
                                  in_contention(net, schedule_of("direct", net)).all,
                                  BySchedule{}));
    const bool odd = n != 16;  // k, with n = 2^k
    if (!odd) {
      result.claims.push_back(count(fmt::format("messages in contention, EDN, n = {}", n),
                                    Formula{"none for even k, 3.6", 0},
                                    in_contention(net, edn_schedule(net)).all, BySchedule{}));
      continue;
    }
    const reference::Schedule early_scatter = early_schedule(n);
    const InContention early = in_contention(net, early_scatter);
    const Formula claimed{"3n/4, 3.6", 3.0 * n / 4};
    result.claims.push_back(waits_on_routers(lab, n, early_scatter, claimed));
    result.claims.push_back(
        count(fmt::format("messages between off-diagonal blocks in contention, EDN, n = {}", n),
              claimed, early.exchanged, BySchedule{}));
    result.claims.push_back(count(
        fmt::format("messages in contention, EDN, n = {}", n), claimed, early.all, BySchedule{},
        fact(fmt::format("{} messages between off-diagonal blocks share channels with {} of "
                         "the blocks on the diagonal. The paper's number is that of one "
                         "side; its number for the direct approach has both.",
                         early.exchanged, early.all - early.exchanged))));
  }
  result.notes.emplace_back(
      "For odd k the paper lets the blocks on the main diagonal begin to scatter early, and says "
      "that they can contend. The reference computes this schedule. In the schedule of "
      "Annelid's EDN these messages have the label of the next step, and no messages of one step "
      "contend. But a process sends as soon as it has what it sends, and waits for nobody's step. "
      "So the simulations contain this contention: it counts as waits for messages of other "
      "steps.");
  result.notes.emplace_back(
      "The paper does not say which machine's parameters it used, so we show both machines. The "
      "claims are for blocks of 2048 bytes. The mean is taken over the nodes off the main "
      "diagonal.");
  return result;
}

}  // namespace annelid::reproduction
