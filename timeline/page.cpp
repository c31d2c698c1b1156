#include "timeline/page.hpp"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

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

void append_waits(std::string& text, const Hop& hop) {
  if (hop.waits.empty()) return;
  text += ",[";
  for (const Wait& w : hop.waits) {
    fmt::format_to(std::back_inserter(text), "{}{},{},{}", text.back() == '[' ? "" : ",",
                   static_cast<int>(w.cause),
                   w.packet == kNobody ? -1 : static_cast<std::int64_t>(w.packet), w.cycles);
  }
  text += ']';
}

std::string packets(const RecordedRun& run) {
  std::string text;
  const auto out = std::back_inserter(text);
  for (const Journey& j : run.journeys) {
    fmt::format_to(out, "{}[{},{},{},{},{},{}", text.empty() ? "" : ",\n", j.from(run.network),
                   j.to(run.network), j.info.head.tag, j.info.step, j.info.bytes,
                   (j.info.control ? kIsControl : 0) | (j.arrived ? kHasArrived : 0) |
                       (j.hops.front().held ? kIsNotInjected : 0));
    Cycle before = run.begin;
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
  if (!run.names_by_tag.empty()) head["calls"] = run.names_by_tag;
  if (!run.stall.stops.empty()) {
    nlohmann::ordered_json stops = nlohmann::ordered_json::array();
    for (const Stop& stop : run.stall.stops) stops.push_back({stop.packet, stop.node, stop.wanted});
    head["stall"] = {
        {"circle", run.stall.circle}, {"since", run.stall.since}, {"stops", std::move(stops)}};
  }
  nlohmann::ordered_json waiting = nlohmann::ordered_json::array();
  for (JourneyId id = 0; id < run.journeys.size(); ++id) {
    const auto& wait = run.journeys[id].last_wait;
    if (!wait) continue;
    waiting.push_back({id, wait->node, wait->wanted, wait->since, static_cast<int>(wait->cause),
                       wait->packet == kNobody ? -1 : static_cast<std::int64_t>(wait->packet)});
  }
  if (!waiting.empty()) head["waiting"] = std::move(waiting);
  std::string text = json_text(head);
  text.pop_back();
  text += ",\"packets\":[\n" + packets(run) + "\n]}";
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
