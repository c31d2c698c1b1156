// Tables 2 and 3 and Figure 2 of Barnett and others 1994 (InterCom), as far as the operations that
// are there allow: its hybrids come later.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "reference/formulas.hpp"
#include "studies/reproduce/claims.hpp"
#include "studies/reproduce/items.hpp"
#include "studies/reproduce/published.hpp"

namespace annelid::reproduction {
namespace {

namespace formulas = reference::formulas;
using formulas::Cost;
using formulas::Line;
using reference::Operation;

constexpr int kNodes = 30;
const char* const kHybrids =
    "This item does not run InterCom's hybrids yet. The table shows what their formulas give.";

/// Section 6: sizes d_1 .. d_k; the interleaved groups' messages share links, so that the volume is
/// not cut. With M the last dimension is broadcast in whole.
Line hybrid(const Cost& c, const std::vector<int>& sizes, bool tree_last) {
  Line line;
  const auto doublings = [](int d) {
    return formulas::fewest_steps(static_cast<std::uint64_t>(d), 1);
  };
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const int d = sizes[i];
    if (tree_last && i + 1 == sizes.size()) {
      line.start += doublings(d) * c.alpha;
      line.per_length += doublings(d) * c.beta;
    } else {
      line.start += (doublings(d) + d - 1) * c.alpha;
      line.per_length += 2 * (d - 1.0) / d * c.beta;
    }
  }
  return line;
}

std::vector<int> sizes_of(const std::string& mesh) {
  std::vector<int> sizes;
  std::string rest = mesh;
  while (!rest.empty()) {
    std::size_t used = 0;
    sizes.push_back(std::stoi(rest, &used));
    rest.erase(0, std::min(used + 1, rest.size()));
  }
  // 1 x 30 is no dimension more.
  std::erase(sizes, 1);
  return sizes;
}

/// A hybrid that is one algorithm of ours on the whole line.
struct Pure {
  const char *hybrid, *algorithm;
};
constexpr std::array kPure = {Pure{"M", "recursive-doubling"}, Pure{"SC", "mst-bucket"}};

Run on_the_line(const Pure& pure, std::uint64_t bytes, std::uint64_t alpha) {
  Run run;
  run.algorithm = pure.algorithm;
  run.network = {kNodes, 1, 1};
  run.one_port = true;
  run.bytes = bytes;
  run.alpha = alpha;
  return run;
}

/// T of a pure algorithm, fitted to simulations: in alpha, and in 30ths of n beta.
struct PureFit {
  double starts = 0, thirtieths = 0;
  Measured longest;
};
std::vector<PureFit> measured(Laboratory& lab) {
  constexpr std::uint64_t kAlpha = 2000, kHalf = 1000;
  constexpr std::uint64_t kShort = 2400, kLong = 24000;  // 30 pieces of 10 and 100 flits
  constexpr double kFlits = static_cast<double>(kLong - kShort) / 8.0;
  std::vector<Run> runs;
  for (const Pure& pure : kPure) {
    runs.push_back(on_the_line(pure, kShort, kHalf));
    runs.push_back(on_the_line(pure, kShort, kAlpha));
    runs.push_back(on_the_line(pure, kLong, kAlpha));
  }
  const std::vector<Measured> results = lab.measure(runs);
  std::vector<PureFit> fits;
  for (std::size_t i = 0; i < results.size(); i += 3) {
    const auto time = [&](std::size_t run) { return static_cast<double>(results[i + run].last); };
    fits.push_back({(time(1) - time(0)) / static_cast<double>(kAlpha - kHalf),
                    30 * (time(2) - time(1)) / kFlits, results[i + 2]});
  }
  return fits;
}

}  // namespace

