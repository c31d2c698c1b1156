#include "timeline/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "systemc/network/route.hpp"
#include "timeline/page_assets.hpp"

namespace annelid::timeline {
namespace {

constexpr int kIsControl = 1, kHasArrived = 2, kIsNotInjected = 4;

void append_bursts(std::string& text, const Hop& hop) {
  const auto out = std::back_inserter(text);
  if (hop.bursts.size() == 1) {
    fmt::format_to(out, "{}", hop.bursts[0].flits);
    return;
  }
  Cycle end = hop.head();
  for (const Burst& b : hop.bursts) {
    if (b.first == hop.head()) {
      fmt::format_to(out, "[{}", b.flits);
    } else {
      fmt::format_to(out, ",{},{}", b.first - end, b.flits);
    }
    end = b.end();
  }
  text += ']';
}

/// The packets of a page, and their places in its list.
class Listed {
 public:
  explicit Listed(const RecordedRun& run) : run_(run), places_(run.journeys.size(), -1) {
    for (JourneyId id = 0; id < places_.size(); ++id) {
      if (run.loads && (run.stall.stops.empty() || run.journeys[id].arrived)) continue;
      places_[id] = static_cast<std::int64_t>(ids_.size());
      ids_.push_back(id);
    }
  }
  [[nodiscard]] const std::vector<JourneyId>& ids() const { return ids_; }
  [[nodiscard]] std::int64_t place(JourneyId id) const { return id == kNobody ? -1 : places_[id]; }
  [[nodiscard]] std::string packets() const;
  /// Empty if they count from 1.
  [[nodiscard]] std::vector<std::uint32_t> numbers() const;

 private:
  void append_waits(std::string& text, const Hop& hop) const;

  const RecordedRun& run_;
  std::vector<std::int64_t> places_;
  std::vector<JourneyId> ids_;
};

void Listed::append_waits(std::string& text, const Hop& hop) const {
  if (hop.waits.empty()) return;
  text += ",[";
  for (const Wait& w : hop.waits) {
    fmt::format_to(std::back_inserter(text), "{}{},{},{}", text.back() == '[' ? "" : ",",
                   static_cast<int>(w.cause), place(w.packet), w.cycles);
  }
  text += ']';
}

std::string Listed::packets() const {
  std::string text;
  const auto out = std::back_inserter(text);
  for (const JourneyId id : ids_) {
    const Journey& j = run_.journeys[id];
    fmt::format_to(out, "{}[{},{},{},{},{},{}", text.empty() ? "" : ",\n", j.from(run_.network),
                   j.to(run_.network), j.info.head.tag, j.info.step, j.info.bytes,
                   (j.info.control ? kIsControl : 0) | (j.arrived ? kHasArrived : 0) |
                       (j.hops.front().held ? kIsNotInjected : 0));
    Cycle before = run_.begin;
    for (const Hop& h : j.hops) {
      fmt::format_to(out, ",[{},{},{},{},", h.node, h.channel, h.vc, h.head() - before);
      append_bursts(text, h);
      append_waits(text, h);
      text += ']';
      before = h.head();
    }
    text += ']';
  }
  return text;
}

std::vector<std::uint32_t> Listed::numbers() const {
  std::vector<std::uint32_t> numbers;
  std::uint32_t messages = 0, control_packets = 0;
  bool counted = true;
  for (const JourneyId id : ids_) {
    const Journey& j = run_.journeys[id];
    counted &= j.number == ++(j.info.control ? control_packets : messages);
    numbers.push_back(j.number);
  }
  if (counted) numbers.clear();
  return numbers;
}

/// A letter for each part of a channel's time.
std::string letters(const std::vector<std::uint32_t>& flits, Cycle width) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::uint64_t kMost = kLetters.size() - 1;
  std::string text;
  for (const std::uint32_t n : flits) {
    text += kLetters[std::min(kMost, (n * kMost + width - 1) / width)];
  }
  return text;
}

nlohmann::ordered_json loads_json(const Loads& loads, const systemc::NetworkConfig& network) {
  nlohmann::ordered_json steps = nlohmann::ordered_json::array(), channels = steps;
  for (const auto& [step, span] : loads.steps()) {
    steps.push_back({step, span.messages, span.begin, span.end});
  }
  for (NodeId node = 0; node < network.nodes(); ++node) {
    for (unsigned c = 0; c < systemc::kChannelsPerNode; ++c) {
      const auto& flits = loads.flits(node, static_cast<systemc::ChannelId>(c));
      if (flits.empty()) continue;
      const std::uint64_t all = std::accumulate(flits.begin(), flits.end(), std::uint64_t{0});
      channels.push_back({node, c, all, letters(flits, loads.width())});
    }
  }
  return {{"begin", loads.begin()},         {"width", loads.width()},
          {"messages", loads.messages()},   {"control", loads.control_packets()},
          {"arrived", loads.arrived()},     {"steps", std::move(steps)},
          {"channels", std::move(channels)}};
}

nlohmann::ordered_json cores_json(const RecordedRun& run) {
  nlohmann::ordered_json cores = nlohmann::ordered_json::array();
  for (const std::vector<CoreSpell>& spells : run.cores) {
    nlohmann::ordered_json lengths = nlohmann::ordered_json::array();
    Cycle at = run.begin;
    for (const CoreSpell& spell : spells) {
      lengths.push_back(spell.begin - at);
      lengths.push_back(spell.end - spell.begin);
      at = spell.end;
    }
    cores.push_back(std::move(lengths));
  }
  return cores;
}

/// Puts `text` in the place of a mark that the page has once.
void fill(std::string& page, std::string_view mark, std::string_view text) {
  const std::size_t at = page.find(mark);
  if (at == std::string::npos) throw std::logic_error("page.html lost a mark");
  page.replace(at, mark.size(), text);
}

std::string escaped(std::string_view text) {
  std::string html;
  for (const char c : text) {
    if (c == '<' || c == '&' || c == '>') {
      html += c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&amp;";
    } else {
      html += c;
    }
  }
  return html;
}

}  // namespace

