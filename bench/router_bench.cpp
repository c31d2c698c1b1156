// The SystemC fabric against a plain C++ loop over the same router kernels, under uniform traffic.
#include <benchmark/benchmark.h>

#include <stdexcept>
#include <string>

#include "bench/plain_network.hpp"
#include "systemc/fabric.hpp"
#include "systemc/network.hpp"
#include "systemc/traffic.hpp"

namespace annelid {
namespace {

constexpr Cycle kWarmUp = 1000;  // to a steady state below saturation
constexpr Cycle kBatch = 100;    // cycles per iteration

NetworkConfig mesh(int size) { return {.size = {size, size, 1}}; }

/// A mesh in a fabric of its own. SystemC elaborates once per process, so all sizes are built at
/// the start, and one network serves all loads: it is drained before each benchmark.
class SystemcNetwork {
 public:
  explicit SystemcNetwork(int size)
      : name_("mesh" + std::to_string(size)),
        fabric_((name_ + "_fabric").c_str()),
        network_(name_.c_str(), fabric_, mesh(size)),
        traffic_((name_ + "_traffic").c_str(), network_, {.load = 0}) {}

  void start(double load) {
    traffic_.set_load(0);
    if (fabric_.run_until(kNever) != RunStatus::kQuiet) throw std::runtime_error("did not drain");
    traffic_.set_load(load);
    run(kWarmUp);
  }
  void run(Cycle cycles) { fabric_.run_until(fabric_.now() + cycles); }
  [[nodiscard]] std::uint64_t flits_moved() const { return fabric_.flits_moved(); }

 private:
  std::string name_;
  Fabric fabric_;
  Network network_;
  Traffic traffic_;
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
  struct Ticker final : Clocked {
    Cycle step(Cycle now) override { return now + 1; }
  } ticker_;

  std::string name_;
  Fabric fabric_;
  Network network_;
};

struct Meshes {
  explicit Meshes(int mesh_size) : size(mesh_size), loaded(mesh_size), idle(mesh_size) {}
  int size;
  SystemcNetwork loaded;
  IdleNetwork idle;
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

}  // namespace
}  // namespace annelid

// libsystemc's own main() is not used; the symbol is needed to link.
extern "C" int sc_main(int, char**) { return 0; }

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  // Before the first run, because SystemC elaborates once per process.
  annelid::Meshes meshes[] = {annelid::Meshes(8), annelid::Meshes(16), annelid::Meshes(32)};
  for (annelid::Meshes& mesh : meshes) annelid::register_benchmarks(mesh);
  benchmark::RunSpecifiedBenchmarks();
}
