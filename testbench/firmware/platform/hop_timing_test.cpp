// What the firmware's instructions cost in a broadcast, on the modelled NICs: the firmware's own
// alpha and gamma, and a call's set-up. State space: every node of a broadcast on 8 x 8 nodes by
// each algorithm whose schedule is a tree.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "firmware/image.hpp"
#include "testbench/firmware/support/firmware_mesh.hpp"

namespace annelid {
namespace {

using firmware::TestCall;

/// Notes when the coroutine that plays a tree is entered, and, for development, how many cycles a
/// core spends in which function.
class EntryTracer : public nic::CoreTracer {
 public:
  EntryTracer(const nic::Image& image, std::string name) : image_(image), name_(std::move(name)) {}
  void retired(const nic::Retired& i) override {
    const nic::Image::Function* f = image_.find_function(i.pc);
    const bool inside = f != nullptr && f->name.find(name_) != std::string::npos;
    if (inside && !inside_ && f->address == i.pc) entries.push_back(i.cycle);
    inside_ = inside;
    if (detailed) path.push_back({i.cycle, f == nullptr ? "?" : f->name});
  }
  void trapped(Cycle, const nic::Trap&) override {}

  std::vector<Cycle> entries;
  bool detailed = false;
  std::vector<std::pair<Cycle, std::string>> path;

