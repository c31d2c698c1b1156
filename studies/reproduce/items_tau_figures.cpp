// Figures 5.8 to 5.14 of Tsai 1997 (Section 5.4): broadcasts on a 32 x 32 mesh compared by the
// tau-model. The figures are drawn from the closed forms, as the paper's are.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <tuple>

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

constexpr int kSteps = 5;
constexpr Cost kLikeT3d{1.5, 0.009, 1.5};  // "very similar to the T3D" (5.4.2): tau_0 = 0.003

LinearTime sc_line(const Cost& c) { return formulas::scatter_collect(c, kSteps); }
LinearTime ft_line(const Cost& c, int k) { return formulas::fibonacci_tree(c, kSteps, k); }
LinearTime edn_line(const Cost& c) { return formulas::edn_approximate(c, kSteps); }
LinearTime rd_line(const Cost& c) { return formulas::dimensional_broadcast(c, kSteps); }

struct Trace {
  std::string title;
  std::vector<LinearTime> lines;  ///< by step of the parameter
};

/// The traces of all algorithms as a parameter grows.
std::vector<Trace> traces(const std::vector<Cost>& costs) {
  const std::vector<std::pair<std::string, std::function<LinearTime(const Cost&)>>> all = {
      {"RD", rd_line},
      {"EDN", edn_line},
      {"FT, k = 2", [](const Cost& c) { return ft_line(c, 2); }},
      {"FT, k = 4", [](const Cost& c) { return ft_line(c, 4); }},
      {"FT, k = 8", [](const Cost& c) { return ft_line(c, 8); }},
      {"SC", sc_line}};
  std::vector<Trace> result;
  for (const auto& [title, form] : all) {
    Trace trace{title, {}};
    for (const Cost& c : costs) trace.lines.push_back(form(c));
    result.push_back(trace);
  }
  return result;
}

void add_traces(Outcome& outcome, const std::vector<Trace>& all, const std::vector<Cost>& costs,
                const std::string& title) {
  outcome.table.columns = {"algorithm", "alpha = gamma", "beta", "tau", "T_s"};
  Plot plot{title, "tau", "T_s", {}, true, true};
  for (const Trace& t : all) {
    Curve curve{t.title, {}};
    for (std::size_t i = 0; i < costs.size(); ++i) {
      curve.points.emplace_back(t.lines[i].tau(), t.lines[i].start);
      outcome.table.rows.push_back(
          {t.title, fmt::format("{:g}", costs[i].alpha), fmt::format("{:g}", costs[i].beta),
           fmt::format("{:.4g}", t.lines[i].tau()), fmt::format("{:.5g}", t.lines[i].start)});
    }
    plot.curves.push_back(curve);
  }
  outcome.plots = {plot};
}

const Trace& trace(const std::vector<Trace>& all, std::string_view title) {
  return *std::ranges::find(all, title, &Trace::title);
}
double rise(const Trace& t) { return t.lines.back().start - t.lines.front().start; }

// 5.4.2.
double omega(int k) {
  return 3.0 * reference::fibonacci_steps(1024, k) - 2.0 * k * k * (1 - 1.0 / 1024);
}
double epsilon(int k) {
  return (2.0 * (31 + kSteps) - reference::fibonacci_steps(1024, k)) / (2.0 * 31 * (k - 3));
}
double mu(int k) {
  return reference::fibonacci_steps(1024, k) * (k * (1 - 1.0 / 1024) - 31 - kSteps) /
         (31 * omega(k));
}

/// The crossover of SC and FT with k packets, bytes.
double sc_ft(const Cost& c, int k) { return formulas::crossover(sc_line(c), ft_line(c, k)); }

}  // namespace

