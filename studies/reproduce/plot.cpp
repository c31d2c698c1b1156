#include "studies/reproduce/plot.hpp"

#include <fmt/format.h>

#include "studies/common/gnuplot.hpp"

namespace annelid::studies {
namespace {

using reproduction::Curve;
using reproduction::Plot;

constexpr int kWidth = 760, kHeight = 460;  // of one plot

std::string data_blocks(const std::vector<Plot>& plots) {
  std::string text;
  for (std::size_t p = 0; p < plots.size(); ++p) {
    for (std::size_t c = 0; c < plots[p].curves.size(); ++c) {
      text += fmt::format("$data{}_{} << END\n", p, c);
      for (const auto& [x, y] : plots[p].curves[c].points) {
        text += fmt::format("{:.8g} {:.8g}\n", x, y);
      }
      text += "END\n";
    }
  }
  return text;
}

std::string commands(const Plot& plot, std::size_t number) {
  std::string text = "set title " + gnuplot_text(plot.title) + " noenhanced\n";
  text += "set xlabel " + gnuplot_text(plot.x_label) + " noenhanced\n";
  text += "set ylabel " + gnuplot_text(plot.y_label) + " noenhanced\n";
  text += plot.log_x ? "set logscale x\n" : "unset logscale x\n";
  text +=
      plot.log_y ? "set logscale y\nset yrange [*:*]\n" : "unset logscale y\nset yrange [0:*]\n";
  text += "plot ";
  for (std::size_t c = 0; c < plot.curves.size(); ++c) {
    const Curve& curve = plot.curves[c];
    text += fmt::format("{}$data{}_{} using 1:2 with {} ls {} title {}", c == 0 ? "" : ", \\\n  ",
                        number, c, curve.line ? "linespoints" : "points", c % kLineStyles + 1,
                        gnuplot_text(curve.title));
  }
  return text + "\n";
}

}  // namespace

void draw_plots(const std::vector<Plot>& plots, const std::filesystem::path& folder,
                const std::string& name) {
  std::string script = fmt::format("# gnuplot {0}.gp draws {0}.svg and {0}.png\n", name) +
                       data_blocks(plots) + gnuplot_styles() +
                       "set key outside right top noenhanced\n";
  const int width = kWidth * static_cast<int>(plots.size());
  const auto draw = [&](const std::string& terminal, const char* suffix) {
    script += fmt::format("set terminal {}\nset output \"{}.{}\"\n", terminal, name, suffix);
    if (plots.size() > 1) script += fmt::format("set multiplot layout 1,{}\n", plots.size());
    for (std::size_t p = 0; p < plots.size(); ++p) script += commands(plots[p], p);
    if (plots.size() > 1) script += "unset multiplot\n";
    script += "set output\n";
  };
  draw(fmt::format("svg size {},{} dynamic background rgb \"white\"", width, kHeight), "svg");
  draw(fmt::format("pngcairo size {},{}", width, kHeight), "png");
  run_gnuplot(folder, name, script);
}

}  // namespace annelid::studies
