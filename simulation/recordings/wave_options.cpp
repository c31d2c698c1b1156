#include "simulation/recordings/wave_options.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

#include "base/input_error.hpp"
#include "base/nearest.hpp"
#include "base/parse_number.hpp"

namespace annelid::simulation {
namespace {

constexpr std::uint64_t kMostTag = 65535;

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

waves::WaveTrigger trigger_of(const std::string& text) {
  using TriggerKind = waves::WaveTrigger::Kind;
  if (text.empty()) return {};
  if (text == "failure") return {TriggerKind::kFailure, 0};
  const std::size_t colon = std::min(text.find(':'), text.size());
  const std::string what = text.substr(0, colon);
  const auto value = parse_number<std::uint64_t>(
      colon < text.size() ? std::string_view(text).substr(colon + 1) : "");
  if (what == "tag" && value && *value <= kMostTag) return {TriggerKind::kTag, *value};
  if (what == "blocked" && value && *value > 0) return {TriggerKind::kBlocked, *value};
  constexpr std::array<std::string_view, 3> kNames = {"tag", "blocked", "failure"};
  const bool known = std::ranges::find(kNames, what) != kNames.end();
  throw InputError("--wave-trigger", quoted(text),
                   "tag:T (0 to 65535), blocked:CYCLES (1 or more), or failure" +
                       (known ? "" : did_you_mean(what, kNames)));
}

}  // namespace

std::pair<Cycle, Cycle> parse_cycles(const std::string& option, const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string from = text.substr(0, colon);
  const std::string to = colon == std::string::npos ? "" : text.substr(colon + 1);
  const auto begin = from.empty() ? Cycle{0} : parse_number<std::uint64_t>(from);
  const auto end = to.empty() ? kNever : parse_number<std::uint64_t>(to);
  if (colon == std::string::npos || text == ":" || !begin || !end || *begin > *end) {
    throw InputError(option, quoted(text),
                     "FROM:TO, cycles of which the first is not after the last, as in 100:250");
  }
  return {*begin, *end};
}

waves::WaveWindow wave_window(const WaveOptions& options) {
  waves::WaveWindow window;
  window.trigger = trigger_of(options.trigger);
  window.before = options.before;
  window.after = options.after;
  if (!options.window.empty()) {
    std::tie(window.begin, window.end) = parse_cycles("--wave-window", options.window);
  }
  return window;
}

}  // namespace annelid::simulation