Outcome figure_5_8(Laboratory&) {
  std::vector<Cost> costs;
  costs.reserve(11);
  for (int i = 5; i <= 15; ++i) costs.push_back({0.1 * i, 0.01, 0.1 * i});
  const auto all = traces(costs);
  Outcome result;
  add_traces(result, all, costs, "beta = 0.01, alpha = gamma from 0.5 to 1.5");
  const Trace &s = trace(all, "SC"), &r = trace(all, "RD"), &e = trace(all, "EDN");
  const Trace &f2 = trace(all, "FT, k = 2"), &f4 = trace(all, "FT, k = 4"),
              &f8 = trace(all, "FT, k = 8");
  const bool fastest =
      std::ranges::all_of(all, [&](const Trace& t) { return &t == &s || rise(t) < rise(s); });
  const bool slowest =
      std::ranges::all_of(all, [&](const Trace& t) { return &t == &r || rise(t) > rise(r); });
  const bool largest = std::ranges::all_of(all, [&](const Trace& t) {
    return &t == &r || t.lines.front().tau() < r.lines.front().tau();
  });
  result.claims = {
      words("T_s of SC, against that of the others",
            printed("Tsai 1997, 5.4.1", "more rapidly rising"), fastest,
            fmt::format("SC by {:.0f}, FT with k = 8 by {:.0f}", rise(s), rise(f8)), ByFormula{}),
      words("T_s of RD, against that of the others",
            printed("Tsai 1997, 5.4.1", "the least increase"), slowest,
            fmt::format("RD by {:.1f}, EDN by {:.1f}", rise(r), rise(e)), ByFormula{},
            fact("By Table 5.3, T_s grows with 4n alpha for RD (20 for n = 5) and with (4n + 1) "
                 "alpha for EDN. The two are almost equal.")),
      words("tau of RD, against that of the others",
            printed("Tsai 1997, 5.4.1", "the largest tau values"), largest,
            fmt::format("RD {:.3g}, EDN {:.3g}", r.lines.front().tau(), e.lines.front().tau()),
            ByFormula{}),
      words(
          "with more packets, FT uses more bandwidth (smaller T_n) and is more sensitive to alpha",
          printed("Tsai 1997, 5.4.1", "as k increases"),
          f2.lines[0].per_length > f4.lines[0].per_length &&
              f4.lines[0].per_length > f8.lines[0].per_length && rise(f2) < rise(f4) &&
              rise(f4) < rise(f8),
          fmt::format("T_n {:.3g}, {:.3g}, {:.3g}", f2.lines[0].per_length, f4.lines[0].per_length,
                      f8.lines[0].per_length),
          ByFormula{}),
      number("ratio of T_n, EDN to FT with k = 4",
             printed("Tsai 1997, 5.4.1", "approximately the same").meaning({1, 2}),
             e.lines[0].per_length / f4.lines[0].per_length, ByFormula{}, kApproximately,
             fact("The comparison is n + 1 against t(1024, 4) / 4."))};
  return result;
}

Outcome figure_5_9(Laboratory&) {
  std::vector<Cost> costs;
  costs.reserve(20);
  for (int i = 0; i < 20; ++i) costs.push_back({0.5, 0.001 + 0.01 * i, 0.5});
  const auto all = traces(costs);
  Outcome result;
  add_traces(result, all, costs, "alpha = gamma = 0.5, beta from 0.001 to 0.191");
  bool decreasing = true;
  std::string order;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double last = all[i].lines.back().tau();
    if (i > 0) decreasing = decreasing && last < all[i - 1].lines.back().tau();
    order += fmt::format("{}{} {:.3g}", i == 0 ? "" : ", ", all[i].title, last);
  }
  const LinearTime sc_last = trace(all, "SC").lines.back();
  const LinearTime ft_last = trace(all, "FT, k = 8").lines.back();
  const double crossover = formulas::crossover(edn_line(costs.front()), rd_line(costs.front()));
  result.claims = {
      words("the upper bounds of tau, in decreasing order",
            printed("Tsai 1997, 5.4.1",
                    "the upper bound of tau values in decreasing order is RD, EDN, FT(k=2), "
                    "FT(k=4), FT(k=8), and SC"),
            decreasing, order, ByFormula{},
            fact("T_s contains 6 (2^n - 1) beta for SC and 2k (2^n - 1) beta for FT. For large "
                 "beta the latter grows faster, and its tau stays below.")),
      words("SC against FT with k = 8 for large beta, at 64 KiB",
            printed("Tsai 1997, 5.4.1", "will perform faster"),
            sc_last.at(65536) < ft_last.at(65536),
            fmt::format("{:.4g} and {:.4g}", sc_last.at(65536), ft_last.at(65536)), ByFormula{}),
      words("EDN is faster than RD, at every length", printed("Tsai 1997, 5.4.1", "will be faster"),
            crossover <= 0, fmt::format("beyond {:.0f} bytes for beta = 0.001", crossover),
            ByFormula{},
            fact("The longest path of EDN has 4n + 1 start-ups and receptions, and that of RD has "
                 "4n. So RD is faster for the shortest messages."))};
  return result;
}

