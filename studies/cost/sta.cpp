#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <sstream>

#include "studies/cost/tool.hpp"

namespace annelid::cost {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLongestQuote = 160;

struct ErrorLine {
  std::size_t number = 0;  // 0: none
  std::string text;
};

ErrorLine first_error(const std::string& log) {
  std::istringstream in(log);
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.starts_with("Error")) return {number, line};
  }
  return {};
}

/// Line 17 of netlist.v for "Error: netlist.v, line 17 syntax error". Empty if there is none.
std::string complained_line(const std::string& error, const fs::path& folder) {
  constexpr std::string_view kBefore = "Error: ", kLine = ", line ";
  const std::size_t at = error.find(kLine);
  if (!error.starts_with(kBefore) || at == std::string::npos) return "";
  const fs::path file = folder / error.substr(kBefore.size(), at - kBefore.size());
  std::size_t wanted = 0;
  const char* const digits = error.c_str() + at + kLine.size();
  std::from_chars(digits, error.c_str() + error.size(), wanted);
  if (wanted == 0 || !fs::is_regular_file(file)) return "";
  std::istringstream in(read_text(file));
  std::string line;
  for (std::size_t number = 0; number < wanted; ++number) {
    if (!std::getline(in, line)) return "";
  }
  if (line.size() > kLongestQuote) line = line.substr(0, kLongestQuote) + " ...";
  return fmt::format("\n{}:{}: {}", file.filename().string(), wanted, line);
}

}  // namespace

std::string run_sta(const std::string& script, const fs::path& folder, const CostOptions& options) {
  const std::string log = "sta-" + script;
  std::string text = run_tool(kSta, {"-no_splash", "-exit", script + ".tcl"}, folder, options, log);
  const ErrorLine error = first_error(text);
  if (error.number == 0) return text;
  throw CostError(fmt::format("OpenSTA failed, {}.log:{}:\n{}{}\n(--keep DIR keeps the files)", log,
                              error.number, error.text, complained_line(error.text, folder)));
}

}  // namespace annelid::cost