Outcome intercom_table_2(Laboratory& lab) {
  const PublishedTable paper = published("intercom_table2");
  const std::vector<PureFit> fits = measured(lab);
  Outcome result;
  result.table.columns = {"mesh", "hybrid", "paper", "corrected", "formula", "simulated"};
  for (std::size_t i = 0; i < paper.size(); ++i) {
    const std::string name = paper.text(i, "mesh") + " " + paper.text(i, "hybrid");
    const std::string corrected =
        fmt::format("{} alpha + {}/30 n beta", paper.text(i, "alpha"), paper.text(i, "thirtieths"));
    const std::string& letters = paper.text(i, "hybrid");
    const Line line =
        hybrid({1, 1, 0}, sizes_of(paper.text(i, "mesh")), letters.find('M') != std::string::npos);
    const std::string formula =
        fmt::format("{:g} alpha + {:g}/30 n beta", line.start, std::round(30 * line.per_length));
    const auto pure = std::ranges::find(kPure, letters, &Pure::hybrid);
    std::string simulated = "-";
    if (pure == kPure.end()) {
      result.claims.push_back(not_yet(name, paper.printed(i, "{printed}"), kHybrids));
    } else {
      const auto& [starts, thirtieths, longest] =
          fits[static_cast<std::size_t>(pure - kPure.begin())];
      simulated = fmt::format("{:.2f} alpha + {:.1f}/30 n beta", starts, thirtieths);
      const OnHardware by({longest});
      if (letters == "M") {
        result.claims.push_back(number("start-ups of " + name, paper.printed(i, "{alpha} alpha"),
                                       starts, by, kApproximately));
        result.claims.push_back(number("volume of " + name,
                                       paper.printed(i, "{thirtieths} n beta / 30"), thirtieths, by,
                                       kApproximately));
      } else {
        result.claims.push_back(number("start-ups of " + name,
                                       Formula{"Section 5", paper.number(i, "alpha"), 0, "alpha"},
                                       starts, by, kApproximately));
        result.claims.push_back(number(
            "volume of " + name,
            Formula{"Section 5", paper.number(i, "thirtieths"), 0, "n beta / 30"}, thirtieths, by,
            kApproximately,
            fact("The one-port routers of a line share the channel back to the first node. The "
                 "plain ring of buckets uses this channel in every step.")));
      }
    }
    result.table.rows.push_back(
        {paper.text(i, "mesh"), letters, paper.text(i, "printed"), corrected, formula, simulated});
  }
  result.notes.emplace_back(
      "The column \"simulated\" comes from a line of 30 one-port routers. It shows what one more "
      "start-up costs, and what one more flit costs.");
  return result;
}

