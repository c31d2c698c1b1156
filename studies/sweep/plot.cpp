#include "studies/sweep/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "base/run_failure.hpp"
#include "studies/common/gnuplot.hpp"

namespace annelid::studies {
namespace {

namespace fs = std::filesystem;

struct CurvePoint {
  double load = 0;
  std::optional<double> latency;  // of the packets that arrived
  double accepted = 0;
  bool saturated = false;

  /// A line of gnuplot's data. It leaves out a point that is not a number, and the lines to it.
  [[nodiscard]] std::string text() const {
    const std::string height = latency ? fmt::format("{:.6g}", *latency) : "NaN";
    return fmt::format("{:.6g} {} {:.6g}\n", load, height, accepted);
  }
};

struct SweptCurve {
  std::string title;
  std::vector<CurvePoint> points;  // by load
};

/// In the order of the sweep. A curve ends with its first saturated point.
std::vector<SweptCurve> curves_of(const SweepGrid& grid, const SweepTable& table,
                                  double& zero_load) {
  std::vector<SweptCurve> curves;
  for (std::size_t i = 0; i < grid.points.size(); ++i) {
    const auto latency = table.number(i, "total_mean"), accepted = table.number(i, "accepted");
    if (!accepted || table.beyond_saturation(i)) continue;  // a deadlock has no figures
    zero_load = std::max(zero_load, table.number(i, "zero_load").value_or(0));
    const std::string title = grid.curve(grid.points[i]);
    auto curve = std::ranges::find(curves, title, &SweptCurve::title);
    if (curve == curves.end()) curve = curves.insert(curve, {title, {}});
    curve->points.push_back(
        {grid.points[i].scenario.synthetic.injection.load, latency, *accepted, table.saturated(i)});
  }
  for (SweptCurve& c : curves) std::ranges::sort(c.points, {}, &CurvePoint::load);
  return curves;
}

std::string data_blocks(const std::vector<SweptCurve>& curves) {
  std::string text = "# load, mean latency, accepted\n";
  for (std::size_t i = 0; i < curves.size(); ++i) {
    text += fmt::format("$curve{} << END\n", i);
    for (const CurvePoint& p : curves[i].points) text += p.text();
    text += fmt::format("END\n$saturated{} << END\n", i);
    for (const CurvePoint& p : curves[i].points) {
      if (p.saturated) text += p.text();
    }
    text += "END\n";
  }
  return text;
}

/// One plot; `y` is gnuplot's expression for the height of a point, `key` whether it has the
/// legend.
std::string plot(const std::vector<SweptCurve>& curves, const std::string& y, bool key) {
  std::string text = "plot ";
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const std::string title = key ? gnuplot_text(curves[i].title) : "\"\"";
    text += fmt::format("$curve{0} using 1:{1} with linespoints ls {2} title {3}, \\\n", i, y,
                        i % kLineStyles + 1, title);
    if (std::ranges::any_of(curves[i].points, &CurvePoint::saturated)) {
      text +=
          fmt::format("     $saturated{0} using 1:{1} with points ls {2} pt 2 ps 1.6 notitle, \\\n",
                      i, y, i % kLineStyles + 1);
    }
    text += "     ";
  }
  text += fmt::format("NaN with points pt 2 ps 1.6 lc \"black\" {}\n",
                      key ? "title \"saturated\"" : "notitle");
  return text;
}

std::string script(const SweepGrid& grid, const std::vector<SweptCurve>& curves, double zero_load) {
  // Latency grows without bound; what matters is where it begins to.
  double highest = 0;
  for (const SweptCurve& c : curves) {
    for (const CurvePoint& p : c.points) {
      if (!p.saturated) highest = std::max(highest, p.latency.value_or(0));
    }
  }
  const double top = std::min(1.15 * std::max(highest, 2 * zero_load), 8 * zero_load);
  std::string text = "# gnuplot curves.gp draws curves.svg and curves.png\n" + data_blocks(curves);
  text += fmt::format("top = {:.6g}\n", top);
  text += "height(y) = y > top ? top : y\n" + gnuplot_styles();
  text +=
      "set xlabel \"offered, flits/cycle/node\"\n"
      "set xrange [0:*]\n";
  const auto draw = [&](const char* terminal, const char* file) {
    text += fmt::format("set terminal {}\nset output \"{}\"\n", terminal, file);
    text += "set multiplot layout 1,2 title " + gnuplot_text(grid.name) + " noenhanced\n";
    text += "set key top left noenhanced\nset ylabel \"mean latency, cycles\"\n";
    text += "set yrange [0:top]\n" + plot(curves, "(height($2))", true);
    text += "set ylabel \"accepted, flits/cycle/node\"\nset yrange [0:*]\n";
    text += plot(curves, "3", false) + "unset multiplot\nset output\n";
  };
  draw("svg size 1200,480 dynamic background rgb \"white\"", "curves.svg");
  draw("pngcairo size 1200,480", "curves.png");
  return text;
}

}  // namespace

void plot_curves(const SweepGrid& grid, const SweepTable& table, const fs::path& folder) {
  double zero_load = 0;
  std::vector<SweptCurve> curves = curves_of(grid, table, zero_load);
  const bool any = std::ranges::any_of(curves, [](const SweptCurve& c) {
    return std::ranges::any_of(c.points, [](const CurvePoint& p) { return p.latency.has_value(); });
  });
  if (!any) throw RunFailure("plots: no point has a latency");
  run_gnuplot(folder, "curves", script(grid, curves, zero_load));
}

}  // namespace annelid::studies
