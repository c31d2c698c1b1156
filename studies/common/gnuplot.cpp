#include "studies/common/gnuplot.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <string_view>

#include "base/child_process.hpp"
#include "base/files.hpp"
#include "base/new_file.hpp"
#include "base/run_failure.hpp"

namespace annelid::studies {

// In double quotes `commands` would be executed, but not where the quote is written by its number.
// (Single quotes are no way out: gnuplot takes a doubled one at the beginning for an empty text.)
std::string gnuplot_text(const std::string& text) {
  constexpr std::string_view kPlain = " ,.:;=()/+-_#*";
  std::string result = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < ' ' || code == 0x7f) continue;
    const bool plain =
        code >= 0x80 || std::isalnum(code) != 0 || kPlain.find(c) != std::string_view::npos;
    result += plain ? std::string(1, c) : fmt::format("\\{:03o}", code);
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

void run_gnuplot(const std::filesystem::path& folder, const std::string& name,
                 const std::string& script) {
  const std::string file = name + ".gp";
  write_file(folder / file, script);
  // It draws elsewhere, so that no half of a drawing takes the place of an earlier one.
  const HeldSignals held;
  const TemporaryFolder drawn;
  write_file(drawn.path() / file, script);
  const EndedProgram ended = run_child("gnuplot", {file}, drawn.path(), &held);
  if (ended.status != 0) {
    throw RunFailure(
        fmt::format("plots: gnuplot ended with status {}\n{}", ended.status, ended.text));
  }
  for (const char* suffix : {".svg", ".png"}) {
    write_file(folder / (name + suffix), read_text(drawn.path() / (name + suffix)));
  }
}

}  // namespace annelid::studies
