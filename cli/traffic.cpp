// `annelid traffic`: synthetic traffic or a trace on a network without NICs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

#include "base/input_error.hpp"
#include "base/nearest.hpp"
#include "cli/commands.hpp"
#include "cli/key_options.hpp"
#include "cli/processes.hpp"
#include "cli/progress_line.hpp"
#include "cli/recording_options.hpp"
#include "cli/standard_output.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "simulation/traffic_run.hpp"
#include "studies/sweep/repeat.hpp"
#include "systemc/network/node_text.hpp"
#include "systemc/network/route.hpp"

namespace annelid::cli {
namespace {

using simulation::Speed;
using simulation::TrafficResult;
using simulation::TrafficScenario;
using traffic::OpenLoopResult;
using traffic::Samples;

/// The arguments of `annelid traffic`.
struct TrafficArguments {
  std::string scenario;  ///< empty: the defaults, and options
  std::vector<simulation::Override> overrides;
  simulation::RecordingOptions recordings;
  std::string packets, out;
  std::string kernel = "auto";
  int threads = 1;
  bool quiet = false;
};

CLI::App* add_options(CLI::App& program, TrafficArguments& a) {
  static const std::vector<simulation::Key> kKeys = simulation::traffic_keys();
  CLI::App* traffic = program.add_subcommand(
      "traffic", "Measures a network under synthetic traffic, or plays a trace.");
  traffic->add_option("scenario", a.scenario,
                      "Scenario file (TOML). Without one, all values come from options.");
  add_key_options(*traffic, kKeys, a.overrides);
  add_set_option(*traffic, kKeys, a.overrides);
  add_recording_options(*traffic, a.recordings);
  traffic
      ->add_option("--packets", a.packets,
                   "Writes a line for each packet: its cycles, and where it was blocked.")
      ->type_name("FILE.csv");
  traffic->add_option("--out", a.out, "Folder for result.json. Default: runs/NAME.")
      ->type_name("DIR");
  traffic
      ->add_option(
          "--kernel", a.kernel,
          "How the routers are simulated; the results are the same. planes takes 64 routers at a "
          "time, routers takes each by itself, auto takes planes where they can run. "
          "planes-baseline, planes-avx2 and planes-avx512 take the planes of one kind of "
          "processor. "
          "Default: auto.")
      ->type_name("KERNEL");
  traffic
      ->add_option("--threads", a.threads,
                   "Simulates the network in so many threads. The result is the same. "
                   "Default: 1.")
      ->type_name("N");
  traffic->add_flag("--quiet", a.quiet, "Prints nothing.");
  traffic->footer(
      "The network has sources and sinks in place of NICs. Nodes are numbered (z * size_y + y) * "
      "size_x + x. docs/reference/traffic.md defines the patterns and everything that is "
      "measured.\n"
      "\n"
      "Examples:\n"
      "  annelid traffic --size 8x8 --load 0.2\n"
      "  annelid traffic --size 16x16 --topology torus --pattern tornado --load 0.3 --vcs 4\n"
      "  annelid traffic --pattern hotspot --hotspots 27,36 --hotspot-fraction 0.1\n"
      "  annelid traffic --injection bursty --burst 200 --duty 0.2 --flits 1:0.8,9:0.2\n"
      "  annelid traffic scenarios/traffic-mesh-uniform.toml --packets packets.csv\n"
      "  annelid traffic --trace scenarios/trace-gather-scatter.csv --size 4x4\n"
      "\n"
      "Exit status: 0 if the run was measured, saturated or not; 1 for a deadlock or another "
      "failure; "
      "2 for bad input.");
  return traffic;
}

void add_heading(std::string& text, const TrafficScenario& s) {
  fmt::format_to(std::back_inserter(text), "{}: {}, {}\n  router      {}\n", s.name,
                 s.trace_file.empty() ? std::string(name_of(s.synthetic.pattern.kind)) + " traffic"
                                      : fmt::format("{} messages of {}", s.trace.size(),
                                                    one_line(s.trace_file.string())),
                 simulation::describe_network(s.network), simulation::describe_router(s.network));
}

void add_latency(std::string& text, const char* name, const Samples& samples) {
  const auto quantile = [&](double q) { return text_or_dash(samples.quantile(q), "{}"); };
  fmt::format_to(std::back_inserter(text), "  {:<9} {:>9} {:>8} {:>8} {:>8} {:>8}", name,
                 text_or_dash(samples.mean(), "{:.2f}"), quantile(0.5), quantile(0.95),
                 quantile(0.99), text_or_dash(samples.max(), "{}"));
}

void add_speed(std::string& text, const Speed& speed) {
  fmt::format_to(
      std::back_inserter(text),
      "  simulated   {} cycles in {:.2f} s of CPU time: {:.3g} cycles/s, {:.3g} flit-hops/s\n",
      speed.cycles, speed.seconds,
      static_cast<double>(speed.cycles) / std::max(speed.seconds, 1e-6),
      static_cast<double>(speed.flit_hops) / std::max(speed.seconds, 1e-6));
}

void add_exchanged(std::string& text, const TrafficResult& result) {
  if (result.slabs == 1) return;
  const Exchange::Traffic& sent = result.exchanged;
  fmt::format_to(std::back_inserter(text), "  {:<11} {}: {} exchanges, {} messages, {} bytes\n",
                 started_processes() > 1 ? "processes" : "threads", result.slabs, sent.swaps,
                 sent.messages, sent.bytes);
}

constexpr const char* kLatencyTitles =
    "\n  latency        mean   median     95 %     99 %  maximum   cycles\n";

/// Each criterion that makes the run saturated, and what the latencies leave out.
void add_verdict(std::string& text, const TrafficScenario& s,
                 const simulation::SyntheticResult& r) {
  const auto out = std::back_inserter(text);
  const traffic::Saturation& saturation = r.saturation;
  const auto& sources = saturation.short_sources;
  if (saturation.saturated()) text += "\n";
  if (!sources.empty()) {
    const traffic::Shortfall& worst = saturation.worst();
    fmt::format_to(out,
                   "  saturated: {} of {} sources are not served; {} created {} flits, of which {} "
                   "were delivered\n",
                   sources.size(), r.measured.senders,
                   node_text(s.network, s.network.address(worst.node)), worst.created,
                   worst.delivered);
  }
  if (saturation.channel) {
    fmt::format_to(out, "  saturated: channel {} is to carry {:.4f} flits/cycle\n",
                   simulation::channel_text(s.network, *saturation.channel),
                   saturation.channel_load);
  }
  if (saturation.latency) {
    fmt::format_to(out,
                   "  saturated: no steady state, the mean latency goes from {:.2f} +- {:.2f} to "
                   "{:.2f} +- {:.2f} cycles in the last two quarters\n",
                   *saturation.third_quarter.mean, *saturation.third_quarter.half_width,
                   *saturation.last_quarter.mean, *saturation.last_quarter.half_width);
  }
  if (saturation.saturated() && !saturation.channel) {
    fmt::format_to(
        out,
        "  one window can look saturated by chance; to be sure, repeat with another seed "
        "and a longer measurement: --seed {} --measure {}\n",
        s.synthetic.seed + studies::Repeat::kSeed, s.phases.measure * studies::Repeat::kLonger);
  }
  if (saturation.empty) {
    const traffic::SyntheticConfig& t = s.synthetic;
    fmt::format_to(
        out,
        "\n  empty: no packet was created in the {} cycles of the measurement, where {:.2g} "
        "were expected: no latencies, no hops, and nothing that shows whether the "
        "network carries the load; measure longer, or offer more\n",
        s.phases.measure,
        t.injection.load / t.length.mean() * static_cast<double>(s.phases.measure) *
            static_cast<double>(r.measured.senders));
  }
  if (r.measured.drained) return;
  fmt::format_to(out,
                 "\n  not drained: {} of {} measured packets had not arrived {} cycles after the "
                 "measurement; {}\n",
                 r.measured.packets - r.measured.packets_ejected, r.measured.packets,
                 s.phases.drain_limit,
                 r.measured.packets_ejected == 0 ? "so there are no latencies and hops"
                                                 : "latencies and hops are those of the others");
}

std::string synthetic_summary(const TrafficResult& result) {
  const TrafficScenario& s = result.scenario;
  const OpenLoopResult& r = result.synthetic->measured;
  const traffic::Analysis& analysis = result.synthetic->analysis;
  std::string text;
  const auto out = std::back_inserter(text);
  const traffic::SyntheticConfig& t = s.synthetic;
  add_heading(text, s);
  fmt::format_to(out, "  traffic     {}, {} flits/cycle/node, packets of {} flits, seed {}\n",
                 name_of(t.injection.kind), t.injection.load, t.length.text(), t.seed);
  fmt::format_to(out, "  measured    {} packets, created in cycles {} to {}\n", r.packets,
                 s.phases.warm_up, s.phases.warm_up + s.phases.measure - 1);
  add_speed(text, result.speed);
  add_exchanged(text, result);

  fmt::format_to(out, "\n  throughput  offered {:.4f}, accepted {:.4f} on average\n", r.offered,
                 r.accepted);
  fmt::format_to(out, "              least source {}: offered {:.4f}, accepted {:.4f}\n",
                 node_text(s.network, s.network.address(r.least_source)), r.offered_least,
                 r.accepted_least);
  fmt::format_to(out, "              at most {:.4f}, by the {}   flits/cycle/node\n",
                 analysis.ideal_throughput, simulation::bound_by(analysis));
  text += kLatencyTitles;
  add_latency(text, "total", r.packets_of_window.total_latency());
  text += "\n";
  add_latency(text, "network", r.packets_of_window.network_latency());
  fmt::format_to(out, "\n  zero load {:>9.2f}   analytic\n\n", analysis.zero_load_latency);
  fmt::format_to(out, "  hops        mean {}, expected {:.3f}\n",
                 text_or_dash(r.packets_of_window.hops().mean(), "{:.3f}"), analysis.mean_hops);
  const simulation::BusiestChannel b = busiest_channel(result);
  fmt::format_to(out, "  channels    mean load {:.4f}, busiest ", b.mean);
  if (b.any) {
    fmt::format_to(out, "{:.4f} ({} {}, expected {:.4f})\n", b.load,
                   node_text(s.network, s.network.address(b.node)),
                   output_channel_name(s.network.router, b.output), b.expected);
  } else {
    text += "-\n";
  }
  for (int c = 0; c < traffic::kBufferClasses; ++c) {
    const auto buffer = static_cast<traffic::BufferClass>(c);
    for (Vc v = 0; v < kMaxVcs; ++v) {
      const auto& fill = r.occupancy.fill(buffer, v);
      if (fill.samples == 0) continue;
      fmt::format_to(out, "  buffers     {} VC {}: ", name_of(buffer), v);
      if (fill.used != 0) {
        fmt::format_to(out, "mean {:.3f} flits, most {} of {}\n", fill.mean(), fill.most,
                       s.network.router.depth);
      } else {
        text += "never used\n";
      }
    }
  }
  add_verdict(text, s, *result.synthetic);
  return text;
}

std::string trace_summary(const TrafficResult& result) {
  const traffic::TraceWorkload& trace = *result.trace;
  std::string text;
  add_heading(text, result.scenario);
  add_speed(text, result.speed);
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

simulation::KernelChoice parse_kernel(const std::string& text) {
  constexpr auto& kNames = simulation::kKernelNames;
  const auto* const name = std::ranges::find(kNames, text);
  if (name == kNames.end()) {
    throw InputError(
        "--kernel", fmt::format("\"{}\"", text),
        fmt::format("one of {}", fmt::join(kNames, ", ")) + did_you_mean(text, kNames));
  }
  return static_cast<simulation::KernelChoice>(name - kNames.begin());
}

int run(const TrafficArguments& a) {
  const auto scenario = TrafficScenario::read(a.scenario, a.overrides);
  const simulation::TrafficOptions options{
      .recordings = a.recordings,
      .packets = a.packets,
      .folder = result_folder(a.out, scenario.name),
      .kernel = parse_kernel(a.kernel),
      .exchange = join_processes(scenario.settings, {{"the scenario", scenario.settings.file()},
                                                     {"the trace", scenario.trace_file}}),
      .threads = a.threads};
  const bool silent = a.quiet || (options.exchange != nullptr && options.exchange->process() > 0);
  ProgressLine progress(!silent);
  const TrafficResult result = simulation::run_traffic(scenario, options, progress);
  warn_of_missing(result.recorded);
  if (silent) return 0;
  put_text(result.synthetic ? synthetic_summary(result) : trace_summary(result));
  put("\n  result    {}\n", result.file.string());
  put_text(recorded_text(result.recorded));
  if (!a.packets.empty()) put("  packets   {}\n", a.packets);
  return 0;
}

}  // namespace

Command add_traffic(CLI::App& program) {
  return command<TrafficArguments>(program, add_options, run);
}

}  // namespace annelid::cli