Outcome intercom_figure_2(Laboratory& lab) {
  // alpha and beta "similar to those of the Paragon": those of Table 5.1 of Tsai 1997, with 8 bytes
  // a cycle.
  constexpr double kStartUs = 25, kUsPerByte = 0.00585;
  constexpr auto kAlpha = static_cast<std::uint64_t>(kStartUs / (8 * kUsPerByte));
  Outcome result;
  result.table.columns = {"hybrid", "bytes", "formula, us", "simulated, us"};
  Plot plot{"Broadcast on a line of 30 nodes", "bytes", "us", {}, true, true};
  const Cost cost{kStartUs, kUsPerByte, 0};
  std::vector<std::pair<std::string, Line>> hybrids;
  for (const auto& [name, sizes, tree] : {std::tuple{"1x30 M", std::vector{30}, true},
                                          std::tuple{"2x15 SMC", std::vector{2, 15}, true},
                                          std::tuple{"3x10 SMC", std::vector{3, 10}, true},
                                          std::tuple{"5x6 SSCC", std::vector{5, 6}, false},
                                          std::tuple{"3x10 SSCC", std::vector{3, 10}, false},
                                          std::tuple{"2x15 SSCC", std::vector{2, 15}, false},
                                          std::tuple{"1x30 SC", std::vector{30}, false}}) {
    hybrids.emplace_back(name, hybrid(cost, sizes, tree));
  }
  const std::vector<double> lengths = {1000, 3000, 10000, 30000, 100000};
  std::vector<Run> runs;
  for (const Pure& pure : kPure) {
    for (const double bytes : lengths) {
      runs.push_back(on_the_line(pure, static_cast<std::uint64_t>(bytes), kAlpha));
    }
  }
  const std::vector<Measured> measurements = lab.measure(runs);
  double worst = 0;
  std::vector<Measured> decisive;
  std::string where;
  for (const auto& [name, line] : hybrids) {
    Curve formula{name + " formula", {}}, simulated{name + " simulated", {}, false};
    const std::string& curve = name;  // clang 14 captures no structured binding
    const auto pure = std::ranges::find_if(
        kPure, [&](const Pure& p) { return curve == std::string("1x30 ") + p.hybrid; });
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      const double bytes = lengths[i];
      formula.points.emplace_back(bytes, line.at(bytes));
      std::string ours = "-";
      if (pure != kPure.end()) {
        const auto first = static_cast<std::size_t>(pure - kPure.begin()) * lengths.size();
        const double us = static_cast<double>(measurements[first + i].last) * 8 * kUsPerByte;
        simulated.points.emplace_back(bytes, us);
        ours = fmt::format("{:.0f}", us);
        if (std::abs(us / line.at(bytes) - 1) > std::abs(worst)) {
          worst = us / line.at(bytes) - 1;
          decisive = {measurements[first + i]};
          where = fmt::format("{} at {:g} bytes", name, bytes);
        }
      }
      result.table.rows.push_back(
          {name, fmt::format("{:g}", bytes), fmt::format("{:.0f}", line.at(bytes)), ours});
    }
    plot.curves.push_back(formula);
    if (!simulated.points.empty()) plot.curves.push_back(simulated);
  }
  result.plots = {plot};
  result.claims = {
      number("ratio of simulation to prediction, M and SC, where they differ most",
             Formula{"Sections 4 and 5", 1, 2}, 1 + worst, OnHardware(decisive), kApproximately,
             fact(fmt::format("The largest deviation is that of {}. There, messages waited {} "
                              "flit-cycles for messages of the same step and {} for those of other "
                              "steps.",
                              where, decisive.front().stepwise, decisive.front().depth))),
      not_yet("the five hybrids between M and SC",
              printed("InterCom 1994, Figure 2",
                      "predicted performance of some of the broadcast hybrids"),
              kHybrids)};
  result.notes.emplace_back(
      "The paper's curves are lost. It calls its parameters \"similar to those of the Paragon\", "
      "but does not give them. We take 25 us and 0.00585 us per byte from Table 5.1 (Tsai 1997). "
      "One cycle is the time of 8 bytes.");
  return result;
}