 private:
  const nic::Image& image_;
  std::string name_;
  bool inside_ = false;
};

struct Spread {
  std::vector<Cycle> values;
  void add(Cycle v) { values.push_back(v); }
  [[nodiscard]] Cycle most() const { return *std::max_element(values.begin(), values.end()); }
  [[nodiscard]] double mean() const {
    double sum = 0;
    for (const Cycle v : values) sum += static_cast<double>(v);
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
  }
  [[nodiscard]] Cycle least() const { return *std::min_element(values.begin(), values.end()); }
};

/// Cycles of the firmware, over all nodes of a broadcast.
struct HopTiming {
  Spread call;   ///< at the root, from the host's call to the first flit
  Spread gamma;  ///< from the cycle after a message's last flit to the coroutine that waits for it
  Spread alpha;  ///< from there to the first flit of the first message that it sends
  Spread next;   ///< from the first flit of a message to that of the next one of its step
  Spread step;   ///< from the last tail of a step's messages to the first flit of the next step
};

struct Case {
  const char* name;
  reg::Algorithm algorithm;
  bool torus;
  Cycle call;  ///< the most that a set-up shall take
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
};

nic::Image firmware_program() {
  return nic::load_elf({firmware_image().begin(), firmware_image().end()});
}
nic::NicConfig config_8x8(bool torus) {
  nic::NicConfig config;
  config.network = {{8, 8, 1}, systemc::RouterConfig{.local_ports = 4}};
  if (torus) {
    config.network.router.vcs = 2;
    config.network.router.torus = {true, true, false};
  }
  config.memory_bytes = 1 << 16;
  return config;
}

HopTiming measure(const Case& c) {
  const nic::Image image = firmware_program();
  FirmwareMesh mesh(config_8x8(c.torus), &image, "mesh");
  std::vector<EntryTracer> tracers(mesh.nodes(), EntryTracer(image, "broadcast_by_core"));
  for (std::uint32_t n = 0; n < mesh.nodes(); ++n) mesh.nics[n]->core()->set_tracer(&tracers[n]);
  // The first call finds nodes that have yet to start.
  for (std::uint32_t n = 0; n < mesh.nodes(); ++n) {
    mesh.call(n, {.operation = reg::Operation::kQueryGroup});
  }
  mesh.run();
  const char* chosen = std::getenv("ANNELID_HOP_NODE");  // whose way through the code is printed
  const auto node = chosen != nullptr ? static_cast<std::uint32_t>(std::atoi(chosen)) : 0;
  tracers[node].detailed = chosen != nullptr;
  constexpr std::uint32_t kRoot = 2;
  const TestCall call{.operation = reg::Operation::kBroadcast,
                      .algorithm = c.algorithm,
                      .root = kRoot,
                      .source = 0x1000,
                      .count = 8000,
                      .parameter = {1}};  // by the core
  // The root is called last, when all others have found their part and wait.
  for (std::uint32_t n = 0; n < mesh.nodes(); ++n) {
    if (n != kRoot) mesh.call(n, call);
  }
  mesh.fabric.run_until(mesh.fabric.now() + 10'000, [] { return false; });
  const Cycle start = mesh.fabric.now();
  mesh.call(kRoot, call);
  mesh.run();
  EXPECT_EQ(mesh.log.failures, std::vector<std::string>{});

  HopTiming timing;
  const auto records = mesh.log.records();
  for (std::uint32_t n = 0; n < mesh.nodes(); ++n) {
    Cycle received = kNever;
    std::vector<nic::MessageRecord> sends;
    for (const nic::MessageRecord& r : records) {
      if (r.info.source == n) sends.push_back(r);
      if (r.info.destination == n) received = r.received;
    }
    std::sort(sends.begin(), sends.end(),
              [](const auto& a, const auto& b) { return a.started < b.started; });
    if (n == kRoot) {
      timing.call.add(sends.at(0).started - start);
    } else {
      const auto& entries = tracers[n].entries;
      const auto entry = std::upper_bound(entries.begin(), entries.end(), received);
      if (entry == entries.end()) {
        ADD_FAILURE() << "node " << n << " does not go on";
        continue;
      }
      timing.gamma.add(*entry - received);
      if (!sends.empty()) timing.alpha.add(sends[0].started - *entry);
    }
    Cycle tail = 0;
    for (std::size_t i = 0; i < sends.size(); ++i) {
      if (i > 0 && sends[i].info.step == sends[i - 1].info.step) {
        timing.next.add(sends[i].started - sends[i - 1].started);
      } else if (i > 0) {
        timing.step.add(sends[i].started - tail);
      }
      tail = std::max(tail, sends[i].sent);
    }
  }
  std::string before;
  for (const auto& [cycle, name] : tracers[node].path) {
    if (name != before) {
      std::printf("%8llu  %s\n", static_cast<unsigned long long>(cycle), name.c_str());
    }
    before = name;
  }
  return timing;
}

void print(const char* what, const Spread& s) {
  if (s.values.empty()) return;
  std::printf("  %-44s %6llu %8.1f %6llu   (%zu)\n", what,
              static_cast<unsigned long long>(s.least()), s.mean(),
              static_cast<unsigned long long>(s.most()), s.values.size());
}

class HopTimingOf : public ::testing::TestWithParam<Case> {};

TEST_P(HopTimingOf, AlphaAndGammaOfTheFirmwareAreAtMostAHundredCycles) {
  const HopTiming timing = measure(GetParam());
  std::printf("  %-44s %6s %8s %6s\n", "cycles", "least", "mean", "most");
  print("call to first flit, root", timing.call);
  print("gamma: last flit to continuation", timing.gamma);
  print("alpha: continuation to first flit", timing.alpha);
  print("first flit to that of the next message", timing.next);
  print("last tail of a step to first flit of the next", timing.step);
  EXPECT_EQ(timing.gamma.values.size(), 63U);
  EXPECT_LE(timing.gamma.most(), 100U);
  EXPECT_LE(timing.alpha.most(), 100U);
  if (!timing.next.values.empty()) {
    EXPECT_LE(timing.next.mean(), 100.0);
  }
  EXPECT_LE(timing.call.most(), GetParam().call);
}

INSTANTIATE_TEST_SUITE_P(
    Algorithms, HopTimingOf,
    ::testing::Values(Case{"Edn", reg::Algorithm::kEdn, false, 1'200},
                      Case{"EdnOnTorus", reg::Algorithm::kEdn, true, 2'000},
                      Case{"EdnOptimal", reg::Algorithm::kEdnOptimal, false, 3'600},
                      Case{"SingleLevel", reg::Algorithm::kSingleLevel, false, 2'000},
                      Case{"RecursiveDoubling", reg::Algorithm::kRecursiveDoubling, false, 2'000},
                      Case{"Dimensional", reg::Algorithm::kDimensional, false, 2'000},
                      Case{"UTorus", reg::Algorithm::kUTorus, true, 2'000},
                      Case{"CyclicDoubling", reg::Algorithm::kCyclicDoubling, true, 2'000}),
    ::testing::PrintToStringParamName());

/// As long as the instructions take, from the start of the nodes on, all called at once.
TEST(HopTiming, AShortBroadcastByEdnTakesAFewThousandCyclesFromTheNodesStart) {
  const nic::Image image = firmware_program();
  FirmwareMesh mesh(config_8x8(false), &image, "mesh");
  for (std::uint32_t n = 0; n < mesh.nodes(); ++n) {
    mesh.call(n, {.operation = reg::Operation::kBroadcast,
                  .algorithm = reg::Algorithm::kEdn,
                  .root = 2,
                  .source = 0x1000,
                  .count = 181});
  }
  mesh.run();
  std::printf("  %llu cycles\n", static_cast<unsigned long long>(mesh.fabric.now()));
  EXPECT_LE(mesh.fabric.now(), 4'800U);
  EXPECT_EQ(mesh.log.failures, std::vector<std::string>{});
}

}  // namespace
}  // namespace annelid
