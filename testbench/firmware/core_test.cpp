// The program for the core, run on the core's model with fake NICs, beside the host build: both
// must do the same to every register, in the same order.
#include "nic/core.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "firmware/image.hpp"
#include "testbench/firmware/fake_network.hpp"
#include "testbench/firmware/plan_check.hpp"

namespace annelid::firmware {
namespace {

using reg::Algorithm;
using reg::Operation;

/// Stands where the host's firmware stands: runs the core until it sleeps.
class FirmwareOnCore : public NativeFirmware {
 public:
  FirmwareOnCore(const Image& image, FakeBus& bus) : core_(image, 0), bus_(bus) {}

  void run() override {
    if (core_.state() == Core::State::kAsleep) core_.wake(core_.time());
    const Cycle start = core_.time();
    for (;;) {
      switch (core_.run(core_.time() + 1'000'000, bus_.event())) {
        case Core::State::kAsleep:
          last_run_ = core_.time() - start;
          return;
        case Core::State::kBus:
          access(core_.access());
          break;
        default:
          FAIL() << "state " << static_cast<int>(core_.state()) << ", pc " << core_.pc()
                 << ", trap cause " << core_.trap().cause;
      }
    }
  }
  /// Cycles from waking to sleeping.
  [[nodiscard]] Cycle last_run() const { return last_run_; }

 private:
  void access(const BusAccess& a) {
    ASSERT_EQ(a.bytes, 4);
    ASSERT_GE(a.address, reg::kRegisterBase);
    ASSERT_LT(a.address, reg::kRegisterBase + reg::kRegisterBytes);
    const std::uint32_t offset = a.address - reg::kRegisterBase;
    if (a.store) {
      bus_.write(offset, a.value);
      core_.finish(0);
    } else {
      core_.finish(bus_.read(offset));
    }
  }

  Core core_;
  FakeBus& bus_;
  Cycle last_run_ = 0;
};

Image image() {
  const auto bytes = firmware_image();
  return load_elf({bytes.begin(), bytes.end()});
}

TEST(FirmwareOnCore, DoesToEveryRegisterWhatTheHostBuildDoes) {
  const Image program = image();
  const Size size{16, 16, 1};
  std::vector<std::unique_ptr<TestNode>> host, core;
  for (const Address a : nodes_of(size)) {
    host.push_back(std::make_unique<TestNode>(a, size));
    core.push_back(std::make_unique<TestNode>(a, size));
    core.back()->firmware = std::make_unique<FirmwareOnCore>(program, core.back()->bus);
  }
  for (auto* nodes : {&host, &core}) {
    for (const auto& node : *nodes) node->firmware->run();
    for (const Address root : {at(0, 0), at(5, 9), at(15, 3)}) {
      for (const auto algorithm : {Algorithm::kEdn, Algorithm::kRecursiveDoubling}) {
        for (const auto& node : *nodes) {
          node->bus.call(Operation::kBroadcast, algorithm, root, 4096, 1000, 9);
        }
        ASSERT_EQ(deliver(*nodes, size), 255);
      }
    }
  }
  for (std::size_t i = 0; i < host.size(); ++i) {
    ASSERT_EQ(core[i]->bus.results, std::vector<std::uint32_t>(6, 0));
    ASSERT_GT(core[i]->bus.accesses.size(), 60U);
    ASSERT_EQ(core[i]->bus.accesses, host[i]->bus.accesses) << "node " << i;
  }
}

/// Cycles from a call to the receive that it posts, at the node that is farthest from the root.
Cycle cycles_to_receive(const Image& program, Algorithm algorithm, int n) {
  const auto last = static_cast<std::uint8_t>(n - 1);
  FakeBus bus({last, last, 0}, {n, n, 1});
  FirmwareOnCore firmware(program, bus);
  firmware.run();
  bus.call(Operation::kBroadcast, algorithm, {0, 0, 0}, 0, 8, 0);
  firmware.run();
  EXPECT_EQ(bus.queued.size(), 1U);
  return firmware.last_run();
}

TEST(FirmwareOnCore, FindsItsPartInTimeThatGrowsWithTheLogarithmOfTheNodes) {
  const Image program = image();
  for (const auto algorithm : {Algorithm::kEdn, Algorithm::kRecursiveDoubling}) {
    const Cycle small = cycles_to_receive(program, algorithm, 16);
    const Cycle large = cycles_to_receive(program, algorithm, 256);  // twice the logarithm
    EXPECT_LT(large, 3 * small);
    EXPECT_LT(large, 5000U);
  }
}

TEST(FirmwareOnCore, GoesFromAMessageToThreeSendsInLessThanAThousandCycles) {
  const Image program = image();
  FakeBus bus({2, 7, 0}, {8, 8, 1});
  FirmwareOnCore firmware(program, bus);
  firmware.run();
  bus.call(Operation::kBroadcast, Algorithm::kEdn, {0, 0, 0}, 0, 8, 0);
  firmware.run();
  ASSERT_EQ(bus.queued.size(), 1U);
  bus.complete(bus.queued[0]);
  firmware.run();
  ASSERT_EQ(bus.queued.size(), 4U);
  EXPECT_LT(firmware.last_run(), 1000U);
}

}  // namespace
}  // namespace annelid::firmware
