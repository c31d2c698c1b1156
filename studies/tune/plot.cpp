#include <fmt/format.h>

#include "simulation/scenario/network_keys.hpp"
#include "studies/common/gnuplot.hpp"
#include "studies/tune/result.hpp"

namespace annelid::studies {
namespace {

namespace fs = std::filesystem;

std::string data_blocks(const TuneResult& r) {
  std::string text = "# bytes of a block, bytes per cycle\n";
  for (std::size_t curve = 0; curve < r.curves.size(); ++curve) {
    text += fmt::format("$curve{} << END\n", curve);
    for (std::size_t size = 0; size < r.bytes.size(); ++size) {
      text += fmt::format("{} {:.6g}\n", r.bytes[size], r.bandwidth(curve, size));
    }
    text += "END\n";
  }
  return text;
}

/// Network, routers and firmware in a line.
std::string title(const TuneResult& r) {
  const std::string router =
      r.of->network.ideal ? "" : ": " + simulation::describe_router(r.of->network);
  return fmt::format("{}{}, {}{}", describe(*r.of), router,
                     name_of(r.of->algorithms.front().firmware),
                     r.calls == CallKind::kPrepared ? ", prepared" : "");
}

std::string script(const TuneResult& r, const std::string& name) {
  std::string text = fmt::format("# gnuplot {0}.gp draws {0}.svg and {0}.png\n", name);
  text += data_blocks(r) + gnuplot_styles();
  text += fmt::format("set title {} noenhanced\n", gnuplot_text(title(r)));
  text +=
      "set logscale x 2\n"
      "set format x \"%.0b%BB\"\n"
      "set xlabel \"bytes of a process's block\"\n"
      "set ylabel \"bandwidth, bytes per cycle of the slowest process\"\n"
      "set yrange [0:*]\n"
      "set key outside right top noenhanced\n";
  for (std::size_t i = 1; i < r.fastest.size(); ++i) {
    text +=
        fmt::format("set arrow from {0}, graph 0 to {0}, graph 1 nohead lc \"#bbbbbb\" dt 3 back\n",
                    r.fastest[i].from);
  }
  std::string plot = "plot ";
  for (std::size_t curve = 0; curve < r.curves.size(); ++curve) {
    plot += fmt::format("{}$curve{} with linespoints ls {} title {}", curve == 0 ? "" : ", \\\n  ",
                        curve, curve % kLineStyles + 1, gnuplot_text(r.curves[curve].name));
  }
  text += fmt::format(
      "set terminal svg size 1000,560 dynamic background rgb \"white\"\nset output \"{0}.svg\"\n"
      "{1}\nset terminal pngcairo size 1000,560\nset output \"{0}.png\"\n{1}\nset output\n",
      name, plot);
  return text;
}

}  // namespace

void plot_tuning(const TuneResult& result, const fs::path& folder) {
  const std::string name = file_name(*result.of);
  run_gnuplot(folder, name, script(result, name));
}

}  // namespace annelid::studies
