// Figures 3.14 to 3.17 of Tsai 1997 (Section 3.3.5): broadcast on 8 x 8 and 32 x 32 meshes with the
// parameters of the nCUBE-2 and the T3D. The curves are lost; what the text says of them is not.
#include <fmt/format.h>

#include <cmath>

#include "studies/reproduce/claims.hpp"
#include "studies/reproduce/items.hpp"
#include "studies/reproduce/latency_study.hpp"

namespace annelid::reproduction {
namespace {

namespace formulas = reference::formulas;

Series edn(int n, const Machine& machine) {
  return {fmt::format("EDN {0}x{0}", n), "edn", {n, n}, machine};
}
Series recursive_doubling(int n, const Machine& machine) {
  return {fmt::format("RD {0}x{0}", n), "recursive-doubling", {n, n}, machine};
}

/// From the analysis of 3.3.3: EDN is faster for messages longer than alpha / ((k-1) beta).
Claim faster_beyond_crossover(const LatencyCurve& edn, const LatencyCurve& rd, int k) {
  const formulas::Cost cost = edn.series.machine.cost();
  const double crossover =
      formulas::crossover(formulas::edn_2d(cost, k), formulas::recursive_doubling_2d(cost, k));
  bool faster = true;
  std::string ours;
  for (std::size_t i = 0; i < edn.bytes.size(); ++i) {
    if (edn.bytes[i] <= crossover) continue;
    faster = faster && edn.largest_us[i] < rd.largest_us[i];
    ours += fmt::format("{}{:.0f} % at {:g} B", ours.empty() ? "" : ", ",
                        100 * advantage(edn.largest_us[i], rd.largest_us[i]), edn.bytes[i]);
  }
  return words(fmt::format("the largest latency of EDN is below that of RD beyond this length, "
                           "which is {:.0f} B",
                           crossover),
               printed("Tsai 1997, 3.3.3", "L > alpha / ((k-1) beta)"), faster, "lower by " + ours,
               longest_of(edn, rd));
}

Claim larger_mesh_larger_advantage(const std::vector<LatencyCurve>& curves) {
  const auto at = [&](int edn, int rd) {
    return advantage(curves[static_cast<std::size_t>(edn)].largest_us.back(),
                     curves[static_cast<std::size_t>(rd)].largest_us.back());
  };
  const double small = at(2, 3), large = at(0, 1);
  return words("the advantage of EDN in the larger mesh", printed("Tsai 1997, 3.3.5", "greater"),
               large > small,
               fmt::format("{:.1f} % on 8x8, {:.1f} % on 32x32 (2048 B)", 100 * small, 100 * large),
               OnHardware({curves[0].typical.back(), curves[1].typical.back(),
                           curves[2].typical.back(), curves[3].typical.back()}));
}

Claim no_stepwise_contention(const std::vector<LatencyCurve>& curves) {
  std::uint64_t stepwise = 0, depth = 0, control = 0;
  for (const LatencyCurve& c : curves) {
    stepwise += c.stepwise;
    depth += c.depth;
    control += c.control;
  }
  std::vector<Measured> longest;
  longest.reserve(curves.size());
  for (const LatencyCurve& c : curves) longest.push_back(c.typical.back());
  return words(
      "messages of one step never wait for each other", Scheduled{"no common channel in a step"},
      stepwise == 0,
      fmt::format("{} flit-cycles blocked within a step, {} by other steps, {} by control packets",
                  stepwise, depth, control),
      OnHardware(longest));
}

Outcome small_mesh(Laboratory& lab, const Machine& machine) {
  const auto curves =
      measure_latency(lab, {edn(8, machine), recursive_doubling(8, machine)}, mesh_lengths());
  Outcome result;
  add_latency(result, curves, "Broadcast on an 8x8 mesh, " + machine.name);
  result.claims = {faster_beyond_crossover(curves[0], curves[1], 3),
                   no_stepwise_contention(curves)};
  result.notes.push_back(machine.conversion());
  return result;
}

/// "Approximately equal": EDN on 32x32 and RD on 8x8.
Claim as_fast_as_rd_on_8x8(const LatencyCurve& edn, const LatencyCurve& rd) {
  const double edn_us = edn.largest_us.back(), rd_us = rd.largest_us.back();
  const formulas::Cost cost = edn.series.machine.cost();
  const double bytes = edn.bytes.back();
  const double edn_formula = formulas::edn_2d(cost, 5).at(bytes);
  const double rd_formula = formulas::recursive_doubling_2d(cost, 3).at(bytes);
  return number("ratio of largest latencies at 2048 B, EDN on 32x32 to RD on 8x8",
                printed("Tsai 1997, 3.3.5", "approximately equal").meaning({1, 2}), edn_us / rd_us,
                longest_of(edn, rd), kApproximately,
                fact(fmt::format(
                    "The latencies are {:.0f} and {:.0f} us. The paper's own analysis (3.3.3) "
                    "gives {:.0f} and {:.0f} us, a ratio of {:.2f}. It leaves out hops and waits, "
                    "which the accounts show.",
                    edn_us, rd_us, edn_formula, rd_formula, edn_formula / rd_formula)));
}

/// The 8x8 mesh is in it too, as the text compares the two.
Outcome large_mesh(Laboratory& lab, const Machine& machine, bool against_small_rd) {
  const auto curves = measure_latency(lab,
                                      {edn(32, machine), recursive_doubling(32, machine),
                                       edn(8, machine), recursive_doubling(8, machine)},
                                      mesh_lengths());
  Outcome result;
  add_latency(result, curves, "Broadcast on a 32x32 mesh, " + machine.name);
  result.claims = {faster_beyond_crossover(curves[0], curves[1], 5),
                   larger_mesh_larger_advantage(curves), no_stepwise_contention(curves)};
  if (against_small_rd) {
    result.claims.insert(result.claims.begin(), as_fast_as_rd_on_8x8(curves[0], curves[3]));
  }
  result.notes.push_back(machine.conversion());
  return result;
}

}  // namespace

Outcome figure_3_14(Laboratory& lab) { return small_mesh(lab, ncube_2()); }
Outcome figure_3_15(Laboratory& lab) { return large_mesh(lab, ncube_2(), true); }
/// The mean path of a message (3.3.5): simulated from random sources, and by schedule from all.
Outcome path_length(Laboratory& lab) {
  const Machine machine = t3d();
  const reference::Network net{32, 32};
  const std::vector<Series> series = {edn(32, machine),
                                      recursive_doubling(32, machine),
                                      {"cyclic doubling", "cyclic-doubling", net, machine},
                                      {"dimensional", "dimensional", net, machine}};
  const auto curves = measure_latency(lab, series, {8});
  Outcome result;
  result.table.columns = {"algorithm", "all sources, hops", "random sources, hops",
                          "simulated from them, hops"};
  std::vector<double> means;
  bool as_scheduled = true;
  std::string scheduled, simulated;
  for (const LatencyCurve& c : curves) {
    const auto mean_of = [&](const std::vector<reference::Node>& roots) {
      const auto* algorithm =
          reference::find_algorithm(reference::Operation::kBroadcast, c.series.algorithm);
      double hops = 0, messages = 0;
      for (const reference::Node& root : roots) {
        const auto schedule = algorithm->schedule({net, root, 8, 0, {}});
        hops += static_cast<double>(reference::hops(net, schedule));
        messages += static_cast<double>(schedule.messages());
      }
      return hops / messages;
    };
    means.push_back(mean_of(random_nodes(net, net.nodes(), 1)));
    const double sampled = mean_of(random_nodes(net, lab.sources(), 1));
    const char* const comma = scheduled.empty() ? "" : ", ";
    scheduled += fmt::format("{}{:.4f}", comma, sampled);
    simulated += fmt::format("{}{:.4f}", comma, c.mean_hops);
    as_scheduled = as_scheduled && std::abs(sampled / c.mean_hops - 1) < 1e-9;
    result.table.rows.push_back({c.series.title, fmt::format("{:.4f}", means.back()),
                                 fmt::format("{:.4f}", sampled),
                                 fmt::format("{:.4f}", c.mean_hops)});
  }
  result.claims = {
      number("mean path of EDN on 32x32, all sources", printed("Tsai 1997, 3.3.5", "1.86 hops"),
             means[0], BySchedule{}, kAlmostExactly),
      number(
          "mean path of RD on 32x32, all sources", printed("Tsai 1997, 3.3.5", "4.16 hops"),
          means[1], BySchedule{}, kAlmostExactly,
          fact(fmt::format("The printed number is that of cyclic doubling, which sends from p to "
                           "(p + n / 2^i) mod n in each dimension: {:.4f} hops in the table "
                           "below. The text describes the other algorithm.",
                           means[2]))),
      words("hops of a simulated message, from random sources, four algorithms",
            Scheduled{scheduled}, as_scheduled, simulated,
            OnHardware({curves[0].typical.front(), curves[1].typical.front(),
                        curves[2].typical.front(), curves[3].typical.front()}))};
  return result;
}

Outcome figure_3_16(Laboratory& lab) { return small_mesh(lab, t3d()); }
Outcome figure_3_17(Laboratory& lab) { return large_mesh(lab, t3d(), false); }

}  // namespace annelid::reproduction
