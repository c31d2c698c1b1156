#include "simulation/results/traffic_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/version.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "systemc/network/route.hpp"

namespace annelid::simulation {
namespace {

using Json = nlohmann::ordered_json;
using traffic::OpenLoopResult;
using traffic::Samples;

/// Between routers; of an ideal network an ejection channel.
struct Busiest {
  NodeId node = 0;
  Port output = 0;
  double load = 0, mean = 0, expected = 0;
};

Busiest busiest_channel(const TrafficScenario& s, const OpenLoopResult& r,
                        const traffic::Analysis& analysis) {
  const systemc::RouterConfig& router = s.network.router;
  const auto ports = static_cast<std::size_t>(router.ports());
  Busiest b;
  std::uint64_t most = 0, sum = 0, channels = 0;
  for (NodeId n = 0; n < s.network.nodes(); ++n) {
    for (Port o = 0; o < ports; ++o) {
      const bool counts =
          s.network.ideal
              ? router.is_ejection(o)
              : router.is_external(o) && neighbour(s.network, s.network.address(n), o).exists;
      if (!counts) continue;
      const std::uint64_t flits = r.channels->outputs()[n * ports + o];
      sum += flits;
      ++channels;
      if (flits <= most) continue;
      most = flits;
      b.node = n;
      b.output = o;
    }
  }
  const auto cycles = static_cast<double>(s.phases.measure);
  b.load = static_cast<double>(most) / cycles;
  b.mean = channels == 0 ? 0 : static_cast<double>(sum) / cycles / static_cast<double>(channels);
  b.expected = analysis.rates.outputs[b.node * ports + b.output] * s.synthetic.injection.load;
  return b;
}

void add_heading(std::string& text, const TrafficScenario& s) {
  fmt::format_to(std::back_inserter(text), "{}: {}, {}\n  router      {}\n", s.name,
                 s.trace_file.empty()
                     ? std::string(name_of(s.synthetic.pattern.kind)) + " traffic"
                     : fmt::format("{} messages of {}", s.trace.size(), s.trace_file.string()),
                 describe_network(s.network), describe_router(s.network));
}

void add_latency(std::string& text, const char* name, const Samples& samples) {
  fmt::format_to(std::back_inserter(text), "  {:<9} {:>9.2f} {:>8} {:>8} {:>8} {:>8}", name,
                 samples.mean(), samples.quantile(0.5), samples.quantile(0.95),
                 samples.quantile(0.99), samples.max());
}

void add_speed(std::string& text, const Speed& speed) {
  fmt::format_to(
      std::back_inserter(text),
      "  simulated   {} cycles in {:.2f} s of CPU time: {:.3g} cycles/s, {:.3g} flit-hops/s\n",
      speed.cycles, speed.seconds,
      static_cast<double>(speed.cycles) / std::max(speed.seconds, 1e-6),
      static_cast<double>(speed.flit_hops) / std::max(speed.seconds, 1e-6));
}

constexpr const char* kLatencyTitles =
    "\n  latency        mean   median     95 %     99 %  maximum   cycles\n";

Json latency_json(const Samples& samples) {
  return {{"count", samples.count()},        {"mean", samples.mean()},
          {"median", samples.quantile(0.5)}, {"p95", samples.quantile(0.95)},
          {"p99", samples.quantile(0.99)},   {"max", samples.max()}};
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

Json channels_json(const TrafficScenario& s, const OpenLoopResult& r,
                   const traffic::Analysis& analysis) {
  const systemc::RouterConfig& router = s.network.router;
  const auto cycles = static_cast<double>(s.phases.measure);
  const double load = s.synthetic.injection.load;
  Json all = Json::array();
  const auto add = [&](NodeId n, const std::string& name, std::uint64_t flits, double rate) {
    if (flits == 0 && rate == 0) return;
    all.push_back({{"node", node_json(s, n)},
                   {"channel", name},
                   {"load", static_cast<double>(flits) / cycles},
                   {"expected", rate * load}});
  };
  const auto ports = static_cast<std::size_t>(router.ports());
  const auto locals = static_cast<std::size_t>(router.local_ports);
  for (NodeId n = 0; n < s.network.nodes(); ++n) {
    for (Port o = 0; o < ports; ++o) {
      add(n, output_channel_name(router, o), r.channels->outputs()[n * ports + o],
          analysis.rates.outputs[n * ports + o]);
    }
    for (Port l = 0; l < locals; ++l) {
      add(n, systemc::injection_channel_name(l), r.channels->injections()[n * locals + l],
          analysis.rates.injections[n * locals + l]);
    }
  }
  return all;
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
                     {"max", fill.most}});
    }
  }
  return all;
}

const char* bound_by(const traffic::Analysis& a) {
  return a.bound_by_injection  ? "injection channels"
         : a.bound_by_ejection ? "ejection channels"
                               : "channels between routers";
}

std::string verdict(const TrafficScenario& s, const OpenLoopResult& r) {
  if (!r.saturated) return "";
  if (!r.drained) {
    return fmt::format(
        "saturated: {} of {} measured packets had not arrived {} cycles after the "
        "measurement",
        r.packets - r.packets_ejected, r.packets, s.phases.drain_limit);
  }
  return "saturated: accepted less than 95 % of what was offered";
}

}  // namespace

