// The program for the core, where the host's firmware stands: on the core's model and a fake NIC.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <vector>

#include "nic/core.hpp"
#include "testbench/firmware/support/fake_bus.hpp"

namespace annelid::firmware {

class FirmwareOnCore : public NativeFirmware {
 public:
  FirmwareOnCore(const nic::Image& image, FakeBus& bus) : core_(image, 0), bus_(bus) {}

  /// Runs the core until it sleeps.
  void run() override {
    if (core_.state() == nic::Core::State::kAsleep) core_.wake(core_.time());
    const Cycle start = core_.time();
    bool go_found = false;
    for (;;) {
      const std::uint32_t pending = bus_.event() ? nic::rv32::kExternalInterrupt : 0;
      switch (core_.run(core_.time() + 1'000'000, {pending, kNever})) {
        case nic::Core::State::kRunning:
          ASSERT_LT(core_.time(), start + 100'000'000) << "pc " << core_.pc();
          break;
        case nic::Core::State::kAsleep:
          last_run_ = core_.time() - start;
          return;
        case nic::Core::State::kBus:
          if (!go_found && is_go(core_.access())) {
            first_go_ = core_.time() - start;
            go_found = true;
          }
          access(core_.access());
          break;
        default:
          FAIL() << "pc " << core_.pc() << ", trap cause " << core_.trap().cause;
      }
    }
  }
  /// Cycles from waking to sleeping, and to the first write of a go register.
  [[nodiscard]] Cycle last_run() const { return last_run_; }
  [[nodiscard]] Cycle first_go() const { return first_go_; }
  /// Instructions since the core started.
  [[nodiscard]] std::uint64_t instructions() const { return core_.instructions(); }

 private:
  static bool is_go(const nic::BusAccess& a) {
    return a.address == reg::kRegisterBase + reg::kSendGo ||
           a.address == reg::kRegisterBase + reg::kRecvGo;
  }

  void access(const nic::BusAccess& a) {
    if (a.address >= reg::kMemoryBase) return memory_access(a, a.address - reg::kMemoryBase);
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
  void memory_access(const nic::BusAccess& a, std::uint32_t offset) {
    std::uint32_t value = a.value;
    const std::span bytes(reinterpret_cast<std::byte*>(&value), a.bytes);
    if (a.store) {
      bus_.write_memory(offset, bytes);
    } else {
      value = 0;
      bus_.read_memory(offset, bytes);
    }
    core_.finish(value);
  }

  nic::Core core_;
  FakeBus& bus_;
  Cycle last_run_ = 0, first_go_ = 0;
};

}  // namespace annelid::firmware
