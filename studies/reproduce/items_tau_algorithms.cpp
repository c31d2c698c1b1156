// Tables 5.2 to 5.5 of Tsai 1997 (Section 5.3): T_s and T_n of broadcasts on 2^n x 2^n meshes, by
// the closed forms and fitted to simulated broadcasts; and the all-to-all of 5.5.2.
#include <fmt/format.h>

#include <cmath>

#include "reference/costs/critical_path.hpp"
#include "reference/costs/formulas.hpp"
#include "reference/costs/tau_model.hpp"
#include "reference/trees/fibonacci_tree.hpp"
#include "studies/reproduce/claims.hpp"
#include "studies/reproduce/items.hpp"

namespace annelid::reproduction {
namespace {

namespace formulas = reference::formulas;
namespace tau = reference::tau;
using formulas::Cost;
using formulas::LinearTime;
using reference::Node;

constexpr int kN = 5;                 // 32 x 32, the mesh of Section 5.4
constexpr std::uint64_t kAlpha = 21;  // cycles: beta / (alpha + gamma) about 0.003 per byte

/// Flits as the unit of length, cycles of time: a flit and hop takes one.
Cost cycles() { return {kAlpha, 1, kAlpha}; }

struct Competitor {
  std::string title, algorithm;
  std::uint32_t packets;  ///< of the Fibonacci tree
  LinearTime (*formula)(const Cost&);
};

const std::vector<Competitor>& competitors() {
  static const std::vector<Competitor> all = {
      {"RD", "dimensional", 0,
       [](const Cost& c) { return formulas::dimensional_broadcast(c, kN); }},
      {"SC", "scatter-collect", 0, [](const Cost& c) { return formulas::scatter_collect(c, kN); }},
      {"FT, k = 2", "fibonacci-tree", 2,
       [](const Cost& c) { return formulas::fibonacci_tree(c, kN, 2); }},
      {"FT, k = 4", "fibonacci-tree", 4,
       [](const Cost& c) { return formulas::fibonacci_tree(c, kN, 4); }},
      {"FT, k = 8", "fibonacci-tree", 8,
       [](const Cost& c) { return formulas::fibonacci_tree(c, kN, 8); }},
      {"EDN", "edn", 0, [](const Cost& c) { return formulas::edn_approximate(c, kN); }},
  };
  return all;
}

/// The lengths that a fit takes: a piece of scatter-collect has a flit at least.
constexpr std::array kFitBytes = {8192.0, 16384.0, 32768.0};

constexpr Node kSource{11, 21, 0};

/// When the walk along the schedule's critical path ends that a message of the longest length
/// takes; what it leaves out is waiting for channels alone.
double walk(const Competitor& c) {
  const reference::Network net{1 << kN, 1 << kN};
  const auto* algorithm = reference::find_algorithm(reference::Operation::kBroadcast, c.algorithm);
  reference::Timing timing;
  timing.alpha = timing.gamma = kAlpha;
  const auto schedule = algorithm->schedule(
      {net, kSource, static_cast<std::uint64_t>(kFitBytes.back()), c.packets, {}});
  return static_cast<double>(reference::predict(net, schedule, timing).end);
}

struct Simulated {
  tau::Fit fit;
  std::vector<Measured> runs;  ///< the longest and the shortest messages
  CoreRatios core;             ///< of the longest messages
};

Simulated simulated(Laboratory& lab, const Competitor& c) {
  std::vector<Run> runs;
  for (const double bytes : kFitBytes) {
    Run run;
    run.algorithm = c.algorithm;
    run.network = {1 << kN, 1 << kN};
    run.root = kSource;
    run.bytes = static_cast<std::uint64_t>(bytes);
    run.alpha = run.gamma = kAlpha;
    run.packets = c.packets;
    runs.push_back(run);
  }
  const std::vector<Measured> measured = lab.measure(runs);
  std::vector<tau::Sample> samples;
  for (std::size_t i = 0; i < kFitBytes.size(); ++i) {
    samples.push_back({kFitBytes[i] / 8, static_cast<double>(measured[i].last)});
  }
  return {
      tau::fit(samples), {measured.back(), measured.front()}, lab.core_ratios({measured.back()})};
}

std::vector<std::string> row(const std::string& title, const LinearTime& line) {
  return {title, fmt::format("{:.5g}", line.start), fmt::format("{:.5g}", line.per_length),
          fmt::format("{:.4g}", line.tau())};
}

/// Both algorithms' forms for n = 2 .. 6, alpha = gamma = 1.5, beta = 0.009 (5.4.2).
Table forms(const std::string& first, LinearTime (*a)(int), const std::string& second,
            LinearTime (*b)(int)) {
  Table table{{"n", "algorithm", "T_s", "T_n", "tau"}, {}};
  for (int n = 2; n <= 6; ++n) {
    for (const auto& [title, line] : {std::pair{first, a(n)}, std::pair{second, b(n)}}) {
      std::vector<std::string> cells = row(title, line);
      cells.insert(cells.begin(), std::to_string(n));
      table.rows.push_back(cells);
    }
  }
  return table;
}

/// What the account of the longest message has that the formula lacks.
Reason beyond_the_formula(const std::vector<Measured>& runs, const LinearTime& formula) {
  const Measured& m = runs.front();
  const double flits = static_cast<double>(m.run().bytes) / 8;
  return fact(fmt::format(
      "For {} bytes the formula gives {:.0f} cycles and the simulation {}. The simulation's "
      "critical "
      "path has {} cycles of start-up, {} of flits, {} of hops, and {} of waits, the longest of "
      "them {}. The flits of the simulation include the two that lead every packet.",
      m.run().bytes, formula.at(flits), m.last, m.account[0], m.account[1], m.account[2],
      m.account[3], m.wait.empty() ? "none" : m.wait));
}

constexpr Cost kT3d{1.5, 0.009, 1.5};

}  // namespace

Outcome table_5_2(Laboratory& lab) {
  // As printed: n times a whole scatter, though its volume and hops halve with every step.
  const Cost c = cycles();
  const double side = 1 << kN, n = kN;
  const std::vector<std::pair<std::string, LinearTime>> phases = {
      {"scatter in row, as printed",
       {n * (c.alpha + c.beta * (side - 1) + c.gamma), n * (side - 1) / side * c.beta}},
      {"scatter in column, as printed",
       {n * (c.alpha + c.beta * (side - 1) + c.gamma), n * (side - 1) / side / side * c.beta}},
      {"collect in row", {(side - 1) * (c.alpha + c.beta + c.gamma), (side - 1) / side * c.beta}},
      {"collect in column",
       {(side - 1) * (c.alpha + c.beta + c.gamma), (side - 1) / side / side * c.beta}},
  };
  Outcome result;
  result.table.columns = {"phase", "T_s, cycles", "T_n, cycles per flit", "tau"};
  LinearTime printed;
  for (const auto& [phase, line] : phases) {
    result.table.rows.push_back(row(phase, line));
    printed.start += line.start;
    printed.per_length += line.per_length;
  }
  const LinearTime consistent = formulas::scatter_collect(c, kN);
  const auto [ours, runs, core] = simulated(lab, competitors()[1]);
  result.table.rows.push_back(row("all, as printed", printed));
  result.table.rows.push_back(row("all, Table 5.3", consistent));
  result.table.rows.push_back(row("simulated", ours.line));
  result.notes.push_back(fmt::format(
      "With firmware on the RV32 core, an ordinary broadcast of 32 KiB takes {:.2f} times as long, "
      "and a start of a prepared one {:.2f} times.",
      core.first.front(), core.prepared.front()));
  result.claims = {
      number("T_n of scatter-collect by Table 5.2",
             Formula{"the sum of Table 5.2", printed.per_length, 3, "cycles per flit"},
             ours.line.per_length, OnHardware(runs), kApproximately,
             fact("The factor n of the scatters must not multiply volume and hops. These halve "
                  "with every step, so n scatters of a line carry (2^n - 1) / 2^n of the message, "
                  "as in Table 5.3.")),
      number("T_n of scatter-collect by Table 5.3",
             Formula{"Table 5.3", consistent.per_length, 3, "cycles per flit"},
             ours.line.per_length, OnHardware(runs), kApproximately,
             beyond_the_formula(runs, consistent)),
      number("T_s of scatter-collect by Table 5.3",
             Formula{"Table 5.3", consistent.start, 0, "cycles"}, ours.line.start, OnHardware(runs),
             kApproximately, beyond_the_formula(runs, consistent))};
  return result;
}

Outcome table_5_3(Laboratory& lab) {
  Outcome result;
  result.table.columns = {"algorithm",
                          "T_s, formula",
                          "T_s, simulated",
                          "T_n, formula",
                          "T_n, simulated",
                          "tau, formula",
                          "tau, simulated",
                          "largest error of the fit",
                          "critical path at 32 KiB",
                          "first / native at 32 KiB",
                          "prepared / native at 32 KiB"};
  Plot plot{
      "Broadcast on a 32x32 mesh, alpha = gamma = 21 cycles", "tau, 1/flit", "T_s, cycles", {}};
  for (const Competitor& c : competitors()) {
    const LinearTime formula = c.formula(cycles());
    const auto [fit, runs, core] = simulated(lab, c);
    const auto last = static_cast<double>(runs.front().last);
    result.table.rows.push_back(
        {c.title, fmt::format("{:.5g}", formula.start), fmt::format("{:.5g}", fit.line.start),
         fmt::format("{:.5g}", formula.per_length), fmt::format("{:.5g}", fit.line.per_length),
         fmt::format("{:.4g}", formula.tau()), fmt::format("{:.4g}", fit.line.tau()),
         fmt::format("{:.2f} %", 100 * fit.worst),
         fmt::format("{:+.2f} %", 100 * (walk(c) / last - 1)),
         fmt::format("{:.2f}", core.first.front()), fmt::format("{:.2f}", core.prepared.front())});
    plot.curves.push_back({c.title + " formula", {{formula.tau(), formula.start}}, false});
    plot.curves.push_back({c.title + " simulated", {{fit.line.tau(), fit.line.start}}, false});
    result.claims.push_back(number(
        "T_s of " + c.title, Formula{"Table 5.3", formula.start, 0, "cycles"}, fit.line.start,
        OnHardware(runs), kApproximately, beyond_the_formula(runs, formula)));
    result.claims.push_back(number(
        "T_n of " + c.title, Formula{"Table 5.3", formula.per_length, 2, "cycles per flit"},
        fit.line.per_length, OnHardware(runs), kApproximately, beyond_the_formula(runs, formula)));
  }
  result.plots = {plot};
  result.notes.push_back(fmt::format(
      "The lines are fitted to simulated broadcasts of 8, 16 and 32 KiB from (11,21), "
      "with alpha = gamma = {} cycles and one cycle per flit and hop. RD is the "
      "dimensional broadcast of Section 5.3. The column \"critical path\" compares the "
      "time along the schedule's critical path with the simulated time. The last two columns "
      "compare calls on the RV32 core, an ordinary one and a start of a prepared one, with calls "
      "of native firmware.",
      kAlpha));
  return result;
}

Outcome table_5_4(Laboratory&) {
  Outcome result;
  result.table = forms(
      "SC", [](int n) { return formulas::scatter_collect(kT3d, n); }, "FT, k = 8",
      [](int n) { return formulas::fibonacci_tree(kT3d, n, 8); });
  const auto steps_of = [](std::uint32_t packets) {
    const auto* tree =
        reference::find_algorithm(reference::Operation::kBroadcast, "fibonacci-tree");
    const reference::Network net{1 << kN, 1 << kN};
    return static_cast<long>(tree->schedule({net, {}, 8ULL * packets, packets, {}}).steps.size());
  };
  result.claims = {count("steps of the Fibonacci tree's schedule, 1024 nodes, k = 1",
                         Formula{"t(P, 1) = 2n, 5.3", 2.0 * kN}, steps_of(1), BySchedule{}),
                   count("steps of the Fibonacci tree's schedule, 1024 nodes, k = 18",
                         printed("Tsai 1997, 5.4.2", "67"), steps_of(18), BySchedule{})};
  result.notes.emplace_back(
      "The parameters are alpha = gamma = 1.5 us and beta = 0.009 us (Section 5.4.2).");
  return result;
}

Outcome table_5_5(Laboratory&) {
  Outcome result;
  result.table = forms(
      "SC", [](int n) { return formulas::scatter_collect(kT3d, n); }, "EDN",
      [](int n) { return formulas::edn_approximate(kT3d, n); });
  bool start_above = true, slope_above = true;
  for (int n = 2; n <= 8; ++n) {
    const LinearTime sc = formulas::scatter_collect(kT3d, n),
                     edn = formulas::edn_approximate(kT3d, n);
    start_above = start_above && sc.start > edn.start;
    slope_above = slope_above && edn.per_length > sc.per_length;
  }
  const double side = 1 << kN;
  const double printed_difference =
      (2 * side - 2 - kN) * kT3d.alpha + (2 * side - 3 + kN) * kT3d.gamma;
  const double difference =
      formulas::scatter_collect(kT3d, kN).start - formulas::edn_approximate(kT3d, kN).start;
  result.claims = {
      words("T_s[SC] > T_s[EDN], n = 2 to 8", printed("Tsai 1997, 5.4.3", "for all n > 1"),
            start_above, start_above ? "holds" : "does not hold", ByFormula{}),
      words("T_n[EDN] > T_n[SC], n = 2 to 8", printed("Tsai 1997, 5.4.3", "for all n > 1"),
            slope_above, slope_above ? "holds" : "does not hold", ByFormula{})};
  result.notes.emplace_back(
      "The parameters are alpha = gamma = 1.5 us and beta = 0.009 us (Section 5.4.2).");
  result.notes.push_back(fmt::format(
      "The printed difference T_s[SC] - T_s[EDN] leaves out 5 (2^n - 1) beta. For n = 5 it gives "
      "{:.1f} us, and the table's own formulas give {:.1f} us.",
      printed_difference, difference));
  return result;
}

Outcome all_to_all(Laboratory& lab) {
  constexpr std::uint64_t kStart = 100;
  Outcome result;
  result.table.columns = {"processes",
                          "bytes",
                          "A, cycles",
                          "B, cycles",
                          "P (P-1) (alpha + L)",
                          "A, first / native",
                          "A, prepared / native",
                          "B, first / native",
                          "B, prepared / native"};
  Plot plot{"All-to-all on an ideal network", "block, bytes", "cycles", {}, false, false};
  for (const int p : {4, 8, 12}) {
    Curve a{fmt::format("A, {}", p), {}}, b{fmt::format("B, {}", p), {}};
    double worst = 0;
    std::vector<Measured> decisive;
    for (const std::uint64_t bytes : {256U, 1024U, 2048U, 4096U}) {
      std::vector<Run> runs;
      for (const char* algorithm : {"direct", "token"}) {
        Run run = ideal_one_port(p);
        run.operation = reference::Operation::kAllToAll;
        run.algorithm = algorithm;
        run.bytes = bytes;
        run.alpha = kStart;
        runs.push_back(run);
      }
      const auto m = lab.measure(runs);
      const CoreRatios core = lab.core_ratios(m);
      const double flits = 2 + static_cast<double>(bytes) / 8;
      const double formula = formulas::token_all_to_all({kStart, 1, 0}, p).at(flits);
      const auto last = [&](std::size_t i) { return static_cast<double>(m[i].last); };
      a.points.emplace_back(bytes, last(0));
      b.points.emplace_back(bytes, last(1));
      if (std::abs(last(1) / formula - 1) > std::abs(worst)) {
        worst = last(1) / formula - 1;
        decisive = {m[1]};
      }
      result.table.rows.push_back(
          {std::to_string(p), std::to_string(bytes), std::to_string(m[0].last),
           std::to_string(m[1].last), fmt::format("{:.0f}", formula),
           fmt::format("{:.2f}", core.first[0]), fmt::format("{:.2f}", core.prepared[0]),
           fmt::format("{:.2f}", core.first[1]), fmt::format("{:.2f}", core.prepared[1])});
    }
    plot.curves.push_back(a);
    plot.curves.push_back(b);
    result.claims.push_back(number(
        fmt::format("ratio of simulated B to its analysis, P = {}, where they differ most", p),
        Formula{"P (P-1) (alpha + L), 5.5.2", 1, 2}, 1 + worst, OnHardware(decisive),
        kApproximately,
        fact("A process begins when the last message of the process before it has arrived. "
             "The analysis leaves out that message's hops and the NICs' own cycles.")));
  }
  result.plots = {plot};
  result.notes.emplace_back(
      "The paper measured A and B on one Ethernet, where collisions decide. Our network is ideal, "
      "so we compare it only with the analysis of B. L counts flits, and includes the two that "
      "lead a message.");
  return result;
}

}  // namespace annelid::reproduction