std::string configuration_text(const TrafficScenario& s) {
  Json json = configuration(s);
  json.erase("name");
  return fmt::format("{} {}", kVersion, json.dump());
}

std::string summary(const TrafficScenario& s, const OpenLoopResult& r,
                    const traffic::Analysis& analysis, const Speed& speed) {
  std::string text;
  const auto out = std::back_inserter(text);
  const traffic::SyntheticConfig& t = s.synthetic;
  add_heading(text, s);
  fmt::format_to(out, "  traffic     {}, {} flits/cycle/node, packets of {} flits, seed {}\n",
                 name_of(t.injection.kind), t.injection.load, t.length.text(), t.seed);
  fmt::format_to(out, "  measured    {} packets, created in cycles {} to {}\n", r.packets,
                 s.phases.warm_up, s.phases.warm_up + s.phases.measure - 1);
  add_speed(text, speed);

  fmt::format_to(out, "\n  throughput  offered {:.4f}, accepted {:.4f}, least {:.4f} (node {})\n",
                 r.offered, r.accepted, r.accepted_least,
                 node_name(s.network.router, s.network.address(r.least_source)));
  fmt::format_to(out, "              at most {:.4f}, by the {}   flits/cycle/node\n",
                 analysis.ideal_throughput, bound_by(analysis));
  text += kLatencyTitles;
  add_latency(text, "total", r.packets_of_window.total_latency());
  text += "\n";
  add_latency(text, "network", r.packets_of_window.network_latency());
  fmt::format_to(out, "\n  zero load {:>9.2f}   analytic\n\n", analysis.zero_load_latency);
  fmt::format_to(out, "  hops        mean {:.3f}, expected {:.3f}\n",
                 r.packets_of_window.hops().mean(), analysis.mean_hops);
  if (r.channels) {
    const Busiest b = busiest_channel(s, r, analysis);
    fmt::format_to(out, "  channels    mean load {:.4f}, busiest {:.4f} ({} {}, expected {:.4f})\n",
                   b.mean, b.load, node_name(s.network.router, s.network.address(b.node)),
                   output_channel_name(s.network.router, b.output), b.expected);
  }
  for (int c = 0; c < traffic::kBufferClasses; ++c) {
    const auto buffer = static_cast<traffic::BufferClass>(c);
    for (Vc v = 0; v < kMaxVcs; ++v) {
      const auto& fill = r.occupancy.fill(buffer, v);
      if (fill.samples == 0) continue;
      fmt::format_to(out, "  buffers     {} VC {}: mean {:.3f} flits, most {} of {}\n",
                     name_of(buffer), v, fill.mean(), fill.most, s.network.router.depth);
    }
  }
  if (r.saturated) fmt::format_to(out, "\n  {}\n", verdict(s, r));
  return text;
}

std::string to_json(const TrafficScenario& s, const OpenLoopResult& r,
                    const traffic::Analysis& analysis) {
  Json json = {
      {"annelid", kVersion},
      {"configuration", configuration(s)},
      {"cycles", r.cycles},
      {"flit_hops", r.flit_hops},
      {"saturated", r.saturated},
      {"drained", r.drained},
      {"packets", r.packets},
      {"packets_ejected", r.packets_ejected},
      {"throughput",
       {{"offered", r.offered},
        {"accepted", r.accepted},
        {"least", r.accepted_least},
        {"least_node", node_json(s, r.least_source)},
        {"ideal", analysis.ideal_throughput},
        {"ideal_bound_by", bound_by(analysis)}}},
      {"latency",
       {{"total", latency_json(r.packets_of_window.total_latency())},
        {"network", latency_json(r.packets_of_window.network_latency())},
        {"zero_load", analysis.zero_load_latency}}},
      {"hops", {{"mean", r.packets_of_window.hops().mean()}, {"expected", analysis.mean_hops}}},
      {"occupancy", occupancy_json(s, r)}};
  if (r.channels) json["channels"] = channels_json(s, r, analysis);
  return json.dump(1) + "\n";
}

std::string summary(const TrafficScenario& s, const traffic::TraceWorkload& trace,
                    const Speed& speed) {
  std::string text;
  add_heading(text, s);
  add_speed(text, speed);
  Cycle last = 0;
  for (const auto& fate : trace.fates()) last = std::max(last, fate.arrived);
  fmt::format_to(std::back_inserter(text), "  finished    in cycle {}: {} messages arrived\n", last,
                 trace.arrived());
  text += kLatencyTitles;
  add_latency(text, "total", trace.total_latency());
  text += "\n";
  add_latency(text, "network", trace.network_latency());
  return text + "\n";
}

std::string to_json(const TrafficScenario& s, const traffic::TraceWorkload& trace) {
  Json messages = Json::array();
  Cycle last = 0;
  for (std::size_t i = 0; i < trace.trace().size(); ++i) {
    const auto& fate = trace.fates()[i];
    last = std::max(last, fate.arrived);
    messages.push_back(
        {{"id", trace.trace()[i].id}, {"created", fate.created}, {"arrived", fate.arrived}});
  }
  const Json json = {{"annelid", kVersion},
                     {"configuration", configuration(s)},
                     {"finished", last},
                     {"latency",
                      {{"total", latency_json(trace.total_latency())},
                       {"network", latency_json(trace.network_latency())}}},
                     {"messages", messages}};
  return json.dump(1) + "\n";
}

}  // namespace annelid::simulation
