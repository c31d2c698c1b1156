// Tables 5.1, 5.6 and 5.7 of Tsai 1997 with their tau-plots, Figures 5.4, 5.15 and 5.18: what is
// published of T_s and T_n, and what the tau-model says of it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reference/costs/tau_model.hpp"
#include "studies/reproduce/claims.hpp"
#include "studies/reproduce/items.hpp"
#include "studies/reproduce/published.hpp"

namespace annelid::reproduction {
namespace {

namespace tau = reference::tau;
using reference::formulas::LinearTime;

constexpr double kTauTolerance = 0.02;

struct System {
  std::string name;
  LinearTime line;
  double printed_tau;
};

std::vector<System> systems(std::string_view table) {
  const PublishedTable rows = published(table);
  std::vector<System> result;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    result.push_back({rows.text(i, "system") + "/" + rows.text(i, "software"),
                      {rows.number(i, "T_s"), rows.number(i, "T_n")},
                      rows.number(i, "tau")});
  }
  return result;
}

const LinearTime& line_of(const std::vector<System>& all, std::string_view name) {
  return std::ranges::find(all, name, &System::name)->line;
}

/// The table with our tau, one claim for all its rows, and the tau-plot.
Outcome tau_table(const std::vector<System>& all, const Printed& column, const std::string& title) {
  Outcome result;
  result.table.columns = {"system",       "T_s, us",   "T_n, us/byte",
                          "tau, printed", "tau, ours", "deviation"};
  Plot plot{title, "tau = T_n / T_s, 1/byte", "T_s, us", {}, true, true};
  double worst = 0;
  std::size_t equal = 0;
  for (const System& s : all) {
    const LinearTime& line = s.line;
    const double deviation = line.tau() / s.printed_tau - 1;
    worst = std::max(worst, std::abs(deviation));
    equal += std::abs(deviation) <= kTauTolerance ? 1 : 0;
    result.table.rows.push_back(
        {s.name, fmt::format("{:g}", s.line.start), fmt::format("{:g}", s.line.per_length),
         fmt::format("{:g}", s.printed_tau), fmt::format("{:.4g}", line.tau()),
         fmt::format("{:+.2f} %", 100 * deviation)});
    plot.curves.push_back({s.name, {{line.tau(), line.start}}, false});
  }
  result.plots.push_back(std::move(plot));
  result.claims.push_back(words(
      "the printed T_n divided by the printed T_s is the printed tau, within 2 % in every row",
      column, equal == all.size(),
      fmt::format("{} of {} rows, worst {:.2f} %", equal, all.size(), 100 * worst), FromData{}));
  return result;
}

const char* region_name(tau::Region region) {
  constexpr std::array kNames = {"A", "B", "C", "D", "on an axis"};
  return kNames[static_cast<std::size_t>(region)];
}

}  // namespace

Outcome table_5_1(Laboratory&) {
  const auto all = systems("table5.1");
  Outcome result = tau_table(all, printed("Tsai 1997, Table 5.1", "tau"),
                             "Point-to-point communication (Table 5.1, Figure 5.4)");
  const LinearTime paragon = line_of(all, "Paragon/SUNMOS 1.6.2");
  const LinearTime atm = line_of(all, "SS-20/ASX200/Solaris 2.4/UDP");
  const LinearTime cm5 = line_of(all, "CM-5/CMMD 2.0"),
                   cenju = line_of(all, "Cenju-3/End. Rel. 1.5d (SM)");
  result.claims.push_back(number("ratio of the printed T_s, SS-20s with ATM to a Paragon",
                                 printed("Tsai 1997, 5.2", "28 times"), atm.start / paragon.start,
                                 FromData{}, kApproximately,
                                 fact("The paper says \"approximately 28\". 716 / 25 is 28.6.")));
  result.claims.push_back(number(
      "ratio of the printed T_s, a CM-5 to a Cenju-3", printed("Tsai 1997, 5.2", "2.78"),
      cm5.start / cenju.start, FromData{}, kTauTolerance,
      fact("The ratio of T_s is 95 / 34, which is 2.79. The ratio of T_n is 0.111 / 0.04, which is "
           "2.78.")));
  return result;
}