std::string page_data(const RecordedRun& run) {
  const systemc::NetworkConfig& network = run.network;
  const systemc::RouterConfig& router = network.router;
  nlohmann::ordered_json channels = nlohmann::ordered_json::array();
  for (unsigned c = 0; c < systemc::kFirstInjection + static_cast<unsigned>(router.local_ports);
       ++c) {
    const bool used = c < static_cast<unsigned>(router.ports()) || c >= systemc::kFirstInjection;
    channels.push_back(used ? channel_name(router, static_cast<systemc::ChannelId>(c)) : "");
  }
  nlohmann::ordered_json head = {
      {"title", run.title},
      {"network", run.network_text},
      {"size", network.size},
      {"dims", network.dims()},
      {"ring", router.torus},
      {"ideal", network.ideal},
      {"channels", channels},
      {"injection", systemc::kFirstInjection},
      {"transit",
       {{"local", transit(network, systemc::kFirstInjection)}, {"link", transit(network, kPlusX)}}},
      {"begin", run.begin},
      {"end", run.end},
  };
  const Listed listed(run);
  if (!run.names_by_tag.empty()) head["calls"] = run.names_by_tag;
  if (!run.window.is_whole()) {
    head["window"] = {run.window.begin, std::min(run.window.end, run.end - 1)};
  }
  if (const auto numbers = listed.numbers(); !numbers.empty()) head["numbers"] = numbers;
  if (!run.trees.empty()) {
    std::string trees;
    for (const JourneyId id : listed.ids()) trees += static_cast<char>('0' + run.trees[id]);
    head["trees"] = trees;
  }
  if (!run.cores.empty()) head["cores"] = cores_json(run);
  if (run.loads) head["loads"] = loads_json(*run.loads, network);
  if (!run.stall.stops.empty()) {
    nlohmann::ordered_json stops = nlohmann::ordered_json::array();
    for (const Stop& stop : run.stall.stops) {
      stops.push_back({listed.place(stop.packet), stop.node, stop.wanted});
    }
    head["stall"] = {
        {"circle", run.stall.circle}, {"since", run.stall.since}, {"stops", std::move(stops)}};
  }
  nlohmann::ordered_json waiting = nlohmann::ordered_json::array();
  for (const JourneyId id : listed.ids()) {
    const auto& wait = run.journeys[id].last_wait;
    if (!wait) continue;
    waiting.push_back({listed.place(id), wait->node, wait->wanted, wait->since,
                       static_cast<int>(wait->cause), listed.place(wait->packet)});
  }
  if (!waiting.empty()) head["waiting"] = std::move(waiting);
  std::string text = json_text(head);
  text.pop_back();
  text += ",\"packets\":[\n" + listed.packets() + "\n]}";
  // In a <script> element nothing may look like its end.
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) {
    text.replace(at, 1, "\\u003c");
  }
  return text;
}

std::string page(const RecordedRun& run) {
  std::string html(page_html());
  // From the end to the beginning: so no mark is looked for in what was filled in.
  fill(html, "@SCRIPT@", page_script());
  fill(html, "@DATA@", page_data(run));
  fill(html, "@STYLE@", page_css());
  fill(html, "@TITLE@", escaped(run.title));
  return html;
}

}  // namespace annelid::timeline