Outcome figure_5_10(Laboratory&) {
  constexpr double kTau0 = 0.003;
  Outcome result;
  result.table.columns = {"k", "t(1024, k)", "omega", "epsilon", "mu", "tau_0 > epsilon"};
  Plot plot{"epsilon(5, k) and mu(5, k)", "k", "", {}};
  Curve eps{"epsilon", {}}, mus{"mu", {}}, constant{"tau_0 = 0.003", {}};
  int first = 0;
  for (int k = 4; k <= 40; ++k) {
    const bool above = kTau0 > epsilon(k);
    if (above && first == 0) first = k;
    eps.points.emplace_back(k, epsilon(k));
    constant.points.emplace_back(k, kTau0);
    if (mu(k) > 0 && mu(k) < 0.1) mus.points.emplace_back(k, mu(k));
    result.table.rows.push_back({std::to_string(k),
                                 std::to_string(reference::fibonacci_steps(1024, k)),
                                 fmt::format("{:.4g}", omega(k)), fmt::format("{:.4g}", epsilon(k)),
                                 fmt::format("{:.4g}", mu(k)), above ? "yes" : "no"});
  }
  plot.curves = {eps, mus, constant};
  result.plots = {plot};
  bool always = true;
  for (int k = 20; k <= 40; ++k) always = always && sc_ft(kLikeT3d, k) <= 0;
  result.claims = {
      count("the least k with tau_0 = 0.003 above epsilon(5, k)",
            printed("Tsai 1997, 5.4.2", "only for k >= 20").meaning({20, 0}), first, ByFormula{}),
      words("SC against FT at every length, k = 20 to 40",
            printed("Tsai 1997, 5.4.2", "only for k >= 20"), always,
            always ? "faster" : "not always faster", ByFormula{})};
  return result;
}

Outcome figure_5_11(Laboratory&) {
  Outcome result;
  result.table.columns = {"k", "L*, bytes"};
  Plot plot{"Crossover of SC and FT, alpha = gamma = 1.5, beta = 0.009", "k", "L*, bytes", {}};
  Curve curve{"L*", {}};
  bool positive = true;
  for (int k = 4; k < 20; ++k) {
    const auto length = tau::crossover_length(sc_line(kLikeT3d), ft_line(kLikeT3d, k));
    positive = positive && length.has_value();
    curve.points.emplace_back(k, length.value_or(0));
    result.table.rows.push_back({std::to_string(k), fmt::format("{:.1f}", length.value_or(0))});
  }
  plot.curves = {curve};
  result.plots = {plot};
  result.claims = {words("SC is faster beyond a length L*, and FT is faster below it",
                         printed("Tsai 1997, 5.4.2", "for 3 < k < 20"), positive,
                         positive ? "for all of them" : "not for all of them", ByFormula{})};
  return result;
}

