#include "cli/gnuplot.hpp"

#include <fmt/format.h>

#include "cli/child_process.hpp"
#include "cli/files.hpp"
#include "cli/run_failure.hpp"

namespace annelid::cli {

std::string gnuplot_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string gnuplot_style() {
  return "set style line 1 lc \"#0072b2\" lw 2 pt 7 ps 0.7\n"
         "set style line 2 lc \"#d55e00\" lw 2 pt 5 ps 0.7\n"
         "set style line 3 lc \"#009e73\" lw 2 pt 9 ps 0.9\n"
         "set style line 4 lc \"#cc79a7\" lw 2 pt 11 ps 0.9\n"
         "set style line 5 lc \"#e69f00\" lw 2 pt 13 ps 0.9\n"
         "set style line 6 lc \"#56b4e9\" lw 2 pt 6 ps 0.8\n"
         "set style line 7 lc \"#999999\" lw 2 pt 4 ps 0.8\n"
         "set style line 8 lc \"#000000\" lw 2 pt 8 ps 0.9\n"
         "set grid lc \"#dddddd\"\n"
         "set border 3\n"
         "set tics nomirror\n";
}

void run_gnuplot(const std::filesystem::path& folder, const std::string& name,
                 const std::string& script) {
  const std::string file = name + ".gp";
  write_file(folder / file, script);
  const std::filesystem::path log = folder / "gnuplot.log";
  const int status = wait_process(start_process("gnuplot", {file}, log, folder));
  if (status != 0) {
    throw RunFailure(
        fmt::format("plots: gnuplot ended with status {}, see {}", status, log.string()));
  }
  std::filesystem::remove(log);
}

}  // namespace annelid::cli
