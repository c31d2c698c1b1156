#include "cli/wave_options.hpp"

#include <CLI/CLI.hpp>
#include <charconv>
#include <optional>
#include <tuple>

#include "cli/input_error.hpp"

namespace annelid::cli {
namespace {

constexpr Cycle kMostBefore = 1'000'000;  // they are in memory
constexpr std::uint64_t kMostTag = 65535;

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || rest != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

WaveTrigger trigger_of(const std::string& text) {
  using Kind = WaveTrigger::Kind;
  if (text.empty()) return {};
  if (text == "failure") return {Kind::kFailure, 0};
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string what = text.substr(0, colon);
  const auto value =
      colon < text.size() ? number(std::string_view(text).substr(colon + 1)) : std::nullopt;
  if (what == "tag" && value && *value <= kMostTag) return {Kind::kTag, *value};
  if (what == "blocked" && value && *value > 0) return {Kind::kBlocked, *value};
  throw InputError("--wave-trigger", quoted(text),
                   "tag:T (0 to 65535), blocked:CYCLES (1 or more), or failure");
}

}  // namespace

void add_wave_options(CLI::App& command, WaveOptions& o) {
  command.add_option("--wave", o.file, "Write a waveform for GTKWave, and a save file beside it")
      ->type_name("FILE.fst");
  command
      .add_option("--wave-nodes", o.nodes, "Nodes in the waveform, 3,4; the first 64 if not given")
      ->type_name("NODES");
  command
      .add_option("--wave-window", o.window,
                  "First and last cycle of the waveform, 100:250; either may be left out")
      ->type_name("FROM:TO");
  command
      .add_option(
          "--wave-trigger", o.trigger,
          "Begin only when a message with tag T is injected (tag:T), when a flit waits for N "
          "cycles in a row (blocked:N), or when the run or a check fails (failure)")
      ->type_name("WHAT");
  command
      .add_option("--wave-before", o.before,
                  "Cycles before the trigger that are in the waveform too; they are kept in memory")
      ->type_name("CYCLES")
      ->check(CLI::Range(Cycle{1}, kMostBefore))
      ->capture_default_str();
  command.add_option("--wave-after", o.after, "Cycles after the trigger")
      ->type_name("CYCLES")
      ->check(CLI::Range(Cycle{0}, Cycle{1'000'000'000}))
      ->capture_default_str();
}

std::pair<Cycle, Cycle> parse_cycles(const std::string& option, const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string from = text.substr(0, colon);
  const std::string to = colon == std::string::npos ? "" : text.substr(colon + 1);
  const auto begin = from.empty() ? Cycle{0} : number(from);
  const auto end = to.empty() ? kNever : number(to);
  if (colon == std::string::npos || text == ":" || !begin || !end || *begin > *end) {
    throw InputError(option, quoted(text),
                     "FROM:TO, cycles of which the first is not after the last, as in 100:250");
  }
  return {*begin, *end};
}

WaveWindow wave_window(const WaveOptions& options) {
  WaveWindow window;
  window.trigger = trigger_of(options.trigger);
  window.before = options.before;
  window.after = options.after;
  if (!options.window.empty()) {
    std::tie(window.begin, window.end) = parse_cycles("--wave-window", options.window);
  }
  return window;
}

}  // namespace annelid::cli
