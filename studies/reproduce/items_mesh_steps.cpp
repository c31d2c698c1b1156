// Tables 3.1 to 3.7 of Tsai 1997 (Sections 3.3.3, 3.4.3 and 3.5): steps of EDN broadcasts on square
// and on 3D meshes, and of EDN reductions.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "reference/costs/formulas.hpp"
#include "studies/reproduce/claims.hpp"
#include "studies/reproduce/items.hpp"
#include "studies/reproduce/published.hpp"
#include "studies/reproduce/steps.hpp"

namespace annelid::reproduction {
namespace {

using reference::Network;
using reference::Node;

constexpr int kLargestSimulated = 32;  // nodes a side

/// The schedules of all sources are counted. So of large networks a few are simulated.
int simulated_sources(const Laboratory& lab, const Network& net) {
  return std::min(lab.sources(), net.nodes() <= 100 ? 100 : 8);
}

/// Steps of simulated operations from or to `roots`: the labels of the messages that came; and the
/// runs with the fewest and with the most.
struct SimulatedSteps {
  StepRange range{1 << 30, 0};
  std::vector<Measured> extremes;
};
SimulatedSteps simulated_steps(Laboratory& lab, reference::Operation operation, const Network& net,
                               const std::vector<Node>& roots) {
  std::vector<Run> runs;
  for (const Node& root : roots) {
    Run run;
    run.operation = operation;
    run.algorithm = "edn";
    run.network = net;
    run.root = root;
    run.bytes = 8;
    runs.push_back(run);
  }
  const std::vector<Measured> measured = lab.measure(runs);
  const auto [fewest, most] = std::ranges::minmax_element(measured, {}, &Measured::steps);
  return {{static_cast<int>(fewest->steps), static_cast<int>(most->steps)}, {*fewest, *most}};
}

/// Two claims of a size: what the schedules take from all sources, and where it can be simulated,
/// that the messages took steps of that range from random sources.
void add_steps(Outcome& result, const std::string& size, const Printed& paper,
               const StepRange& scheduled, bool equal, const SimulatedSteps* simulated,
               const Reason& why) {
  result.claims.push_back(
      words("steps for n = " + size, paper, equal, to_text(scheduled), BySchedule{}, why));
  if (simulated == nullptr) return;
  const bool within =
      simulated->range.fewest >= scheduled.fewest && simulated->range.most <= scheduled.most;
  result.claims.push_back(words("steps of simulated messages, random nodes, n = " + size,
                                Scheduled{to_text(scheduled)}, within, to_text(simulated->range),
                                OnHardware(simulated->extremes)));
}

/// The table of one block size: for each k the paper's row and ours.
Outcome edn_steps(Laboratory& lab, std::string_view table) {
  const PublishedTable paper = published("edn_steps");
  Outcome result;
  result.table.columns = {
      "k",           "n",        "startup, paper", "startup, ours", "tree height", "total, paper",
      "total, ours", "simulated"};
  for (std::size_t row = 0; row < paper.size(); ++row) {
    if (paper.text(row, "table") != table) continue;
    const auto value = [&](std::string_view column) {
      return static_cast<int>(paper.number(row, column));
    };
    const int k = value("k");
    const int n = value("b") << k;
    const Network net{n, n};
    const std::vector<Node> roots = telling_nodes(net);
    const StepRange total = steps(reference::Operation::kBroadcast, "edn", net, roots);
    // Levels of the tree: what is left of the steps when the startup is as short as it can be.
    const int height = value("height");
    const StepRange startup{total.fewest - height, total.most - height};
    const StepRange paper_startup{value("min_startup"), value("max_startup")};
    const StepRange paper_total{value("min_total"), value("max_total")};
    std::optional<SimulatedSteps> simulated;
    if (n <= kLargestSimulated) {
      simulated = simulated_steps(lab, reference::Operation::kBroadcast, net,
                                  random_nodes(net, simulated_sources(lab, net), 1));
    }
    result.table.rows.push_back({std::to_string(k), std::to_string(n), to_text(paper_startup),
                                 to_text(startup), std::to_string(height), to_text(paper_total),
                                 to_text(total), simulated ? to_text(simulated->range) : "-"});
    add_steps(result, std::to_string(n), paper.range(row, "min_total", "max_total"), total,
              total == paper_total && startup == paper_startup, simulated ? &*simulated : nullptr,
              {});
  }
  result.notes.emplace_back(
      "The columns \"ours\" show the fewest and the most steps over all sources that we tried. Up "
      "to 16 x 16 we tried every node. On larger meshes we tried a row and a column, because the "
      "startup depends on the position of the source along one dimension. The column \"simulated\" "
      "shows the step labels of the messages that arrived, from random sources, up to 32 x 32.");
  return result;
}

/// Reductions on (b 2^k) x (b 2^k) against the totals k + 3 to k + 4.
Outcome reduction_steps(Laboratory& lab, int b, const std::string& lost) {
  const PublishedTable paper = published("table3.6");
  Outcome result;
  result.table.columns = {"k", "n", "total, paper", "total, ours", "simulated"};
  for (std::size_t row = 0; row < paper.size(); ++row) {
    const int k = static_cast<int>(paper.number(row, "k"));
    const int n = b << k;
    const Network net{n, n};
    const StepRange printed{static_cast<int>(paper.number(row, "min_total")),
                            static_cast<int>(paper.number(row, "max_total"))};
    const StepRange total = steps(reference::Operation::kReduce, "edn", net, telling_nodes(net));
    std::optional<SimulatedSteps> simulated;
    if (n <= kLargestSimulated) {
      simulated = simulated_steps(lab, reference::Operation::kReduce, net,
                                  random_nodes(net, simulated_sources(lab, net), 1));
    }
    result.table.rows.push_back({std::to_string(k), std::to_string(n), to_text(printed),
                                 to_text(total), simulated ? to_text(simulated->range) : "-"});
    std::string why = fmt::format(
        "Annelid reverses the broadcast's schedule on the turned mesh. From all roots that we "
        "tried, this schedule takes {} steps.",
        to_text(total));
    if (k == 0 && b == 4) {
      why += " The printed row k = 0 contradicts itself, because 1 + 2 is not 4.";
    }
    add_steps(result, std::to_string(n), paper.range(row, "min_total", "max_total"), total,
              total == printed, simulated ? &*simulated : nullptr, fact(why));
  }
  result.notes.push_back(lost);
  return result;
}

}  // namespace

Outcome table_3_5(Laboratory& lab) {
  const PublishedTable paper = published("table3.5");
  Outcome result;
  result.table.columns = {"network", "nodes",     "steps, paper",
                          "ours",    "simulated", "lower bound ceil(log5 N)"};
  for (std::size_t row = 0; row < paper.size(); ++row) {
    const auto value = [&](std::string_view column) {
      return static_cast<int>(paper.number(row, column));
    };
    const Network net{value("x"), value("y"), value("z")};
    const StepRange ours = steps(reference::Operation::kBroadcast, "edn", net, telling_nodes(net));
    const SimulatedSteps simulated =
        simulated_steps(lab, reference::Operation::kBroadcast, net,
                        random_nodes(net, std::max(1, simulated_sources(lab, net) / 4), 1));
    const int printed = value("steps");
    const auto nodes = static_cast<std::uint64_t>(net.nodes());
    result.table.rows.push_back({to_string(net), std::to_string(net.nodes()),
                                 std::to_string(printed), to_text(ours), to_text(simulated.range),
                                 std::to_string(reference::formulas::fewest_steps(nodes, 4))});
    const bool equal = ours == StepRange{printed, printed} && simulated.range == ours;
    result.claims.push_back(words("steps on " + to_string(net), paper.printed(row, "{steps}"),
                                  equal, to_text(simulated.range), OnHardware(simulated.extremes)));
  }
  return result;
}

Outcome table_3_6(Laboratory& lab) {
  return reduction_steps(lab, 4,
                         "The paper prints the tree height as k - 1. It must be k + 1, which is "
                         "the height in the table's own rows.");
}
Outcome table_3_7(Laboratory& lab) {
  return reduction_steps(
      lab, 5, "The paper's text lacks this table. It says that the totals are those of Table 3.6.");
}

Outcome table_3_1(Laboratory& lab) { return edn_steps(lab, "3.1"); }
Outcome table_3_2(Laboratory& lab) { return edn_steps(lab, "3.2"); }
Outcome table_3_3(Laboratory& lab) { return edn_steps(lab, "3.3"); }
Outcome table_3_4(Laboratory& lab) { return edn_steps(lab, "3.4"); }

}  // namespace annelid::reproduction
