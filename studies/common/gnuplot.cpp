#include "studies/common/gnuplot.hpp"

#include <fmt/format.h>

#include <array>

#include "base/child_process.hpp"
#include "base/files.hpp"
#include "base/run_failure.hpp"

namespace annelid::studies {

std::string gnuplot_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string gnuplot_styles() {
  struct Style {
    const char* colour;
    int mark;
    double size;
  };
  constexpr std::array kStyles = {Style{"#0072b2", 7, 0.7},  Style{"#d55e00", 5, 0.7},
                                  Style{"#009e73", 9, 0.9},  Style{"#cc79a7", 11, 0.9},
                                  Style{"#e69f00", 13, 0.9}, Style{"#56b4e9", 6, 0.8},
                                  Style{"#999999", 4, 0.8},  Style{"#000000", 8, 0.9}};
  std::string text;
  for (std::size_t i = 0; i < kLineStyles; ++i) {
    const Style& s = kStyles[i % kStyles.size()];
    const std::size_t dash = i / kStyles.size();
    text += fmt::format("set style line {} lc \"{}\" lw 2 pt {} ps {}{}\n", i + 1, s.colour, s.mark,
                        s.size, dash == 0 ? "" : fmt::format(" dt {}", dash + 1));
  }
  return text +
         "set grid lc \"#dddddd\"\n"
         "set border 3\n"
         "set tics nomirror\n";
}

void run_gnuplot(const std::filesystem::path& file, const std::string& script) {
  write_file(file, script);
  const std::filesystem::path folder = file.parent_path(), log = folder / "gnuplot.log";
  const int status =
      wait_process(start_process("gnuplot", {file.filename().string()}, log, folder));
  if (status != 0) {
    throw RunFailure(
        fmt::format("plots: gnuplot ended with status {}, see {}", status, log.string()));
  }
  std::filesystem::remove(log);
}

}  // namespace annelid::studies