Outcome table_5_6(Laboratory&) {
  const auto all = systems("table5.6");
  Outcome result = tau_table(all, printed("Tsai 1997, Table 5.6", "tau"),
                             "Broadcast on networks (Table 5.6, Figure 5.15)");
  for (const char* network : {"SPARC/100Base-T", "SPARC/Myrinet", "SPARC/ASX200-WG"}) {
    const LinearTime panda = line_of(all, std::string(network) + "/Panda/8");
    const LinearTime fm = line_of(all, std::string(network) + "/FM/8");
    result.claims.push_back(
        words(std::string(network) + ": tau of Panda against that of Fast Messages",
              printed("Tsai 1997, 5.5.1", "relatively lower"), panda.tau() < fm.tau(),
              fmt::format("{:.3g} and {:.3g}; Panda is in region {}", panda.tau(), fm.tau(),
                          region_name(tau::region(panda, fm))),
              FromData{}));
  }
  const auto better = [&](const char* a, const char* b, bool claimed, const Printed& paper,
                          const Reason& why = {}) {
    const LinearTime first = line_of(all, a), second = line_of(all, b);
    const auto length = tau::crossover_length(first, second);
    const bool always = !length && first.start <= second.start;
    result.claims.push_back(
        words(fmt::format("{} is faster than {} at all lengths", a, b), paper, always == claimed,
              length ? fmt::format("crossover at {:.0f} bytes", *length)
                     : fmt::format("region {}", region_name(tau::region(first, second))),
              FromData{}, why));
  };
  better("SPARC/Myrinet/FM/8", "SPARC/100Base-T/FM/8", true,
         printed("Tsai 1997, 5.5.1", "better ... for all message sizes"));
  better("SPARC/Myrinet/Panda/8", "SPARC/100Base-T/Panda/8", false,
         printed("Tsai 1997, 5.5.1", "not of similar relationship"),
         fact("By the printed numbers, Myrinet is faster with Panda too (156.7 < 311.3, 0.0838 < "
              "0.105). The text says that the two are not of similar relationship, because their "
              "points are in region D of each other's plot. This region concerns tau alone."));
  better("SPARC/ASX200-WG/FM/8", "SP-2/MPI/512", true,
         printed("Tsai 1997, 5.5.1", "better than SP-2/MPI for all message sizes"));
  return result;
}

Outcome table_5_7(Laboratory&) {
  const auto all = systems("table5.7");
  Outcome result = tau_table(all, printed("Tsai 1997, Table 5.7", "tau"),
                             "All-to-all on Ethernet (Table 5.7, Figure 5.18)");
  const auto of = [&](char version, int nodes) {
    return line_of(all, fmt::format("SS10/Ethernet/TCP/{}/{}", version, nodes));
  };
  const double right_a = of('A', 8).tau() / of('A', 4).tau();
  const double right_b = of('B', 8).tau() / of('B', 4).tau();
  const double up_a = of('A', 8).start - of('A', 4).start;
  const double up_b = of('B', 8).start - of('B', 4).start;
  result.claims.push_back(
      words("from 4 to 8 processes, the horizontal shift made by A",
            printed("Tsai 1997, 5.5.2", "greater than that of B"), right_a > right_b,
            fmt::format("tau of A x {:.2f}, tau of B x {:.2f}", right_a, right_b), FromData{}));
  result.claims.push_back(
      words("from 4 to 8 processes, the vertical shift of B",
            printed("Tsai 1997, 5.5.2", "greater than A"), up_b > up_a,
            fmt::format("T_s of B + {:.0f} us, T_s of A + {:.0f} us", up_b, up_a), FromData{}));
  for (const int nodes : {4, 8, 12}) {
    result.claims.push_back(words(
        fmt::format("with {} processes, the version that prefers long messages", nodes),
        printed("Tsai 1997, 5.5.2", "version A"), of('A', nodes).tau() < of('B', nodes).tau(),
        fmt::format("tau of A {:.3g}, tau of B {:.3g}", of('A', nodes).tau(), of('B', nodes).tau()),
        FromData{},
        fact("A has the smaller T_s and the greater tau (region D of B). So B is the one that "
             "prefers long messages, by the model's own rule (5.1.3). The sentence exchanges A and "
             "B.")));
  }
  return result;
}

}  // namespace annelid::reproduction
