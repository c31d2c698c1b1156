// Figures 3.13, 3.24 and 4.13 of Tsai 1997: message-passing steps over the size of the network,
// with recursive doubling and the lower bounds.
#include <fmt/format.h>

#include <algorithm>

#include "reference/costs/formulas.hpp"
#include "reference/edn/edn_optimal.hpp"
#include "reference/edn/edn_torus.hpp"
#include "studies/reproduce/claims.hpp"
#include "studies/reproduce/items.hpp"
#include "studies/reproduce/published.hpp"
#include "studies/reproduce/steps.hpp"

namespace annelid::reproduction {
namespace {

using reference::Network;
using reference::formulas::fewest_steps;

std::uint64_t nodes_of(const Network& net) { return static_cast<std::uint64_t>(net.nodes()); }

/// All meshes of (4 2^k) x (4 2^k) x (4 or 5) 3^m with at most this many nodes, by nodes: those for
/// which the paper has an algorithm (3.4.3). Without those that are longer than a network can be.
std::vector<Network> edn_meshes(int most) {
  constexpr int kLongest = 256;
  std::vector<Network> all;
  for (int side = 4; side * side * 4 <= most; side *= 2) {
    for (const int planes : {4, 5}) {
      for (int z = planes; side * side * z <= most && z <= kLongest; z *= 3)
        all.push_back({side, side, z});
    }
  }
  std::ranges::stable_sort(all, {}, [](const Network& net) { return net.nodes(); });
  return all;
}

/// EDN broadcasts in 3D meshes against recursive doubling and the lower bound.
struct MeshSteps {
  int above = 0, fewer = 1 << 10;  ///< EDN's steps above the bound at most, below RD's at least
  Curve rd{"RD", {}}, edn{"EDN", {}}, bound{"ceil(log5 N)", {}};
  Table table{{"network", "nodes", "RD", "EDN", "ceil(log5 N)"}, {}};
};

MeshSteps mesh_steps(int most_nodes) {
  MeshSteps all;
  for (const Network& net : edn_meshes(most_nodes)) {
    std::vector<reference::Node> roots = telling_nodes(net);
    for (int z = 0; z < net.z; z += std::max(1, net.z / 4)) roots.push_back({1, 2, z});
    const int ours = steps(reference::Operation::kBroadcast, "edn", net, roots).most;
    const int doubling = fewest_steps(nodes_of(net), 1), least = fewest_steps(nodes_of(net), 4);
    const double n = net.nodes();
    all.rd.points.emplace_back(n, doubling);
    all.edn.points.emplace_back(n, ours);
    all.bound.points.emplace_back(n, least);
    all.above = std::max(all.above, ours - least);
    all.fewer = std::min(all.fewer, doubling - ours);
    all.table.rows.push_back({reference::to_string(net), std::to_string(net.nodes()),
                              std::to_string(doubling), std::to_string(ours),
                              std::to_string(least)});
  }
  return all;
}

/// The smallest k with 7^k >= z: the steps in z of an EDN broadcast that has seven zones in each.
int zone_steps(int z) {
  int steps = 0;
  for (int reached = 1; reached < z; reached *= 7) ++steps;
  return steps;
}

struct TorusSteps {
  Network net;
  int bound, theorem_3, ours, u_torus;
};

/// All 2^d x 2^d x z tori of up to `most` nodes, z = 1 being those of two dimensions; by nodes.
std::vector<TorusSteps> tori(int most) {
  std::vector<TorusSteps> all;
  for (int d = 2; 1 << (2 * d) <= most; ++d) {
    for (int z = 1; z << (2 * d) <= most && z <= 256; ++z) {
      const Network net{1 << d, 1 << d, z, {true, true, z > 1}};
      all.push_back({net, fewest_steps(nodes_of(net), z > 1 ? 6 : 4),
                     reference::theorem_3_steps(d, z), d + zone_steps(z),
                     fewest_steps(nodes_of(net), 1)});
    }
  }
  std::ranges::stable_sort(all, {}, [](const TorusSteps& t) { return t.net.nodes(); });
  return all;
}

/// Shows 250 of the sizes at most, evenly chosen.
Plot torus_plot(const std::vector<TorusSteps>& all, const std::string& title) {
  constexpr std::size_t kMost = 250;
  Plot plot{title, "nodes", "message-passing steps", {}};
  plot.curves = {{"lower bound", {}, false},
                 {"EDN (Theorem 3)", {}, false},
                 {"EDN, seven zones in every step", {}, false},
                 {"U-torus", {}, false}};
  const std::size_t stride = (all.size() + kMost - 1) / kMost;
  for (std::size_t i = 0; i < all.size(); i += stride) {
    const TorusSteps& t = all[i];
    const double n = t.net.nodes();
    plot.curves[0].points.emplace_back(n, t.bound);
    plot.curves[1].points.emplace_back(n, t.theorem_3);
    plot.curves[2].points.emplace_back(n, t.ours);
    plot.curves[3].points.emplace_back(n, t.u_torus);
  }
  return plot;
}

}  // namespace

Outcome figure_3_13(Laboratory&) {
  Outcome result;
  result.table.columns = {
      "n", "RD", "EDN, fewest", "EDN, most", "ceil(log4 n^2)", "edn-optimal, ceil(log5 n^2)"};
  Plot plot{"Steps of broadcasts on n x n meshes", "n", "message-passing steps", {}, true};
  Curve rd{"RD", {}}, most{"EDN, most", {}, false}, fewest{"EDN, fewest", {}, false};
  Curve bound{"ceil(log4 n^2)", {}}, optimal{"edn-optimal", {}, false};
  for (int n = 1; n <= 256; ++n) {
    const std::uint64_t nodes = nodes_of({n, n});
    rd.points.emplace_back(n, fewest_steps(nodes, 1));
    bound.points.emplace_back(n, fewest_steps(nodes, 3));
  }
  int matches = 0, most_matches = 0, sizes = 0, widest = 0, optimal_above = 0;
  for (const int b : {4, 5, 6, 7}) {
    for (int n = b; n <= 256; n *= 2) {
      const Network net{n, n};
      const StepRange edn = steps(reference::Operation::kBroadcast, "edn", net, telling_nodes(net));
      const int least = fewest_steps(nodes_of(net), 3);
      const int best = reference::edn_optimal_steps(net);
      fewest.points.emplace_back(n, edn.fewest);
      most.points.emplace_back(n, edn.most);
      optimal.points.emplace_back(n, best);
      ++sizes;
      matches += edn.fewest == least ? 1 : 0;
      most_matches += edn.most == least ? 1 : 0;
      widest = std::max(widest, edn.most - edn.fewest);
      optimal_above = std::max(optimal_above, best - fewest_steps(nodes_of(net), 4));
      result.table.rows.push_back(
          {std::to_string(n), std::to_string(fewest_steps(nodes_of(net), 1)),
           std::to_string(edn.fewest), std::to_string(edn.most), std::to_string(least),
           fmt::format("{}, {}", best, fewest_steps(nodes_of(net), 4))});
    }
  }
  plot.curves = {rd, most, fewest, bound, optimal};
  result.plots = {plot};
  result.claims = {
      words("the most steps of EDN exceed the fewest by at most one",
            printed("Tsai 1997, 3.3.3", "at most one more"), widest <= 1,
            fmt::format("at most {}", widest), BySchedule{}),
      words("the fewest steps match the lower bound ceil(log4 n^2)",
            printed("Tsai 1997, 3.3.3", "in many cases"), 2 * matches > sizes,
            fmt::format("{} of {} sizes", matches, sizes), BySchedule{},
            fact("On n = 4 x 2^k EDN takes k + 3 steps, and the bound is k + 2.")),
      words("even the most steps match the lower bound",
            printed("Tsai 1997, 3.3.3", "in some cases"), most_matches > 0,
            fmt::format("{} of {} sizes", most_matches, sizes), BySchedule{},
            fact("Tables 3.1 to 3.4 themselves contradict this. Their most steps are k + 3 where "
                 "the bound is k + 2 (n = 4 x 2^k), and k + 4 where the bound is k + 3.")),
  };
  result.notes.push_back(fmt::format(
      "An inner node has four channels, not three, so the lower bound is ceil(log5 n^2). On these "
      "sizes Annelid's own algorithm edn-optimal takes at most {} more.",
      optimal_above));
  return result;
}

Outcome figure_3_24(Laboratory&) {
  constexpr int kNodes = 5000, kSmallNumber = 3;
  const MeshSteps all = mesh_steps(kNodes);
  Outcome result;
  result.table = all.table;
  Plot plot{"Steps of broadcasts on 3D meshes", "nodes", "message-passing steps", {}};
  plot.curves = {all.rd, all.edn, all.bound};
  result.plots = {plot};
  result.claims = {
      words("EDN takes fewer steps than RD on every network",
            printed("Tsai 1997, 3.4.3", "the advantage ... over RD is clear"), all.fewer > 0,
            fmt::format("at least {} fewer", all.fewer), BySchedule{}),
      words("EDN's steps above the lower bound, on every network",
            printed("Tsai 1997, 3.4.3", "within a small number of steps"),
            all.above <= kSmallNumber, fmt::format("at most {}", all.above), BySchedule{})};
  result.notes.emplace_back(
      "The networks are those for which the paper has an algorithm, (4 x 2^k) x (4 x 2^k) x (4 or "
      "5) x 3^m, up to 5000 nodes. Table 3.5 lists those up to 2880. We read \"a small number\" "
      "as at most three, because Section 3.7 says that for up to 60,000 nodes.");
  return result;
}

Outcome section_3_7(Laboratory&) {
  constexpr int kNodes = 60000, kPrinted = 3;
  const MeshSteps all = mesh_steps(kNodes);
  Outcome result;
  result.table = all.table;
  result.claims = {words("EDN's steps above the lower bound, up to 60,000 nodes",
                         printed("Tsai 1997, 3.7", "at most three steps"), all.above <= kPrinted,
                         fmt::format("at most {}, {} networks", all.above, all.table.rows.size()),
                         BySchedule{})};
  result.notes.emplace_back(
      "The networks are those of [fig3.24](#fig324), up to 60,000 nodes. Eight of them have a side "
      "of more than 256 nodes, which Annelid does not allow, and are left out. Each schedule is "
      "computed in full, from sources in a row, in a column and along z. The lower bound is the "
      "paper's, ceil(log5 N).");
  return result;
}

Outcome figure_4_13(Laboratory& lab) {
  constexpr int kSmall = 3000, kLarge = 20000;
  const std::vector<TorusSteps> small = tori(kSmall);
  Outcome result;
  result.table.columns = {
      "network", "nodes", "lower bound", "EDN (Theorem 3)", "EDN, seven zones in every step",
      "U-torus"};
  long far = 0, farthest_above = 0, ours_far = 0, reached = 0;
  std::string farthest;
  for (const TorusSteps& t : small) {
    const int scheduled = steps(reference::Operation::kBroadcast, "edn", t.net, {{0, 0, 0}}).most;
    far += t.theorem_3 > t.bound + 1 ? 1 : 0;
    farthest_above = std::max<long>(farthest_above, t.theorem_3 - t.bound);
    if (scheduled > t.bound + 1) {
      ++ours_far;
      farthest += fmt::format("{}{} ({} steps, bound {})", farthest.empty() ? "" : ", ",
                              reference::to_string(t.net), scheduled, t.bound);
    }
    reached += t.theorem_3 == t.bound ? 1 : 0;
    result.table.rows.push_back({reference::to_string(t.net), std::to_string(t.net.nodes()),
                                 std::to_string(t.bound), std::to_string(t.theorem_3),
                                 std::to_string(scheduled), std::to_string(t.u_torus)});
  }
  result.plots = {torus_plot(small, "(a) tori of up to 3000 nodes"),
                  torus_plot(tori(kLarge), "(b) up to 20,000 nodes")};
  result.claims = {
      words("up to 3000 nodes, EDN by Theorem 3 is at most one step above the lower bound",
            printed("Tsai 1997, 4.4.1", "at most one step away"), far == 0,
            fmt::format("all but {} of {} sizes", far, small.size()), ByFormula{},
            fact(fmt::format(
                "By the theorem's own count, these sizes take up to {} steps more than the "
                "bound.",
                farthest_above))),
      words("the same holds for schedules with seven zones in every step",
            printed("Tsai 1997, 4.4.1", "at most one step away"), ours_far == 0,
            fmt::format("all but {} of {} sizes", ours_far, small.size()), BySchedule{},
            fact("These sizes are " + farthest + ".")),
      words("EDN by Theorem 3 achieves the lower bound",
            printed("Tsai 1997, 4.4.1", "in many cases"),
            2 * reached > static_cast<long>(small.size()),
            fmt::format("{} of {} sizes", reached, small.size()), ByFormula{},
            fact("We read \"many\" as more than half, on every page. The paper does not say how "
                 "many cases it means."))};

  // On hardware: the tori whose schedule is not known from the step count alone.
  std::vector<Run> runs;
  std::vector<int> expected;
  for (const auto& [d, z] : {std::pair{2, 1}, {3, 1}, {4, 1}, {5, 1}, {2, 4}, {2, 9}, {3, 8}}) {
    Run run;
    run.algorithm = "edn";
    run.network = {1 << d, 1 << d, z, {true, true, z > 1}};
    run.bytes = 8;
    runs.push_back(run);
    expected.push_back(steps(run.operation, "edn", run.network, {run.root}).most);
  }
  const std::vector<Measured> measured = lab.measure(runs);
  bool equal = true;
  std::string ours, scheduled;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    equal = equal && measured[i].steps == static_cast<std::uint64_t>(expected[i]);
    const char* const comma = ours.empty() ? "" : ", ";
    const std::string net = to_string(runs[i].network);
    ours += fmt::format("{}{}: {}", comma, net, measured[i].steps);
    scheduled += fmt::format("{}{}: {}", comma, net, expected[i]);
  }
  result.claims.push_back(words("simulated broadcasts take as many steps as their schedules",
                                Scheduled{scheduled}, equal, ours, OnHardware(measured)));
  return result;
}

}  // namespace annelid::reproduction
