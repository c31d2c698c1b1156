// Figures 4.14 to 4.16 of Tsai 1997 (Section 4.4): EDN and U-torus broadcasts on 4 x 4 and 32 x 32
// tori, and the analysis of Equations 4.1 and 4.2.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reference/costs/formulas.hpp"
#include "studies/reproduce/claims.hpp"
#include "studies/reproduce/items.hpp"
#include "studies/reproduce/latency_study.hpp"

namespace annelid::reproduction {
namespace {

namespace formulas = reference::formulas;
using reference::Network;

Network torus(int n) { return {n, n, 1, {true, true, false}}; }

std::vector<LatencyCurve> both(Laboratory& lab, int n, const Machine& machine) {
  return measure_latency(
      lab, {{"EDN", "edn", torus(n), machine}, {"U-torus", "u-torus", torus(n), machine}},
      torus_lengths());
}

/// EDN against U-torus on one torus, without and with start-up.
Outcome against_u_torus(Laboratory& lab, int n) {
  Outcome result;
  for (const double latency : {0.0, 100.0}) {
    const Machine machine = torus_machine(latency);
    const auto curves = both(lab, n, machine);
    Outcome half;
    add_latency(half, curves, fmt::format("{0}x{0} torus, {1:g} us each", n, latency));
    half.table.columns.insert(half.table.columns.begin(), "latencies, us");
    for (auto& row : half.table.rows) {
      row.insert(row.begin(), fmt::format("{:g}", latency));
      result.table.rows.push_back(row);
    }
    result.table.columns = half.table.columns;
    result.plots.push_back(half.plots.front());
    double least = 1, most = -1;
    for (std::size_t i = 0; i < curves[0].bytes.size(); ++i) {
      const double share = advantage(curves[0].largest_us[i], curves[1].largest_us[i]);
      least = std::min(least, share);
      most = std::max(most, share);
    }
    result.claims.push_back(
        words(fmt::format("EDN is more than 10 % faster at every length with latencies of {:g} us",
                          latency),
              printed("Tsai 1997, 4.4.3", "the advantage of the EDN approach is significant"),
              least > 0.1, fmt::format("by {:.0f} to {:.0f} %", 100 * least, 100 * most),
              longest_of(curves[0], curves[1])));
    result.notes.push_back(machine.conversion());
  }
  return result;
}

constexpr int kD = 5;

/// Equation 4.1 or 4.2, on 32 x 32.
formulas::LinearTime analysis_of(const LatencyCurve& curve, const formulas::Cost& cost) {
  return curve.series.algorithm == "edn" ? formulas::edn_torus(cost, kD)
                                         : formulas::u_torus(cost, 1 << kD, 1 << kD);
}
/// L counts flits: those of the message and the two that lead it.
double flits_of(const LatencyCurve& curve, std::size_t length) {
  return 2 + curve.bytes[length] / 8;
}

/// By cause, what the run's critical path has beyond the analysis.
Reason beyond_the_analysis(const LatencyCurve& curve, std::size_t length) {
  const Machine& machine = curve.series.machine;
  const Measured& run = curve.typical[length];
  const double flits = flits_of(curve, length);
  const double alpha = static_cast<double>(machine.alpha()),
               gamma = static_cast<double>(machine.gamma());
  const double start_up = analysis_of(curve, {alpha, 0, gamma}).at(flits);
  const double moving = analysis_of(curve, {0, 1, 0}).at(flits);
  const auto& account = run.account;
  return fact(fmt::format(
      "Eq. {} gives {:.0f} cycles, and the run at this length that is nearest to the mean takes "
      "{}. Its critical path has {:+.0f} cycles of start-up and {:+.0f} of flits and hops against "
      "the equation, {} of waits, and {} of firmware. The equation has no waits, no offers, and no "
      "cycles of the NICs.",
      curve.series.algorithm == "edn" ? "4.1" : "4.2", start_up + moving, run.cycles(),
      static_cast<double>(account[0]) - start_up,
      static_cast<double>(account[1] + account[2]) - moving, account[3], account[4]));
}

}  // namespace

Outcome figure_4_14(Laboratory& lab) { return against_u_torus(lab, 4); }
Outcome figure_4_15(Laboratory& lab) { return against_u_torus(lab, 32); }

Outcome figure_4_16(Laboratory& lab) {
  Outcome result;
  result.table.columns = {"latencies, us", "algorithm", "bytes",          "simulated, us",
                          "analysis, us",  "deviation", "first / native", "prepared / native"};
  for (const double latency : {0.0, 100.0}) {
    const Machine machine = torus_machine(latency);
    Plot plot{fmt::format("32x32 torus, {:g} us each", latency),
              "message length, bytes",
              "largest latency, us",
              {}};
    const formulas::Cost cycles{static_cast<double>(machine.alpha()), 1,
                                static_cast<double>(machine.gamma())};
    for (const LatencyCurve& curve : both(lab, 1 << kD, machine)) {
      const formulas::LinearTime line = analysis_of(curve, cycles);
      Curve simulated{curve.series.title + " simulated", {}, false};
      Curve analysis{curve.series.title + " analysis", {}};
      double deviation = 0;
      for (std::size_t i = 0; i < curve.bytes.size(); ++i) {
        const double predicted = machine.us(line.at(flits_of(curve, i)));
        deviation = curve.largest_us[i] / predicted - 1;
        simulated.points.emplace_back(curve.bytes[i], curve.largest_us[i]);
        analysis.points.emplace_back(curve.bytes[i], predicted);
        result.table.rows.push_back(
            {fmt::format("{:g}", latency), curve.series.title, fmt::format("{:g}", curve.bytes[i]),
             fmt::format("{:.5g}", curve.largest_us[i]), fmt::format("{:.5g}", predicted),
             fmt::format("{:+.2f} %", 100 * deviation), fmt::format("{:.2f}", curve.core.first[i]),
             fmt::format("{:.2f}", curve.core.prepared[i])});
        if (i > 0 && i + 1 < curve.bytes.size()) continue;
        result.claims.push_back(number(
            fmt::format("ratio of simulation to analysis, {}, {:g} bytes, latencies of {:g} us",
                        curve.series.title, curve.bytes[i], latency),
            printed("Tsai 1997, 4.4.3", "the plots agree almost exactly").meaning({1, 2}),
            1 + deviation, OnHardware({curve.typical[i]}), kAlmostExactly,
            beyond_the_analysis(curve, i)));
      }
      plot.curves.push_back(simulated);
      plot.curves.push_back(analysis);
    }
    result.plots.push_back(plot);
    result.notes.push_back(machine.conversion());
  }
  return result;
}

}  // namespace annelid::reproduction
