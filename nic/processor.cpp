#include "nic/processor.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "nic/core_costs.hpp"

namespace annelid::nic {
namespace {

class CoreProcessor : public Processor {
 public:
  CoreProcessor(const Image& image, std::uint32_t hart, Bus& bus, Cycle run_ahead)
      : image_(image), core_(image, hart), bus_(bus), run_ahead_(run_ahead) {
    core_.set_private_words(bus.private_words());
  }

  // The core may be ahead of the network: its time() is the cycle of what it does next. What it
  // does outside its RAM waits for that cycle.
  void step(Cycle now) override {
    if (core_.time() == now && core_.state() == Core::State::kRunning) run(now);
    for (;;) {
      switch (core_.state()) {
        case Core::State::kRunning:
          return;
        case Core::State::kBus:
          if (core_.time() > now) return;
          if (const auto value = bus_.access(core_.access())) {
            core_.finish(*value);
          } else {
            core_.fault();
          }
          break;
        case Core::State::kAsleep:
          // A WFI may have been run ahead: what is pending in its cycle counts.
          if (core_.time() > now || (bus_.pending() & core_.mie()) == 0) return;
          core_.wake(now);
          break;
        case Core::State::kWrite:
          if (core_.time() > now) return;
          core_.finish_write(write());
          break;
        case Core::State::kHalted:
          if (core_.time() == now) bus_.halted(core_.trap());
          return;
      }
      run(now);
    }
  }

  [[nodiscard]] Next next(Cycle now) const override {
    const bool halted = core_.state() == Core::State::kHalted && core_.time() <= now;
    if (halted) return {};
    if (core_.state() != Core::State::kAsleep) return {std::max(core_.time(), now + 1)};
    const bool timed = (core_.mie() & rv32::kTimerInterrupt) != 0;
    return {timed ? std::max({bus_.timer(), core_.time(), now + 1}) : kNever, core_.mie(),
            core_.time()};
  }

  [[nodiscard]] std::string describe() const override {
    static constexpr const char* kStates[] = {"running", "on the bus", "asleep", "halted",
                                              "writing"};
    char pc[16];
    std::snprintf(pc, sizeof pc, "0x%08x", core_.pc());
    return std::string("core ") + kStates[static_cast<std::size_t>(core_.state())] + " at " + pc +
           " in " + image_.function_at(core_.pc());
  }

  [[nodiscard]] std::uint64_t instructions() const override { return core_.instructions(); }
  [[nodiscard]] Core* core() override { return &core_; }

 private:
  /// The byte that the program sees at an address, in RAM or node memory.
  std::optional<char> byte_at(std::uint32_t address) {
    if (in_ram(address, 1)) return static_cast<char>(core_.load(address, 1));
    const auto value = bus_.access({address, 1, false, 0});
    if (!value) return std::nullopt;
    return static_cast<char>(*value);
  }
  /// Linux's write(a0, a1, a2), with Linux's results.
  std::uint32_t write() {
    constexpr int kDescriptor = 10, kAddress = 11, kBytes = 12;
    constexpr std::uint32_t kBadDescriptor = 0U - 9, kBadAddress = 0U - 14, kMost = 0x10000;
    const std::uint32_t descriptor = core_.reg(kDescriptor), from = core_.reg(kAddress);
    const std::uint32_t bytes = std::min(core_.reg(kBytes), kMost);
    if (descriptor != 1 && descriptor != 2) return kBadDescriptor;
    std::string text;
    for (std::uint32_t i = 0; i < bytes; ++i) {
      const auto byte = byte_at(from + i);
      if (!byte) return kBadAddress;
      text += *byte;
    }
    bus_.printed(static_cast<int>(descriptor), text);
    return bytes;
  }
  void run(Cycle now) {
    Core::Interrupts interrupts{std::nullopt, bus_.timer()};
    if (core_.time() == now) interrupts.pending = bus_.pending();  // mip is known in `now` only
    core_.run(now + run_ahead_, interrupts);
  }

  const Image& image_;
  Core core_;
  Bus& bus_;
  const Cycle run_ahead_;
};

class NativeProcessor : public Processor {
 public:
  NativeProcessor(std::unique_ptr<firmware::NativeFirmware> firmware, Bus& bus)
      : firmware_(std::move(firmware)), bus_(bus) {}

  void step(Cycle) override {
    if (firmware_->ended()) return;
    if (started_ && bus_.pending() == 0 && !firmware_->goes_on()) return;
    started_ = true;
    firmware_->run();
  }
  [[nodiscard]] Next next(Cycle now) const override {
    if (firmware_->ended()) return {};
    if (firmware_->goes_on() || !started_) return {now + 1};
    return {std::max(bus_.timer(), now + 1), ~std::uint32_t{0}};
  }
  [[nodiscard]] std::string describe() const override { return "native firmware, asleep"; }

 private:
  std::unique_ptr<firmware::NativeFirmware> firmware_;
  Bus& bus_;
  bool started_ = false;
};

}  // namespace

std::unique_ptr<Processor> make_core_processor(const Image& image, std::uint32_t hart, Bus& bus,
                                               Cycle run_ahead) {
  return std::make_unique<CoreProcessor>(image, hart, bus, run_ahead);
}

std::unique_ptr<Processor> make_native_processor(std::unique_ptr<firmware::NativeFirmware> firmware,
                                                 Bus& bus) {
  return std::make_unique<NativeProcessor>(std::move(firmware), bus);
}

}  // namespace annelid::nic
