// Figure 1, Table 1 and Table A.1 of Sanders, Speck and Traeff 2009: the trees, their colours, and
// what finding a schedule costs.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "reference/two_trees/two_trees.hpp"
#include "studies/reproduce/claims.hpp"
#include "studies/reproduce/items.hpp"
#include "studies/reproduce/published.hpp"

namespace annelid::reproduction {
namespace {

using reference::OddProcess;
using reference::SecondTree;
using reference::TwoTrees;

TwoTrees mirrored(int p) {
  return reference::two_trees(p, SecondTree::kMirrored, OddProcess::kLeaf);
}

/// Lemma 1, from its words: of the edges into a process, and of those from a process to children,
/// no two have one colour.
bool keeps_lemma_1(const TwoTrees& trees) {
  std::map<std::pair<int, int>, int> children;  // by parent and colour
  for (int v = 1; v <= trees.processes(); ++v) {
    const auto i = static_cast<std::size_t>(v);
    if (trees.colour[0][i] == trees.colour[1][i]) return false;
    for (const std::size_t t : {0, 1}) {
      const int parent = trees.parent[t][i];
      if (parent != 0 && ++children[{parent, trees.colour[t][i]}] > 1) return false;
    }
  }
  return true;
}

bool is_inner(const TwoTrees& trees, int v) { return std::ranges::count(trees.parent[0], v) > 0; }

/// The colours of the edges into the inner children of every inner node v of T1, seen with (colour
/// of v, p/2 mod 2), over all even p.
std::map<std::pair<int, int>, std::map<std::pair<int, int>, long>> cases(int most) {
  std::map<std::pair<int, int>, std::map<std::pair<int, int>, long>> found;
  for (int p = 2; p <= most; p += 2) {
    const TwoTrees trees = mirrored(p);
    std::map<int, std::pair<int, int>> children;  // inner ones, left and right; 0: none
    for (int v = 1; v <= p; ++v) {
      const int parent = trees.parent[0][static_cast<std::size_t>(v)];
      if (parent == 0 || !is_inner(trees, v)) continue;
      (v < parent ? children[parent].first : children[parent].second) = v;
    }
    const auto colour = [&](int v) { return trees.colour[0][static_cast<std::size_t>(v)]; };
    for (const auto& [v, pair] : children) {
      if (pair.first == 0 || pair.second == 0) continue;
      ++found[{colour(v), p / 2 % 2}][{colour(pair.first), colour(pair.second)}];
    }
  }
  return found;
}

}  // namespace

Outcome two_tree_figure_1(Laboratory&) {
  Outcome result;
  result.table.columns = {"p", "PE", "parent in T1", "colour", "parent in T2", "colour "};
  for (const int p : {6, 8, 10, 12}) {
    const TwoTrees trees = mirrored(p);
    for (int v = 1; v <= p; ++v) {
      const auto i = static_cast<std::size_t>(v);
      std::vector<std::string> row = {std::to_string(p), std::to_string(v - 1)};
      for (const std::size_t t : {0, 1}) {
        const int parent = trees.parent[t][i];
        row.push_back(parent == 0 ? "root" : std::to_string(parent - 1));
        row.push_back(std::to_string(trees.colour[t][i]));
      }
      result.table.rows.push_back(row);
    }
    bool dual = true;
    for (int v = 1; v <= p; ++v) {
      const bool inner_2 = std::ranges::count(trees.parent[1], v) > 0;
      dual = dual && is_inner(trees, v) != inner_2;
    }
    result.claims.push_back(
        words(fmt::format("p = {}: the inner nodes of one tree are leaves of "
                          "the other, and the colours obey Lemma 1",
                          p),
              printed("2Tree 2009, Lemma 1", "can be colored with colors 0 and 1"),
              dual && keeps_lemma_1(trees), fmt::format("{} PEs", p), BySchedule{}));
  }
  result.notes.emplace_back(
      "The figure is lost. The table shows its trees, with the PEs numbered from 0.");
  return result;
}

Outcome two_tree_table_a1(Laboratory&) {
  constexpr int kMost = 512;
  const auto found = cases(kMost);
  const PublishedTable paper = published("two_tree_tableA.1");
  Outcome result;
  result.table.columns = {"case",           "v",    "p/2 mod 2", "v_l, paper", "v_r, paper",
                          "v_l, v_r found", "nodes"};
  for (std::size_t i = 0; i < paper.size(); ++i) {
    const auto value = [&](std::string_view column) {
      return static_cast<int>(paper.number(i, column));
    };
    const auto colours = found.find({value("v"), value("half_p_mod_2")});
    std::string ours = "-";
    long nodes = 0;
    bool equal = false;
    if (colours != found.end()) {
      const auto& seen = colours->second;
      equal = seen.size() == 1 && seen.contains({value("v_l"), value("v_r")});
      ours = "";
      for (const auto& [pair, times] : seen) {
        ours += fmt::format("{}{} {}", ours.empty() ? "" : ", ", pair.first, pair.second);
        nodes += times;
      }
    }
    result.table.rows.push_back({paper.text(i, "case"), paper.text(i, "v"),
                                 paper.text(i, "half_p_mod_2"), paper.text(i, "v_l"),
                                 paper.text(i, "v_r"), ours, std::to_string(nodes)});
    result.claims.push_back(words("case " + paper.text(i, "case") + ": colours of v_l and v_r",
                                  paper.printed(i, "{v_l} {v_r}"), equal, ours, BySchedule{}));
  }
  result.notes.push_back(
      fmt::format("The table covers all inner nodes of T1 that have two inner children, for every "
                  "even p up to {}. The colours come from the bipartite graph of Lemma 1, not from "
                  "the rule that the paper's table proves.",
                  kMost));
  return result;
}

Outcome two_tree_table_1(Laboratory& lab) {
  constexpr double kGhz = 2.1;
  const auto us = [](double cycles) { return cycles / kGhz / 1000; };
  const PublishedTable paper = published("two_tree_table1");
  Outcome result;
  result.table.columns = {"processes",
                          "circulant, all processes, paper, us",
                          "circulant, mean, cycles",
                          "circulant, all processes, us",
                          "two trees, most, cycles",
                          "two trees, most, us",
                          "two trees shifted, most, cycles"};
  std::optional<CoreCost> dearest;
  for (std::size_t i = 0; i < paper.size(); ++i) {
    const int p = static_cast<int>(paper.number(i, "processes"));
    const CoreCost circulant = lab.schedule_cost(CoreSchedule::kCirculant, p);
    const CoreCost trees = lab.schedule_cost(CoreSchedule::kTwoTree, p);
    const CoreCost shifted = lab.schedule_cost(CoreSchedule::kTwoTreeShifted, p);
    if (!dearest || trees.most() > dearest->most()) dearest = trees;
    const double all = us(circulant.mean() * p);
    const auto most = static_cast<double>(trees.most());
    result.table.rows.push_back({std::to_string(p), paper.text(i, "us"),
                                 fmt::format("{:.0f}", circulant.mean()),
                                 fmt::format("{:.2f}", all), std::to_string(trees.most()),
                                 fmt::format("{:.2f}", us(most)), std::to_string(shifted.most())});
    result.claims.push_back(
        number(fmt::format("circulant schedules of all {} processes, on one core of 2.1 GHz", p),
               paper.printed(i, "{us} us"), all, OnCore(circulant), kApproximately,
               fact(fmt::format("Each process finds its own schedule in {:.0f} cycles, in O(log "
                                "p) time (Traeff 2023). The paper's program found all of them "
                                "together, in O(p log p) time, on a superscalar core.",
                                circulant.mean()))));
    result.claims.push_back(below(
        fmt::format(
            "cost of one process's schedule, two trees to the circulant graph, {} processes", p),
        printed("2Tree 2009, 6.4", "negligible. In contrast, ... considerable time")
            .meaning({0.1, 1}),
        most / static_cast<double>(circulant.most()), OnCore(trees),
        fact(fmt::format("We read \"negligible\" as a tenth. Two trees take up to {} cycles. A "
                         "circulant schedule in O(log p) time, "
                         "which the paper did not have, takes up to {}.",
                         trees.most(), circulant.most()))));
  }
  const double most_us = us(static_cast<double>(dearest->most()));
  result.claims.push_back(below(
      "time for one process's part of two trees, us, up to 100,000",
      printed("2Tree 2009, 6.4", "never takes more than 1.5 us").meaning({1.5, 1}), most_us,
      OnCore(*dearest), fact(fmt::format("It takes {} cycles of an RV32 core.", dearest->most()))));
  result.notes.emplace_back(
      "The firmware's code runs alone on the model of the RV32 core, once for each of about a "
      "thousand processes. The times are its cycles at the paper's clock of 2.1 GHz. The paper's "
      "times are those of the schedules of all processes, found by one core.");
  result.notes.emplace_back(
      "The paper leaves open whether the colouring of shifted trees can be found in O(log p) time. "
      "It can: [two trees](../docs/internals/algorithms/two-trees.md) has the rule, and the column "
      "\"two trees shifted\" its cost.");
  return result;
}

}  // namespace annelid::reproduction
