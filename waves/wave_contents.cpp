#include "waves/wave_contents.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "base/input_error.hpp"

namespace annelid::waves {
namespace {

constexpr const char* kExpected = "a waveform of annelid run or annelid traffic";

constexpr std::string_view kOutput = ".out.flit", kInput = ".in.flit", kFlitRow = "flit";
constexpr std::string_view kMessage = "message";  // a row of injection channels alone

/// The node's scope and the port of a channel: "noc.n_2_0" and "local0" of
/// "noc.n_2_0.local0.in.flit". Empty for any other signal.
struct Channel {
  std::string node, port;
  explicit operator bool() const { return !node.empty(); }
};

Channel channel_of(std::string_view name, std::string_view end) {
  if (!name.starts_with("noc.n_") || !name.ends_with(end)) return {};
  name.remove_suffix(end.size());
  const std::size_t dot = name.find('.', 4);
  if (dot == std::string_view::npos || name.find('.', dot + 1) != std::string_view::npos) return {};
  return {std::string(name.substr(0, dot)), std::string(name.substr(dot + 1))};
}

/// 3 of "step 3, 64 bytes"; 0 of what names no step.
std::uint32_t step_of(std::string_view text) {
  constexpr std::string_view kStep = "step ";
  std::uint32_t step = 0;
  if (text.starts_with(kStep)) {
    std::from_chars(text.data() + kStep.size(), text.data() + text.size(), step);
  }
  return step;
}

/// Without the colour of its box: "?DarkCyan?H 2,0>5,3 #17".
std::string_view without_colour(std::string_view text) {
  return text.starts_with('?') ? text.substr(text.find('?', 1) + 1) : text;
}

WaveFlit flit_of(const FstReader::Change& change) {
  const std::string_view text = without_colour(change.value);
  WaveFlit flit{change.time, text.empty() ? ' ' : text.front(), ""};
  if (text.size() > 2) flit.packet = text.substr(2);
  return flit;
}

}  // namespace

WaveContents::WaveContents(const std::filesystem::path& path) : path_(path), file_(path) {
  for (const auto& [full, signal] : file_.names()) {
    signals_.emplace(full, signal);
    if (!full.starts_with("noc.n_")) continue;
    std::string node = full.substr(0, full.find('.', 4));
    if (nodes_.empty() || nodes_.back() != node) nodes_.push_back(std::move(node));
  }
  if (nodes_.empty()) throw InputError(path.string(), "no signal noc.n_...", kExpected);
}

std::vector<std::string> WaveContents::names(const std::string& prefix) const {
  std::vector<std::string> found;
  for (const auto& [full, signal] : file_.names()) {
    if (full.starts_with(prefix)) found.push_back(full);
  }
  return found;
}

std::vector<std::string> WaveContents::ports(const std::string& node) const {
  std::vector<std::string> found;
  for (const std::string& name : names(node + ".")) {
    if (const Channel channel = channel_of(name, kOutput)) {
      found.push_back(node + "." + channel.port);
    }
  }
  return found;
}

std::string WaveContents::text_of(const std::string& node) {
  std::string text = node.substr(node.find('_') + 1);
  std::ranges::replace(text, '_', ',');
  return text;
}

std::string WaveContents::scope_of(std::string_view text) {
  std::string scope = "noc.n_" + std::string(text);
  std::ranges::replace(scope, ',', '_');
  return scope;
}

std::uint32_t WaveContents::signal_of(const std::string& name) const {
  const auto found = signals_.find(name);
  if (found == signals_.end()) throw InputError(path_.string(), "no signal " + name, kExpected);
  return found->second;
}

void WaveContents::load(const std::vector<std::string>& names) {
  std::vector<std::uint32_t> missing;
  for (const std::string& name : names) {
    const std::uint32_t signal = signal_of(name);
    if (!loaded_.contains(signal)) missing.push_back(signal);
  }
  if (missing.empty()) return;
  auto read = file_.read(missing);
  for (std::size_t i = 0; i < missing.size(); ++i) loaded_[missing[i]] = std::move(read[i]);
}

const std::vector<FstReader::Change>& WaveContents::changes(const std::string& name) {
  load({name});
  return loaded_.at(signal_of(name));
}

std::string WaveContents::value(const std::string& name, std::uint64_t time) {
  const auto& all = changes(name);
  const auto later = std::ranges::upper_bound(all, time, {}, &FstReader::Change::time);
  return later == all.begin() ? "" : std::prev(later)->value;
}

bool WaveContents::is_injection(const std::string& name) const {
  return channel_of(name, kInput) &&
         has(name.substr(0, name.size() - kFlitRow.size()) + std::string(kMessage));
}

std::vector<std::string> WaveContents::channels() const {
  std::vector<std::string> found;
  std::map<std::uint32_t, bool> seen;
  for (const auto& [full, signal] : file_.names()) {
    if (!channel_of(full, kOutput) && !is_injection(full)) continue;
    if (std::exchange(seen[signal], true)) continue;
    found.push_back(full);
  }
  return found;
}

std::string WaveContents::receiver(const std::string& channel) const {
  const std::uint32_t signal = signal_of(channel);
  for (const auto& [full, other] : file_.names()) {
    if (other == signal && channel_of(full, kInput))
      return full.substr(0, full.size() - kFlitRow.size());
  }
  return "";
}

std::vector<WaveFlit> WaveContents::flits(const std::string& channel) {
  std::vector<WaveFlit> found;
  for (const FstReader::Change& change : changes(channel)) found.push_back(flit_of(change));
  return found;
}

std::vector<WaveMessage> WaveContents::messages() {
  std::vector<WaveMessage> found;
  std::vector<std::string> wanted;
  for (const std::string& channel : channels()) {
    if (!is_injection(channel)) continue;
    wanted.push_back(channel);
    wanted.push_back(channel.substr(0, channel.size() - kFlitRow.size()) + std::string(kMessage));
  }
  load(wanted);
  for (std::size_t i = 0; i < wanted.size(); i += 2) {
    const std::string& channel = wanted[i];
    const auto [node, port] = channel_of(channel, kInput);
    for (const WaveFlit& flit : flits(channel)) {
      if (flit.kind != 'H' && flit.kind != 'S') continue;
      const std::string what = value(wanted[i + 1], flit.time);
      if (what == "control") continue;
      found.push_back({0, flit.packet, text_of(node), port, step_of(what), flit.time});
    }
  }
  // The channels are in the order of nodes and ports already.
  std::ranges::stable_sort(found, {}, &WaveMessage::time);
  for (std::size_t i = 0; i < found.size(); ++i) found[i].number = i + 1;
  return found;
}

}  // namespace annelid::waves
