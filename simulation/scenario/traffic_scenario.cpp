#include "simulation/scenario/traffic_scenario.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "simulation/scenario/cycle_limit.hpp"
#include "simulation/scenario/network_keys.hpp"

namespace annelid::simulation {
namespace {

using Kind = Key::Kind;

constexpr std::array kTrafficKeys = {
    Key{"name", Kind::kText, "text", nullptr, nullptr,
        "Name of the scenario, which names the folder of its results.",
        "the name of the scenario file"},
    Key{"traffic.pattern", Kind::kText, "text", "--pattern", "NAME",
        "Where packets go: uniform, transpose, bit-complement, bit-reverse, shuffle, tornado, "
        "neighbour or hotspot.",
        "uniform"},
    Key{"traffic.load", Kind::kNumber, "a number, flits per node and cycle", "--load", "X",
        "Flits per cycle that each sending node offers, on average.", "0.1"},
    Key{"traffic.flits", Kind::kLengths, "flits as 8, \"2..16\", [1, 4, 9] or \"1:0.8,9:0.2\"",
        "--flits", "N",
        "Length of a packet with its head and tail: 8; a range 2..16; a list 1,4,9 of equally "
        "likely lengths; or lengths with weights, 1:0.8,9:0.2.",
        "8"},
    Key{"traffic.injection", Kind::kText, "\"bernoulli\" or \"bursty\"", "--injection", "NAME",
        "When packets are created: bernoulli or bursty.", "bernoulli"},
    Key{"traffic.burst", Kind::kNumber, "a number, cycles", "--burst", "CYCLES",
        "For bursty injection: mean length of a burst.", "100"},
    Key{"traffic.duty", Kind::kNumber, "a number", "--duty", "X",
        "For bursty injection: the share of cycles in which a node is in a burst.", "0.25"},
    Key{"traffic.hotspots", Kind::kIntegers, "numbers of nodes", "--hotspots", "NODES",
        "For the pattern hotspot: the numbers of the hot nodes, as in 27,36."},
    Key{"traffic.hotspot_fraction", Kind::kNumber, "a number", "--hotspot-fraction", "X",
        "For the pattern hotspot: share of the packets that go to a hot node.", "0.2"},
    Key{"traffic.seed", Kind::kInteger, "an integer", "--seed", "N",
        "Seed of the random numbers. Equal seeds give equal results.", "1"},
    Key{"traffic.warm_up", Kind::kInteger, "an integer, cycles", "--warm-up", "CYCLES",
        "Cycles before the measurement.", "5000"},
    Key{"traffic.measure", Kind::kInteger, "an integer, cycles", "--measure", "CYCLES",
        "Cycles of the measurement. Packets that are created in it are measured.", "10000"},
    Key{"traffic.drain", Kind::kInteger, "an integer, cycles", "--drain", "CYCLES",
        "Longest wait for the measured packets after the measurement, in cycles.", "50000"},
    Key{"traffic.trace", Kind::kText, "the path of a file", "--trace", "FILE.csv",
        "Plays the messages of a file, in place of a pattern (docs/reference/file-formats.md).", "",
        true},
    Key{"limits.cycles", Kind::kInteger, "an integer, cycles", "--cycle-limit", "N",
        "Ends a trace as failed after N cycles.", "100000000"},
};

template <typename Kinds>
auto choice(const Settings& s, const char* key, const Kinds& kinds) {
  std::vector<std::string_view> names;
  names.reserve(kinds.size());
  for (const auto kind : kinds) names.push_back(name_of(kind));
  return kinds[s.choice(key, names, 0)];
}

traffic::PatternConfig read_pattern(const Settings& s) {
  traffic::PatternConfig pattern;
  pattern.kind = choice(s, "traffic.pattern", traffic::kPatternKinds);
  for (const std::int64_t node : s.integers("traffic.hotspots")) {
    if (node < 0 || node >= systemc::kMaxNodes)
      s.refuse("traffic.hotspots", "numbers of nodes, from 0");
    pattern.hotspots.push_back(static_cast<NodeId>(node));
  }
  pattern.hotspot_fraction = s.number("traffic.hotspot_fraction", pattern.hotspot_fraction);
  return pattern;
}

traffic::PacketLength read_length(const Settings& s) {
  std::string text = "8";
  if (const Value* v = s.find("traffic.flits"); v != nullptr) {
    text = v->type == Value::Type::kText ? v->text : "";
    for (const std::int64_t n : v->type == Value::Type::kText ? std::vector<std::int64_t>{}
                                                              : s.integers("traffic.flits")) {
      text += fmt::format("{}{}", text.empty() ? "" : ",", n);
    }
  }
  std::optional<traffic::PacketLength> length;
  s.checked([&] { length.emplace(text); });
  return *length;
}

Cycle cycles(const Settings& s, const char* key, Cycle otherwise, std::int64_t least) {
  return static_cast<Cycle>(s.integer(key, static_cast<std::int64_t>(otherwise), least));
}

std::vector<traffic::TraceMessage> read_trace_file(const Settings& s,
                                                   const std::filesystem::path& file,
                                                   const systemc::NetworkConfig& network) {
  const std::string where = s.origin("traffic.trace");
  std::ifstream in = open_text(file, where);
  try {
    return traffic::read_trace(in, network.nodes());
  } catch (const traffic::TraceError& error) {
    throw InputError(
        error.line() == 0 ? file.string() : fmt::format("{}:{}", file.string(), error.line()),
        error.what());
  }
}

/// A value that another one leaves without effect is a mistake.
void refuse_idle_keys(const Settings& s, const TrafficScenario& t) {
  if (!t.trace_file.empty()) {
    for (const char* key :
         {"traffic.pattern", "traffic.load", "traffic.flits", "traffic.injection", "traffic.burst",
          "traffic.duty", "traffic.hotspots", "traffic.hotspot_fraction", "traffic.seed",
          "traffic.warm_up", "traffic.measure", "traffic.drain"}) {
      s.refuse_idle(key, "traffic.trace", "a value beside a trace, which says all messages",
                    "one of the two");
    }
    return;
  }
  s.refuse_idle("limits.cycles", "traffic.trace", "a value without a trace",
                "a trace; traffic.drain limits the wait for measured packets");
  if (t.synthetic.injection.kind != traffic::InjectionKind::kBursty) {
    for (const char* key : {"traffic.burst", "traffic.duty"})
      s.refuse_idle(key, "traffic.injection", "a value for bernoulli", "injection = \"bursty\"");
  }
  if (t.synthetic.pattern.kind != traffic::PatternKind::kHotspot) {
    for (const char* key : {"traffic.hotspots", "traffic.hotspot_fraction"}) {
      s.refuse_idle(key, "traffic.pattern",
                    fmt::format("a value for {}", name_of(t.synthetic.pattern.kind)),
                    "pattern = \"hotspot\"");
    }
  }
}

}  // namespace

std::vector<Key> traffic_keys() {
  std::vector<Key> keys(network_keys().begin(), network_keys().end());
  keys.insert(keys.end(), kTrafficKeys.begin(), kTrafficKeys.end());
  return keys;
}

TrafficScenario TrafficScenario::read(const std::filesystem::path& file,
                                      std::span<const Override> overrides) {
  return from(Settings(traffic_keys(), file, overrides));
}

TrafficScenario TrafficScenario::from(const Settings& s) {
  TrafficScenario t;
  t.settings = s;
  t.name = s.name("traffic");
  t.network = read_network(s);

  t.trace_file = s.text("traffic.trace");
  if (s.has("traffic.trace")) t.trace = read_trace_file(s, t.trace_file, t.network);
  t.cycle_limit = limit_of_cycles(s, t.cycle_limit);

  t.synthetic.pattern = read_pattern(s);
  t.synthetic.length = read_length(s);
  traffic::InjectionConfig& injection = t.synthetic.injection;
  injection.kind =
      choice(s, "traffic.injection",
             std::array{traffic::InjectionKind::kBernoulli, traffic::InjectionKind::kBursty});
  injection.load = s.number("traffic.load", injection.load);
  injection.burst = s.number("traffic.burst", injection.burst);
  injection.duty = s.number("traffic.duty", injection.duty);
  t.synthetic.seed = static_cast<std::uint64_t>(s.integer("traffic.seed", 1, 0));
  t.phases.warm_up = cycles(s, "traffic.warm_up", t.phases.warm_up, 0);
  t.phases.measure = cycles(s, "traffic.measure", t.phases.measure, 1);
  t.phases.drain_limit = cycles(s, "traffic.drain", t.phases.drain_limit, 0);
  refuse_idle_keys(s, t);
  if (t.trace_file.empty()) {
    s.checked([&] {
      const traffic::Pattern pattern(t.synthetic.pattern, t.network);
      traffic::validate(injection, t.synthetic.length.mean());
    });
  }
  return t;
}

}  // namespace annelid::simulation