Outcome figure_5_12(Laboratory&) {
  Outcome result;
  result.table.columns = {"alpha = gamma, beta", "bytes", "SC", "FT, k = 16", "18", "19", "20"};
  const Cost third{0.5, 0.003, 0.5};
  for (const auto& [cost, paper, why] :
       {std::tuple{kLikeT3d, printed("Tsai 1997, 5.4.2", "425.5"),
                   "The numerator is printed as 6.603. It is 6.630."},
        std::tuple{third, printed("Tsai 1997, 5.4.2", "425.25"),
                   "The printed fraction is 2.21 / 0.0051725, which is 427.26."}}) {
    const std::string name = fmt::format("{:g}, {:g}", cost.alpha, cost.beta);
    Plot plot{"alpha = gamma = " + name + " = beta", "message length, bytes", "latency, us", {}};
    plot.curves = {
        {"SC", {}}, {"FT, k = 16", {}}, {"FT, k = 18", {}}, {"FT, k = 19", {}}, {"FT, k = 20", {}}};
    for (int bytes = 0; bytes <= 2048; bytes += 256) {
      std::vector<std::string> cells = {name, std::to_string(bytes)};
      std::size_t curve = 0;
      for (const LinearTime& line : {sc_line(cost), ft_line(cost, 16), ft_line(cost, 18),
                                     ft_line(cost, 19), ft_line(cost, 20)}) {
        plot.curves[curve++].points.emplace_back(bytes, line.at(bytes));
        cells.push_back(fmt::format("{:.4f}", line.at(bytes)));
      }
      result.table.rows.push_back(cells);
    }
    result.plots.push_back(plot);
    result.claims.push_back(
        number(fmt::format("L* of SC and FT, bytes, k = 18, alpha = {:g}, beta = {:g}", cost.alpha,
                           cost.beta),
               paper, sc_ft(cost, 18), ByFormula{}, kAlmostExactly, fact(why)));
  }
  return result;
}

Outcome figure_5_13(Laboratory&) {
  Outcome result;
  result.table.columns = {"n", "tau_0", "L*, bytes"};
  Plot plot{"Crossover of EDN and SC", "n (mesh of 2^n x 2^n)", "L*, bytes", {}, false, true};
  const auto crossover = [](int n, double tau_0) {
    const Cost c{1, 2 * tau_0, 1};
    return formulas::crossover(formulas::edn_approximate(c, n), formulas::scatter_collect(c, n));
  };
  bool grows = true;
  for (const double tau_0 : {0.001, 0.002, 0.003}) {
    Curve curve{fmt::format("tau_0 = {:g}", tau_0), {}};
    for (int n = 2; n <= 8; ++n) {
      const double length = crossover(n, tau_0);
      if (n > 2) grows = grows && length > crossover(n - 1, tau_0);
      curve.points.emplace_back(n, length);
      result.table.rows.push_back(
          {std::to_string(n), fmt::format("{:g}", tau_0), fmt::format("{:.0f}", length)});
    }
    plot.curves.push_back(curve);
  }
  result.plots = {plot};
  const auto why = [&](double tau_0) {
    return fact(fmt::format("The paper's own formulas (Table 5.5) give {:.0f} bytes.",
                            crossover(5, tau_0))) +
           hypothesis("the authors read the length off a plot.");
  };
  result.claims = {
      number("L* for n = 5, tau_0 = 0.001", printed("Tsai 1997, 5.4.3", "14 Kbytes"),
             crossover(5, 0.001) / 1024, ByFormula{}, kApproximately, why(0.001)),
      number("L* for n = 5, tau_0 = 0.002", printed("Tsai 1997, 5.4.3", "7000 bytes"),
             crossover(5, 0.002), ByFormula{}, kApproximately, why(0.002)),
      number("L* for n = 5, tau_0 = 0.003", printed("Tsai 1997, 5.4.3", "4200 bytes"),
             crossover(5, 0.003), ByFormula{}, kApproximately, why(0.003)),
      words("L* as the network grows, n = 2 to 8", printed("Tsai 1997, 5.4.3", "increases"), grows,
            grows ? "increases" : "does not always increase", ByFormula{}),
      words("L* from tau_0 = 0.001 to 0.002 and from 0.002 to 0.003",
            printed("Tsai 1997, 5.4.3", "by a factor of 0.5 ... less than 0.5"),
            std::abs(crossover(5, 0.002) / crossover(5, 0.001) - 0.5) < 0.05 &&
                crossover(5, 0.003) > 0.5 * crossover(5, 0.002),
            fmt::format("x {:.2f}, x {:.2f}", crossover(5, 0.002) / crossover(5, 0.001),
                        crossover(5, 0.003) / crossover(5, 0.002)),
            ByFormula{})};
  return result;
}