Outcome intercom_table_3(Laboratory& lab) {
  const PublishedTable paper = published("intercom_table3");
  // Not given by the paper. From its own broadcast row: 8 bytes in 9 doublings, and 1 MiB by
  // scatter and collect in rows and columns: (9 + 15 + 31) alpha + 2 n beta.
  const double alpha_s = paper.number(0, "icc") / 9;
  const double beta_s = (paper.number(2, "icc") - 55 * alpha_s) / 2 / 1048576;
  const double cycle_s = 8 * beta_s;
  const auto alpha = static_cast<std::uint64_t>(std::llround(alpha_s / cycle_s));
  const reference::Network net{32, 16};
  const auto run_of = [&](Operation operation, const char* algorithm, std::uint64_t bytes) {
    Run run;
    run.operation = operation;
    run.algorithm = algorithm;
    run.network = net;
    run.one_port = true;
    run.bytes = bytes;
    run.alpha = alpha;
    return run;
  };
  struct Rivals {
    const char* name;
    Operation operation;
    const char *of_short, *of_long;  ///< algorithms; of middle lengths both
  };
  const std::vector<Rivals> all = {
      {"broadcast", Operation::kBroadcast, "recursive-doubling", "scatter-collect"},
      {"collect", Operation::kAllGather, "dissemination", "ring"},
      {"global sum", Operation::kAllReduce, "recursive-doubling", "ring"}};
  constexpr std::uint64_t kLongestSimulated = 65536;
  std::vector<Run> runs;
  std::vector<std::size_t> row_of;  // by run
  for (std::size_t i = 0; i < paper.size(); ++i) {
    const Rivals& ours = *std::ranges::find(all, paper.text(i, "operation"), &Rivals::name);
    const auto bytes = static_cast<std::uint64_t>(paper.number(i, "bytes"));
    // Of a collect the vector is made of all nodes' blocks, eight bytes at least.
    std::uint64_t block = bytes;
    if (ours.operation == Operation::kAllGather) block = std::max<std::uint64_t>(8, bytes / 512);
    if (bytes > kLongestSimulated) continue;
    for (const char* algorithm : {ours.of_short, ours.of_long}) {
      if (bytes == 8 && algorithm == ours.of_long) continue;
      runs.push_back(run_of(ours.operation, algorithm, block));
      row_of.push_back(i);
    }
  }
  const std::vector<Measured> measured = lab.measure(runs);

  Outcome result;
  result.table.columns = {"operation", "bytes", "NX, s", "iCC, s", "ours, s", "our algorithm"};
  for (std::size_t i = 0; i < paper.size(); ++i) {
    const std::string& operation = paper.text(i, "operation");
    const Rivals& ours = *std::ranges::find(all, operation, &Rivals::name);
    const auto bytes = static_cast<std::uint64_t>(paper.number(i, "bytes"));
    double best = 0;
    std::string by;
    std::vector<Measured> decisive;
    for (std::size_t r = 0; r < runs.size(); ++r) {
      const double time = static_cast<double>(measured[r].last) * cycle_s;
      if (row_of[r] != i || (best != 0 && time >= best)) continue;
      best = time;
      by = runs[r].algorithm;
      decisive = {measured[r]};
    }
    const std::string length = bytes == 8 ? "8 B" : bytes == 65536 ? "64 KB" : "1 MB";
    result.table.rows.push_back({operation, length, paper.text(i, "nx"), paper.text(i, "icc"),
                                 by.empty() ? "-" : fmt::format("{:.4f}", best),
                                 by.empty() ? "-" : by});
    if (i == 0 || i == 2) continue;  // what the parameters are from
    if (by.empty()) {
      result.claims.push_back(not_yet(fmt::format("time of iCC for {}, {}", operation, length),
                                      paper.printed(i, "{icc} s"),
                                      "A run takes minutes, so this item leaves it out."));
      continue;
    }
    result.claims.push_back(number(
        fmt::format("time of iCC for {}, {}", operation, length), paper.printed(i, "{icc} s"), best,
        OnHardware(decisive), kApproximately,
        fact(ours.operation == Operation::kAllReduce && bytes == 8
                 ? "The paper explains its own time for 8 bytes: iCC's short primitives are "
                   "recursive "
                   "function calls, \"which carry a measurable overhead\" (7.2). Our firmware is "
                   "native, so that its instructions cost nothing."
             : ours.operation == Operation::kAllGather && bytes == 8
                 ? "A process's block has at least 8 bytes, so Annelid collects 4 KiB, not 8 bytes."
                 : "iCC uses a hybrid here, and this item runs only " + by +
                       ". We derive start-up and rate from two other rows, and a sum costs no "
                       "arithmetic in our NIC.")));
  }
  result.claims.push_back(not_yet("iCC's hybrids for middle lengths",
                                  printed("InterCom 1994, Table 3", "64 K"),
                                  "This item does not run InterCom's hybrids yet."));
  result.notes.push_back(
      fmt::format("The paper gives neither start-up nor rate. Its broadcasts of 8 bytes (9 "
                  "doublings) and of 1 MB (scatter and collect, Section 7) imply {:.0f} us and "
                  "{:.4f} us per byte. So one cycle is {:.3f} us, and alpha is {} cycles. These "
                  "two rows cannot test anything. The routers are one-port, on a mesh of 16 x 32. "
                  "The table shows the faster of the algorithms that Annelid has.",
                  1e6 * alpha_s, 1e6 * beta_s, 1e6 * cycle_s, alpha));
  return result;
}

}  // namespace annelid::reproduction
