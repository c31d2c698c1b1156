#include "simulation/results/traffic_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/json.hpp"
#include "base/version.hpp"
#include "simulation/results/traffic_json.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "systemc/network/route.hpp"

namespace annelid::simulation {
namespace {

using Json = nlohmann::ordered_json;
using traffic::OpenLoopResult;
using traffic::Samples;

Json latency_json(const Samples& samples) {
  const auto quantile = [&](double q) { return value_or_null<Json>(samples.quantile(q)); };
  return {{"count", samples.count()}, {"mean", value_or_null<Json>(samples.mean())},
          {"median", quantile(0.5)},  {"p95", quantile(0.95)},
          {"p99", quantile(0.99)},    {"max", value_or_null<Json>(samples.max())}};
}

Json node_json(const TrafficScenario& s, NodeId node) {
  const Address at = s.network.address(node);
  Json coordinates = Json::array();
  for (int d = 0; d < s.network.dims(); ++d) coordinates.push_back(at[d]);
  return coordinates;
}

Json configuration(const TrafficScenario& s) {
  Json json = {
      {"name", s.name}, {"network", network_json(s.network)}, {"router", router_json(s.network)}};
  if (!s.trace_file.empty()) {
    json["traffic"] = {{"trace", s.trace_file.string()}, {"messages", s.trace.size()}};
    return json;
  }
  const traffic::SyntheticConfig& t = s.synthetic;
  Json traffic_json = {{"pattern", name_of(t.pattern.kind)},
                       {"load", t.injection.load},
                       {"flits", t.length.text()},
                       {"injection", name_of(t.injection.kind)}};
  if (t.injection.kind == traffic::InjectionKind::kBursty) {
    traffic_json["burst"] = t.injection.burst;
    traffic_json["duty"] = t.injection.duty;
  }
  if (t.pattern.kind == traffic::PatternKind::kHotspot) {
    traffic_json["hotspots"] = t.pattern.hotspots;
    traffic_json["hotspot_fraction"] = t.pattern.hotspot_fraction;
  }
  traffic_json["seed"] = t.seed;
  traffic_json["warm_up"] = s.phases.warm_up;
  traffic_json["measure"] = s.phases.measure;
  traffic_json["drain"] = s.phases.drain_limit;
  json["traffic"] = traffic_json;
  return json;
}

std::string channel_name(const systemc::NetworkConfig& network,
                         const traffic::BusyChannel& channel) {
  return channel.kind == traffic::BusyChannel::Kind::kInjection
             ? systemc::injection_channel_name(channel.port)
             : output_channel_name(network.router, channel.port);
}

Json occupancy_json(const TrafficScenario& s, const OpenLoopResult& r) {
  Json all = Json::array();
  for (int c = 0; c < traffic::kBufferClasses; ++c) {
    const auto buffer = static_cast<traffic::BufferClass>(c);
    for (Vc v = 0; v < kMaxVcs; ++v) {
      const auto& fill = r.occupancy.fill(buffer, v);
      if (fill.samples == 0) continue;
      all.push_back({{"buffers", name_of(buffer)},
                     {"vc", v},
                     {"depth", s.network.router.depth},
                     {"mean", fill.mean()},
                     {"max", fill.most},
                     {"used", fill.used != 0}});
    }
  }
  return all;
}

Json estimate_json(const traffic::LatencyEstimate& e) {
  return {{"mean", value_or_null<Json>(e.mean)}, {"half_width", value_or_null<Json>(e.half_width)}};
}

Json saturation_json(const TrafficScenario& s, const SyntheticResult& synthetic) {
  const traffic::Saturation& saturation = synthetic.saturation;
  const traffic::BusyChannel& busiest = synthetic.analysis.busiest;
  Json sources = Json::array();
  for (const traffic::Shortfall& source : saturation.short_sources) {
    sources.push_back({{"node", node_json(s, source.node)},
                       {"created", source.created},
                       {"delivered", source.delivered}});
  }
  return {{"by", saturated_by(saturation, " ")},
          {"short_sources", sources},
          {"tolerance", saturation.tolerance},
          {"busiest_channel",
           {{"node", node_json(s, busiest.node)},
            {"channel", channel_name(s.network, busiest)},
            {"expected", saturation.channel_load}}},
          {"latency_of_third_quarter", estimate_json(saturation.third_quarter)},
          {"latency_of_last_quarter", estimate_json(saturation.last_quarter)}};
}

/// Null without a packet: that is no evidence that the network carries the load.
Json verdict_json(const traffic::Saturation& saturation) {
  return saturation.empty && !saturation.saturated() ? Json() : Json(saturation.saturated());
}

Json synthetic_json(const TrafficScenario& s, const SyntheticResult& synthetic) {
  const OpenLoopResult& r = synthetic.measured;
  const traffic::Analysis& analysis = synthetic.analysis;
  return {{"annelid", kVersion},
          {"configuration", configuration(s)},
          {"cycles", r.cycles},
          {"flit_hops", r.flit_hops},
          {"saturated", verdict_json(synthetic.saturation)},
          {"saturation", saturation_json(s, synthetic)},
          {"drained", r.drained},
          {"packets", r.packets},
          {"packets_ejected", r.packets_ejected},
          {"throughput",
           {{"offered", r.offered},
            {"accepted", r.accepted},
            {"least", r.accepted_least},
            {"least_offered", r.offered_least},
            {"least_node", node_json(s, r.least_source)},
            {"ideal", analysis.ideal_throughput},
            {"ideal_bound_by", bound_by(analysis)}}},
          {"latency",
           {{"total", latency_json(r.packets_of_window.total_latency())},
            {"network", latency_json(r.packets_of_window.network_latency())},
            {"zero_load", analysis.zero_load_latency}}},
          {"hops",
           {{"mean", value_or_null<Json>(r.packets_of_window.hops().mean())},
            {"expected", analysis.mean_hops}}},
          {"occupancy", occupancy_json(s, r)}};
}

Json trace_json(const TrafficScenario& s, const traffic::TraceWorkload& trace) {
  Json messages = Json::array();
  Cycle last = 0;
  for (std::size_t i = 0; i < trace.trace().size(); ++i) {
    const auto& fate = trace.fates()[i];
    last = std::max(last, fate.arrived);
    messages.push_back(
        {{"id", trace.trace()[i].id}, {"created", fate.created}, {"arrived", fate.arrived}});
  }
  return {{"annelid", kVersion},
          {"configuration", configuration(s)},
          {"finished", last},
          {"latency",
           {{"total", latency_json(trace.total_latency())},
            {"network", latency_json(trace.network_latency())}}},
          {"messages", messages}};
}

/// A list of objects in the outermost object of a file, as json_text(json, 1) would write it. A
/// list with an object for each channel would take a lot of memory as a whole.
class ListOfObjects {
 public:
  ListOfObjects(std::ostream& out, const char* name) : out_(out) {
    fmt::format_to(fmt::appender(text_), ",\n \"{}\": [", name);
  }
  /// Begins an object of a node.
  void begin(const systemc::NetworkConfig& network, NodeId node) {
    fmt::format_to(fmt::appender(text_), "{}\n  {{\n   \"node\": [", any_ ? "," : "");
    const Address at = network.address(node);
    for (int d = 0; d < network.dims(); ++d) {
      fmt::format_to(fmt::appender(text_), "{}\n    {}", d > 0 ? "," : "", at[d]);
    }
    add_text("\n   ]");
    any_ = true;
  }
  void add(const char* key, const Json& value) {
    fmt::format_to(fmt::appender(text_), ",\n   \"{}\": {}", key, json_text(value));
  }
  void end() {
    add_text("\n  }");
    constexpr std::size_t kWrittenAtOnce = 1 << 16;
    if (text_.size() >= kWrittenAtOnce) flush();
  }
  void close() {
    add_text(any_ ? "\n ]" : "]");
    flush();
  }

