#include "waves/wave_contents.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/input_error.hpp"

namespace annelid::waves {
namespace {

constexpr const char* kExpected = "a waveform of annelid run or annelid traffic";

FstReader opened(const std::filesystem::path& path) {
  try {
    return FstReader(path);
  } catch (const std::runtime_error&) {
    throw InputError(path.string(), "no FST file", kExpected);
  }
}

bool is_injection(const std::string& name) {
  return name.ends_with(".in.flit") && name.find(".local") != std::string::npos;
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

WaveContents::WaveContents(const std::filesystem::path& path) : file_(opened(path)) {
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
    if (!name.ends_with(".out.flit")) continue;
    found.push_back(name.substr(0, name.size() - std::string_view(".out.flit").size()));
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

void WaveContents::load(const std::vector<std::string>& names) {
  std::vector<std::uint32_t> missing;
  for (const std::string& name : names) {
    const std::uint32_t signal = signals_.at(name);
    if (!loaded_.contains(signal)) missing.push_back(signal);
  }
  if (missing.empty()) return;
  auto read = file_.read(missing);
  for (std::size_t i = 0; i < missing.size(); ++i) loaded_[missing[i]] = std::move(read[i]);
}

const std::vector<FstReader::Change>& WaveContents::changes(const std::string& name) {
  load({name});
  return loaded_.at(signals_.at(name));
}

std::string WaveContents::value(const std::string& name, std::uint64_t time) {
  const auto& all = changes(name);
  const auto later = std::ranges::upper_bound(all, time, {}, &FstReader::Change::time);
  return later == all.begin() ? "" : std::prev(later)->value;
}

std::vector<std::string> WaveContents::channels() const {
  std::vector<std::string> found;
  std::map<std::uint32_t, bool> seen;
  for (const auto& [full, signal] : file_.names()) {
    if (!full.ends_with(".out.flit") && !is_injection(full)) continue;
    if (std::exchange(seen[signal], true)) continue;
    found.push_back(full);
  }
  return found;
}

std::string WaveContents::receiver(const std::string& channel) const {
  const std::uint32_t signal = signals_.at(channel);
  for (const auto& [full, other] : file_.names()) {
    if (other == signal && full.ends_with(".in.flit")) return full.substr(0, full.size() - 4);
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
    wanted.push_back(channel.substr(0, channel.size() - 4) + "message");
  }
  load(wanted);
  for (std::size_t i = 0; i < wanted.size(); i += 2) {
    const std::string& channel = wanted[i];
    const std::string node = channel.substr(0, channel.find('.', 4));
    const std::string port =
        channel.substr(node.size() + 1, channel.find('.', node.size() + 1) - node.size() - 1);
    for (const WaveFlit& flit : flits(channel)) {
      if (flit.kind != 'H' && flit.kind != 'S') continue;
      const std::string what = value(wanted[i + 1], flit.time);
      if (what == "control") continue;
      WaveMessage message{0, flit.packet, text_of(node), port, 0, flit.time};
      if (what.starts_with("step ")) {
        message.step = static_cast<std::uint32_t>(std::stoul(what.substr(5)));
      }
      found.push_back(std::move(message));
    }
  }
  // The channels are in the order of nodes and ports already.
  std::ranges::stable_sort(found, {}, &WaveMessage::time);
  for (std::size_t i = 0; i < found.size(); ++i) found[i].number = i + 1;
  return found;
}

}  // namespace annelid::waves