Outcome figure_5_14(Laboratory&) {
  Outcome result;
  result.table.columns = {"tau_0", "k", "L*, bytes"};
  Plot plot{"Crossover of EDN and FT, n = 5", "k", "L*, bytes", {}, false, true};
  bool falls = true, slowly = true;
  std::set<int> without;  // k at which EDN is faster at every length
  std::vector<double> before;
  for (const double tau_0 : {0.001, 0.003, 0.005, 0.01}) {
    const Cost c{1, 2 * tau_0, 1};
    Curve curve{fmt::format("tau_0 = {:g}", tau_0), {}};
    for (int k = 3; k <= 20; ++k) {
      const auto length = tau::crossover_length(edn_line(c), ft_line(c, k));
      if (!length) without.insert(k);
      if (length) curve.points.emplace_back(k, *length);
      result.table.rows.push_back({fmt::format("{:g}", tau_0), std::to_string(k),
                                   length ? fmt::format("{:.0f}", *length) : "-"});
    }
    if (!before.empty()) falls = falls && curve.points.back().second < before.back();
    before.push_back(curve.points.back().second);
    // From k = 10 to 20, a factor of two, L* grows by less than that.
    const auto ten = std::ranges::find(curve.points, 10.0, &std::pair<double, double>::first);
    slowly = slowly && curve.points.back().second < 2 * ten->second;
    plot.curves.push_back(curve);
  }
  result.plots = {plot};
  const auto positive = [](int k) {
    return 2 * k * k * (kSteps + 1) - reference::fibonacci_steps(1024, k) > 0;
  };
  bool r_positive = true;
  for (int k = 3; k <= 20; ++k) r_positive = r_positive && positive(k);
  result.claims = {
      words("EDN is faster than FT below a length L*",
            printed("Tsai 1997, 5.4.4", "for n = 5 and k > 2"), without.empty(),
            without.empty()
                ? "for every k"
                : fmt::format("no crossover for k = {}, of 3 to 20", fmt::join(without, ", ")),
            ByFormula{},
            fact("For these k, t(1024, k) / k is not below n + 1, so EDN is faster at every "
                 "length.")),
      words("growth of L* with k", printed("Tsai 1997, 5.4.4", "does not increase very rapidly"),
            slowly,
            slowly ? "from k = 10 to 20 by less than a factor of 2"
                   : "from k = 10 to 20 by a factor of 2 or more",
            ByFormula{}),
      words("L* as tau_0 grows, k = 20", printed("Tsai 1997, 5.4.4", "decreases"), falls,
            falls ? "decreases" : "does not always decrease", ByFormula{}),
      words("R(5, k), k = 3 to 20", printed("Tsai 1997, 5.4.4", "< 0 for any k > 2"), !r_positive,
            r_positive ? "> 0" : "< 0", ByFormula{},
            fact("R = 2 k^2 (n + 1) - t(P, k) is positive, and the proof that follows needs it to "
                 "be. So the claim is a misprint."))};
  return result;
}

}  // namespace annelid::reproduction