 private:
  void add_text(std::string_view text) { text_.append(text); }
  void flush() {
    out_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
    text_.clear();
  }
  std::ostream& out_;
  fmt::memory_buffer text_;
  bool any_ = false;
};

void write_sources(std::ostream& out, const TrafficScenario& s, const OpenLoopResult& r) {
  const auto cycles = static_cast<double>(s.phases.measure);
  const auto& created = r.packets_of_window.created_flits();
  const auto& delivered = r.packets_of_window.delivered_flits();
  ListOfObjects list(out, "sources");
  for (NodeId n = 0; n < s.network.nodes(); ++n) {
    if (created[n] == 0 && delivered[n] == 0) continue;
    list.begin(s.network, n);
    list.add("offered", static_cast<double>(created[n]) / cycles);
    list.add("accepted", static_cast<double>(delivered[n]) / cycles);
    list.end();
  }
  list.close();
}

void write_channels(std::ostream& out, const TrafficScenario& s, const OpenLoopResult& r,
                    const traffic::Analysis& analysis) {
  const systemc::RouterConfig& router = s.network.router;
  const auto cycles = static_cast<double>(s.phases.measure);
  const double load = s.synthetic.injection.load;
  ListOfObjects list(out, "channels");
  const auto add = [&](NodeId n, const std::string& name, std::uint64_t flits, double rate) {
    if (flits == 0 && rate == 0) return;
    list.begin(s.network, n);
    list.add("channel", name);
    list.add("load", static_cast<double>(flits) / cycles);
    list.add("expected", rate * load);
    list.end();
  };
  const auto ports = static_cast<std::size_t>(router.ports());
  const auto locals = static_cast<std::size_t>(router.local_ports);
  for (NodeId n = 0; n < s.network.nodes(); ++n) {
    for (Port o = 0; o < ports; ++o) {
      add(n, output_channel_name(router, o), r.channels.outputs()[n * ports + o],
          analysis.rates.outputs[n * ports + o]);
    }
    for (Port l = 0; l < locals; ++l) {
      add(n, systemc::injection_channel_name(l), r.channels.injections()[n * locals + l],
          analysis.rates.injections[n * locals + l]);
    }
  }
  list.close();
}

}  // namespace

const char* bound_by(const traffic::Analysis& a) {
  using ChannelKind = traffic::BusyChannel::Kind;
  return a.busiest.kind == ChannelKind::kInjection  ? "injection channels"
         : a.busiest.kind == ChannelKind::kEjection ? "ejection channels"
                                                    : "channels between routers";
}

std::string saturated_by(const traffic::Saturation& saturation, std::string_view separator) {
  std::string text;
  const auto add = [&](bool holds, const char* name) {
    if (holds) text.append(text.empty() ? "" : separator).append(name);
  };
  add(!saturation.short_sources.empty(), "source");
  add(saturation.channel.has_value(), "channel");
  add(saturation.latency, "latency");
  return text;
}

std::string channel_text(const systemc::NetworkConfig& network,
                         const traffic::BusyChannel& channel) {
  return fmt::format("{} {}", node_name(network.router, network.address(channel.node)),
                     channel_name(network, channel));
}

BusiestChannel busiest_channel(const TrafficResult& result) {
  const TrafficScenario& s = result.scenario;
  const OpenLoopResult& r = result.synthetic->measured;
  const systemc::RouterConfig& router = s.network.router;
  const auto ports = static_cast<std::size_t>(router.ports());
  BusiestChannel b;
  std::uint64_t most = 0, sum = 0, channels = 0;  // two nodes have a channel
  for (NodeId n = 0; n < s.network.nodes(); ++n) {
    for (Port o = 0; o < ports; ++o) {
      const bool counts =
          s.network.ideal
              ? router.is_ejection(o)
              : router.is_external(o) && neighbour(s.network, s.network.address(n), o).exists;
      if (!counts) continue;
      const std::uint64_t flits = r.channels.outputs()[n * ports + o];
      sum += flits;
      ++channels;
      if (flits <= most) continue;
      most = flits;
      b.node = n;
      b.output = o;
    }
  }
  const auto cycles = static_cast<double>(s.phases.measure);
  b.mean = static_cast<double>(sum) / cycles / static_cast<double>(channels);
  if (most == 0) return b;
  b.any = true;
  b.load = static_cast<double>(most) / cycles;
  b.expected = result.synthetic->analysis.rates.outputs[b.node * ports + b.output] *
               s.synthetic.injection.load;
  return b;
}

Json configuration_json(const TrafficScenario& s) {
  Json json = configuration(s);
  json.erase("name");
  return json;
}

void write_json(std::ostream& out, const TrafficResult& r) {
  std::string text = json_text(
      r.synthetic ? synthetic_json(r.scenario, *r.synthetic) : trace_json(r.scenario, *r.trace), 1);
  text.resize(text.size() - std::string_view("\n}").size());
  out << text;
  if (r.synthetic) {
    write_sources(out, r.scenario, r.synthetic->measured);
    write_channels(out, r.scenario, r.synthetic->measured, r.synthetic->analysis);
  }
  out << fmt::format(",\n \"kernel\": {}\n}}\n", json_text(Json(r.kernel)));
}

std::string to_json(const TrafficResult& r) {
  std::ostringstream text;
  write_json(text, r);
  return std::move(text).str();
}

}  // namespace annelid::simulation
