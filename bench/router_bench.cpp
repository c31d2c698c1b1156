// The SystemC fabric against a plain C++ loop over the same router kernels, under uniform traffic.
#include <benchmark/benchmark.h>

#include <array>
#include <deque>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "bench/plain_network.hpp"
#include "systemc/cosim/rtl_model.hpp"
#include "systemc/cosim/rtl_router.hpp"
#include "systemc/fabric/fabric.hpp"
#include "systemc/modules/network.hpp"
#include "testbench/lockstep/network_pair.hpp"
#include "testbench/systemc/traffic_node.hpp"

namespace annelid {
namespace {

constexpr Cycle kWarmUp = 1000;  // to a steady state below saturation
constexpr Cycle kBatch = 100;    // cycles per iteration

systemc::NetworkConfig mesh(int size) { return {.size = {size, size, 1}}; }

/// A network in a fabric of its own. SystemC elaborates once per process, so all are built at the
/// start, and one network serves all loads: it is drained before each benchmark.
class SystemcNetwork {
 public:
  SystemcNetwork(const std::string& name, const systemc::NetworkConfig& config,
                 const systemc::RouterFactory& make_router = systemc::make_native_router)
      : fabric_((name + "_fabric").c_str()),
        network_(name.c_str(), fabric_, config, make_router),
        traffic_((name + "_traffic").c_str(), network_, {.load = 0}) {}

  void start(double load) {
    traffic_.set_load(0);
    if (fabric_.run_until(kNever) != systemc::RunStatus::kQuiet)
      throw std::runtime_error("did not drain");
    traffic_.set_load(load);
    run(kWarmUp);
  }
  void run(Cycle cycles) { fabric_.run_until(fabric_.now() + cycles); }
  [[nodiscard]] std::uint64_t flits_moved() const { return fabric_.flits_moved(); }

 private:
  systemc::Fabric fabric_;
  systemc::Network network_;
  systemc::Traffic traffic_;
};

/// A mesh with nothing in it but one message on its way from the first node to the last, and no
/// endpoints but these two.
class OneMessage {
 public:
  explicit OneMessage(int size)
      : name_("one" + std::to_string(size)),
        fabric_((name_ + "_fabric").c_str()),
        network_(name_.c_str(), fabric_, mesh(size)),
        from_((name_ + "_from").c_str(), network_, 0),
        to_((name_ + "_to").c_str(), network_, network_.config().nodes() - 1) {}

  /// Sends one; the result is the cycles until the network is empty again.
  Cycle run() {
    if (fabric_.now() == 0) fabric_.run_until(1);
    const Cycle start = fabric_.now();
    from_.traffic.send(network_.config().address(network_.config().nodes() - 1), 0, 8);
    if (fabric_.run_until(kNever) != systemc::RunStatus::kQuiet)
      throw std::runtime_error("not quiet");
    return fabric_.now() - start;
  }
  [[nodiscard]] std::uint64_t flits_moved() const { return fabric_.flits_moved(); }

 private:
  struct Corner final : sc_core::sc_module, systemc::Clocked {
    Corner(const sc_core::sc_module_name& name, systemc::Network& network, NodeId node)
        : sc_module(name), traffic({.load = 0}, network.config(), node) {
      for (std::size_t l = 0; l < 4; ++l) {
        end[l].bind(traffic.end(static_cast<int>(l)));
        network.attach(node, static_cast<int>(l), port[l], end[l]);
      }
      traffic.connect(network.fabric(), network.fabric().add(*this));
    }
    Cycle step(Cycle now) override { return traffic.step(now, nullptr); }
    [[nodiscard]] bool ignores_time() const override { return true; }
    void end_of_elaboration() override {
      for (std::size_t l = 0; l < 4; ++l) traffic.connect(static_cast<int>(l), *port[l][0]);
    }
    std::array<sc_core::sc_port<systemc::LinkIf>, 4> port;
    std::array<sc_core::sc_export<systemc::LinkIf>, 4> end;
    systemc::TrafficNode traffic;
  };

  std::string name_;
  systemc::Fabric fabric_;
  systemc::Network network_;
  Corner from_, to_;
};

/// A mesh without traffic, whose time a component keeps from being skipped.
class IdleNetwork {
 public:
  explicit IdleNetwork(int size)
      : name_("idle" + std::to_string(size)),
        fabric_((name_ + "_fabric").c_str()),
        network_(name_.c_str(), fabric_, mesh(size)) {
    fabric_.add(ticker_);
  }
  void run(Cycle cycles) { fabric_.run_until(fabric_.now() + cycles); }
  [[nodiscard]] std::uint64_t flits_moved() const { return fabric_.flits_moved(); }

 private:
  struct Ticker final : systemc::Clocked {
    Cycle step(Cycle now) override { return now + 1; }
  } ticker_;

