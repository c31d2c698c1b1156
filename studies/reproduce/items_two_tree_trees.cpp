// Figure 1, Table 1 and Table A.1 of Sanders, Speck and Traeff 2009: the trees, their colours, and
// what finding a schedule costs.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reference/two_trees.hpp"
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
    result.claims.push_back(words(fmt::format("p = {}: the inner nodes of one tree are leaves of "
                                              "the other, and the colours obey Lemma 1",
                                              p),
                                  "holds", dual && keeps_lemma_1(trees), fmt::format("{} PEs", p)));
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
                                  paper.text(i, "v_l") + " " + paper.text(i, "v_r"), equal, ours));
  }
  result.notes.push_back(
      fmt::format("The table covers all inner nodes of T1 that have two inner children, for every "
                  "even p up to {}. The colours come from the bipartite graph of Lemma 1, not from "
                  "the rule that the paper's table proves.",
                  kMost));
  return result;
}

Outcome two_tree_table_1(Laboratory& lab) {
  constexpr int kMostSimulated = 1024;  // processes
  const PublishedTable paper = published("two_tree_table1");
  Outcome result;
  result.table.columns = {"processes", "circulant, all, paper us", "circulant, one, cycles",
                          "two trees, one, cycles", "at 2.1 GHz, us"};
  std::vector<Run> runs;
  for (std::size_t i = 0; i < paper.size(); ++i) {
    const int p = static_cast<int>(paper.number(i, "processes"));
    if (p > kMostSimulated) continue;
    for (const char* algorithm : {"circulant", "two-tree"}) {
      Run& run = runs.emplace_back();
      run.algorithm = algorithm;
      run.network = {p <= 128 ? 16 : 32, p <= 128 ? 8 : 32, 1, {}, true};
      run.one_port = true;
      run.local_vcs = 4;
      run.bytes = 1024;
      run.packets = 4;
      run.ranks = p;
      run.core = true;
    }
  }
  const std::vector<Measurement> measured = lab.measure(runs);
  auto next = measured.begin();
  constexpr double kGhz = 2.1;
  double most = 0;
  for (std::size_t i = 0; i < paper.size(); ++i) {
    const int p = static_cast<int>(paper.number(i, "processes"));
    if (p > kMostSimulated) {
      result.table.rows.push_back({std::to_string(p), paper.text(i, "us"), "-", "-", "-"});
      result.claims.push_back(
          not_yet(fmt::format("circulant schedule of {} processes", p), paper.text(i, "us") + " us",
                  "One simulation cannot hold so many RV32 cores. "
                  "testbench/firmware/schedule_cost_test.cpp measures the firmware's schedule "
                  "computation alone, on one core, up to 100,000 processes."));
      continue;
    }
    const std::uint64_t circulant = (next++)->call_to_send, trees = (next++)->call_to_send;
    const double us = static_cast<double>(trees) / kGhz / 1000;
    most = std::max(most, us);
    result.table.rows.push_back({std::to_string(p), paper.text(i, "us"), std::to_string(circulant),
                                 std::to_string(trees), fmt::format("{:.2f}", us)});
    result.claims.push_back(
        below(fmt::format("ratio of the costs of one process's schedule, two trees to the "
                          "circulant graph, {} processes",
                          p),
              1, "less", static_cast<double>(trees) / static_cast<double>(circulant),
              "Annelid finds a process's circulant schedule in logarithmic time too (Traeff 2023). "
              "The computation in the paper's table took time proportional to p log p."));
  }
  result.claims.push_back(
      below("time for one process's part of two trees, at the paper's clock of 2.1 GHz, up to 1000 "
            "processes",
            1.5, "never more than 1.5 us (for 100,000)", most,
            "We count all cycles of the RV32 core from the call to a process's first send, not the "
            "colouring alone. In this time the core reads the call, posts receives and starts the "
            "send."));
  result.notes.emplace_back(
      "The paper's time covers the schedules of all processes on one core. Ours is the longest "
      "time that any process takes from its call to its first send, after the root's first packet "
      "has arrived.");
  return result;
}

}  // namespace annelid::reproduction
