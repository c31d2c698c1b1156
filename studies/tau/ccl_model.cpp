#include "studies/tau/ccl_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/result_folder.hpp"
#include "simulation/run.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "studies/common/call_kind.hpp"
#include "studies/reproduce/markdown.hpp"
#include "studies/tau/run_options.hpp"

namespace annelid::studies {
namespace {

namespace ccl = reference::ccl;
using reproduction::Table;
using simulation::Override;
using simulation::Scenario;

constexpr std::array<std::uint64_t, 3> kUsualLengths = {64, 512, 4096};
constexpr std::array<const char*, ccl::kParts> kPartNames = {"of the fit", "other lengths",
                                                             "other groups", "other operations"};

/// The user's options for the network that the model is about: by default a mesh of nodes that send
/// one message and receive one at the same time, as CCL has them.
std::vector<Override> loaded_machine(const PointRuns& runs) {
  std::vector<Override> machine;
  const auto usual = [&](const char* key, const char* option, const char* text) {
    if (!replaces(runs.overrides, key)) machine.push_back({key, option, text});
  };
  usual("network.size", "--size", "4x4");
  usual("router.kind", "--router", "one-port");
  machine.insert(machine.end(), runs.overrides.begin(), runs.overrides.end());
  for (const Override& o : machine) {
    if (o.key.starts_with("collective.") && o.key != kPreparedKey) {
      throw InputError(o.option, "a value for CCL", "none: the operations of the fit are fixed");
    }
    if (o.key == "network.topology" && o.text == "ideal") {
      throw InputError(o.option, "ideal", "mesh or torus: an ideal network has no congestion");
    }
  }
  add_starts(machine);
  return machine;
}

/// The machine with every two nodes a hop apart. Only a torus has classes.
std::vector<Override> free_machine(std::vector<Override> machine) {
  std::erase_if(machine, [](const Override& o) {
    return o.key == "network.topology" || o.key == "router.classes";
  });
  machine.push_back({"network.topology", "--topology", "ideal"});
  return machine;
}

std::vector<Override> overrides_of(const ccl::Call& call, const std::vector<Override>& machine) {
  std::vector<Override> all = machine;
  const auto add = [&all](const char* key, const char* option, std::string text) {
    all.push_back({key, option, std::move(text)});
  };
  add("collective.operation", "--operation", std::string(reference::name_of(call.operation)));
  add("collective.algorithm", "--algorithm", call.algorithm);
  if (call.parameter != 0) {
    add("collective.parameter", "--parameter", std::to_string(call.parameter));
  }
  if (call.nodes != 0) add("collective.ranks", "--ranks", std::to_string(call.nodes));
  add("collective.bytes", "--bytes", std::to_string(call.bytes));
  return all;
}

ccl::Point simulate(const ccl::Call& call, const std::vector<Override>& machine) {
  const auto result = simulation::run(Scenario::read({}, overrides_of(call, machine)), {});
  result.require_passed();
  const auto& steps = result.call().steps;
  const double c1 = steps.empty() ? 0 : static_cast<double>(steps.rbegin()->first);
  return {c1, static_cast<double>(result.call().bytes_in_sequence()),
          static_cast<double>(result.call().bytes()), static_cast<double>(result.cycles)};
}

std::vector<std::uint64_t> lengths_of(const PointRuns& runs) {
  std::vector<std::uint64_t> lengths = runs.bytes;
  if (lengths.empty()) lengths.assign(kUsualLengths.begin(), kUsualLengths.end());
  for (const std::uint64_t length : lengths) {
    if (length > 0 && length % 8 == 0) continue;
    throw InputError("--bytes", fmt::format("{}", length), "a multiple of 8, and not 0");
  }
  std::ranges::sort(lengths);
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  return lengths;
}

std::vector<int> groups_of(const PointRuns& runs, int most) {
  std::vector<int> groups = runs.nodes.empty() ? ccl::usual_groups(most) : runs.nodes;
  std::ranges::sort(groups);
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  for (const int n : {groups.front(), groups.back()}) {
    if (n >= ccl::kFewest && n <= most) continue;
    throw InputError(
        "--nodes", fmt::format("{}", n),
        fmt::format("groups of {} to {} processes, the nodes of the network", ccl::kFewest, most));
  }
  return groups;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

}  // namespace

std::vector<ccl::Point> CclReport::points(ccl::Part part) const {
  std::vector<ccl::Point> some;
  for (const CclRun& run : runs) {
    if (run.planned.part == part) some.push_back(run.point);
  }
  return some;
}

CclReport simulate_ccl(const PointRuns& runs, Progress& progress) {
  const std::vector<Override> loaded = loaded_machine(runs), free = free_machine(loaded);
  const Scenario scenario = Scenario::read({}, loaded);
  const int nodes = static_cast<int>(scenario.network.nodes());
  if (nodes < ccl::kFewest) {
    throw InputError(scenario.origin("network.size"), fmt::format("{} nodes", nodes),
                     fmt::format("at least {}", ccl::kFewest));
  }
  CclReport report;
  report.title =
      fmt::format("{}; alpha {}, gamma {}, {}{}", simulation::describe_network(scenario.network),
                  scenario.nic.alpha, scenario.nic.gamma, name_of(scenario.firmware),
                  are_prepared(loaded) ? ", prepared" : "");
  const auto plan = ccl::plan(nodes, lengths_of(runs), groups_of(runs, nodes));
  const auto fitted =
      static_cast<std::size_t>(std::ranges::count(plan, ccl::Part::kFit, &ccl::PlannedCall::part));
  std::size_t done = 0;
  const auto simulate_one = [&](const ccl::Call& call, const std::vector<Override>& machine) {
    progress.show(fmt::format("CCL: run {} of {}", ++done, plan.size() + fitted));
    return simulate(call, machine);
  };
  for (const ccl::PlannedCall& p : plan) {
    if (p.part == ccl::Part::kFit) report.ideal.push_back(simulate_one(p.call, free));
    report.runs.push_back(
        {p, simulate_one(p.call, loaded), command_of(overrides_of(p.call, loaded))});
  }
  progress.clear();
  report.model = ccl::fit(report.ideal, report.points(ccl::Part::kFit));
  return report;
}

Table ccl_parameters(const CclReport& report) {
  const auto number = [](double x) { return fmt::format("{:.6g}", x); };
  Table table{{"parameter", "value", "unit", "meaning"}, {}};
  table.rows = {
      {"set-up", number(report.model.set_up), "cycles", "of a call, once; no part of the model"},
      {"ts", number(report.model.ts), "cycles", "time of each step"},
      {"tc", number(report.model.tc), "cycles/byte", "time of each byte in sequence"},
  };
  const auto& pieces = report.model.pieces;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::string to =
        i + 1 < pieces.size() ? fmt::format(" to {:.0f}", pieces[i + 1].from) : " on";
    table.rows.push_back({"f'", number(pieces[i].slope), "cycles/byte",
                          fmt::format("growth of f from C3 = {:.0f}{}, where f is {:.6g}",
                                      pieces[i].from, to, report.model.f(pieces[i].from))});
  }
  return table;
}

Table ccl_deviations(const CclReport& report) {
  Table table{{"runs", "number", "median", "largest", "median without f", "largest without f"}, {}};
  const auto without = ccl::deviations(report.model, report.ideal, false);
  table.rows.push_back({"of the fit, on the ideal network", std::to_string(report.ideal.size()), "",
                        "", percent(without.median), percent(without.largest)});
  for (int i = 0; i < ccl::kParts; ++i) {
    const auto points = report.points(static_cast<ccl::Part>(i));
    if (points.empty()) continue;
    const auto with = ccl::deviations(report.model, points, true);
    const auto bare = ccl::deviations(report.model, points, false);
    table.rows.push_back({kPartNames.at(static_cast<std::size_t>(i)), std::to_string(points.size()),
                          percent(with.median), percent(with.largest), percent(bare.median),
                          percent(bare.largest)});
  }
  return table;
}

std::string last_of_fit(const CclReport& report) {
  std::string command;
  for (const CclRun& run : report.runs) {
    if (run.planned.part == ccl::Part::kFit) command = run.command;
  }
  return command;
}

Table ccl_points(const CclReport& report) {
  Table table{{"part", "operation", "algorithm", "parameter", "nodes", "bytes", "C1", "C2", "C3",
               "cycles", "by the model", "deviation", "command"},
              {}};
  for (const CclRun& run : report.runs) {
    const ccl::Call& call = run.planned.call;
    const double model = report.model.time(run.point);
    table.rows.push_back(
        {kPartNames.at(static_cast<std::size_t>(run.planned.part)),
         std::string(reference::name_of(call.operation)), call.algorithm,
         std::to_string(call.parameter), call.nodes == 0 ? "all" : std::to_string(call.nodes),
         std::to_string(call.bytes), fmt::format("{}", run.point.c1),
         fmt::format("{}", run.point.c2), fmt::format("{}", run.point.c3),
         fmt::format("{}", run.point.time), fmt::format("{:.6g}", model),
         fmt::format("{:+.2f} %", 100 * (model / run.point.time - 1)), run.command});
  }
  return table;
}

void write_ccl(const CclReport& report, const std::filesystem::path& folder) {
  const ResultFolder lock(folder, {"points.csv", "parameters.csv", "checks.csv"});
  write_file(folder / "points.csv", csv(ccl_points(report)));
  write_file(folder / "parameters.csv", csv(ccl_parameters(report)));
  write_file(folder / "checks.csv", csv(ccl_deviations(report)));
}

}  // namespace annelid::studies