  std::string name_;
  systemc::Fabric fabric_;
  systemc::Network network_;
};

struct Meshes {
  explicit Meshes(int mesh_size)
      : size(mesh_size), loaded("mesh" + std::to_string(size), mesh(size)), idle(size) {}
  int size;
  SystemcNetwork loaded;
  IdleNetwork idle;
};

/// Other routers than the default, on 16 x 16 nodes.
const std::pair<const char*, systemc::NetworkConfig> kVariants[] = {
    {"vcs:2", {{16, 16, 1}, {.vcs = 2}}},
    {"matrix", {{16, 16, 1}, {.arbiters = systemc::ArbiterKind::kMatrix}}},
    {"stages:4", {{16, 16, 1}, {.stages = 4}}},
    {"stages:4,links:1", {{16, 16, 1}, {.depth = 6, .stages = 4, .link_registers = 1}}},
    {"torus", {{16, 16, 1}, {.vcs = 2, .torus = {true, true, false}}}},
    {"one-port", {{16, 16, 1}, {.local_ports = 1, .kind = systemc::RouterKind::kOnePort}}},
    {"8x8x4", {{8, 8, 4}, {.local_ports = 6, .dims = 3}}},
};

// Not inlined, so that callgrind can count its instructions alone.
template <typename Network>
[[gnu::noinline]] void measure(benchmark::State& state, Network& network) {
  const std::uint64_t moved = network.flits_moved();
  Cycle cycles = 0;
  for ([[maybe_unused]] auto _ : state) {
    network.run(kBatch);
    cycles += kBatch;
  }
  const auto hops = static_cast<double>(network.flits_moved() - moved);
  state.counters["cycles/s"] =
      benchmark::Counter(static_cast<double>(cycles), benchmark::Counter::kIsRate);
  if (hops == 0) return;
  state.counters["hops/s"] = benchmark::Counter(hops, benchmark::Counter::kIsRate);
  state.counters["s/hop"] =
      benchmark::Counter(hops, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void register_benchmarks(Meshes& meshes) {
  const int size = meshes.size;
  const std::string mesh_name = std::to_string(size) + "x" + std::to_string(size);
  for (const char* load_name : {"0.02", "0.1", "0.3"}) {
    const double load = std::stod(load_name);
    const std::string suffix = mesh_name + "/load:" + load_name;
    benchmark::RegisterBenchmark(("plain/" + suffix).c_str(), [=](benchmark::State& state) {
      PlainNetwork plain(mesh(size), {.load = load});
      plain.run(kWarmUp);
      measure(state, plain);
    });
    benchmark::RegisterBenchmark(("systemc/" + suffix).c_str(), [&, load](benchmark::State& state) {
      meshes.loaded.start(load);
      measure(state, meshes.loaded);
    });
  }
  benchmark::RegisterBenchmark(("systemc/" + mesh_name + "/idle").c_str(),
                               [&](benchmark::State& state) { measure(state, meshes.idle); });
}

void register_variant(const char* name, SystemcNetwork& network) {
  benchmark::RegisterBenchmark((std::string("variant/") + name + "/load:0.05").c_str(),
                               [&](benchmark::State& state) {
                                 network.start(0.05);
                                 measure(state, network);
                               });
}

void register_one_message(OneMessage& network, int size) {
  const std::string name = std::to_string(size) + "x" + std::to_string(size);
  benchmark::RegisterBenchmark(("one_message/" + name).c_str(), [&](benchmark::State& state) {
    Cycle cycles = 0;
    for ([[maybe_unused]] auto _ : state) cycles += network.run();
    state.counters["cycles/s"] =
        benchmark::Counter(static_cast<double>(cycles), benchmark::Counter::kIsRate);
  });
}

/// 8x8 Verilated routers: alone, and in lockstep with the model.
class RtlNetworks {
 public:
  RtlNetworks()
      : alone_("rtl", mesh(8), rtl_everywhere()),
        lockstep_("lockstep", mesh(8), mesh(8), {.load = 0.1}) {}

  void run(Cycle cycles) {
    if (const std::string found = lockstep_.run(cycles); !found.empty())
      throw std::runtime_error(found);
  }
  [[nodiscard]] std::uint64_t flits_moved() const { return lockstep_.flits_moved(); }
  [[nodiscard]] SystemcNetwork& alone() { return alone_; }

 private:
  static systemc::RouterFactory rtl_everywhere() {
    std::set<NodeId> nodes;
    for (NodeId n = 0; n < mesh(8).nodes(); ++n) nodes.insert(n);
    return systemc::make_rtl_routers(nodes);
  }

  SystemcNetwork alone_;
  lockstep::NetworkPair lockstep_;
};

void register_rtl(RtlNetworks& networks) {
  benchmark::RegisterBenchmark("rtl/8x8/load:0.1", [&](benchmark::State& state) {
    networks.alone().start(0.1);
    measure(state, networks.alone());
  });
  benchmark::RegisterBenchmark("lockstep/8x8/load:0.1", [&](benchmark::State& state) {
    networks.run(kWarmUp);
    measure(state, networks);
  });
}

}  // namespace
}  // namespace annelid

// libsystemc's own main() is not used; the symbol is needed to link.
extern "C" int sc_main(int, char**) { return 0; }

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  // Before the first run, because SystemC elaborates once per process.
  annelid::Meshes meshes[] = {annelid::Meshes(8), annelid::Meshes(16), annelid::Meshes(32)};
  annelid::OneMessage small(16), great(256);
  std::deque<annelid::SystemcNetwork> variants;
  for (annelid::Meshes& mesh : meshes) annelid::register_benchmarks(mesh);
  annelid::register_one_message(small, 16);
  annelid::register_one_message(great, 256);
  for (const auto& [name, config] : annelid::kVariants) {
    variants.emplace_back("variant" + std::to_string(variants.size()), config);
    annelid::register_variant(name, variants.back());
  }
  std::optional<annelid::RtlNetworks> rtl;
  if (!annelid::systemc::rtl_configurations().empty()) annelid::register_rtl(rtl.emplace());
  benchmark::RunSpecifiedBenchmarks();
}
