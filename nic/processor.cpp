#include "nic/processor.hpp"

#include <algorithm>
#include <cstdio>

namespace annelid {
namespace {

class CoreProcessor : public Processor {
 public:
  CoreProcessor(const Image& image, std::uint32_t hart, Bus& bus, Cycle run_ahead)
      : image_(image), core_(image, hart), bus_(bus), run_ahead_(run_ahead) {}

  // The core may be ahead of the network: its time() is the cycle of what it does next. What it
  // does outside its RAM waits for that cycle. A WFI that was run ahead of an event leaves time()
  // at the cycle after the WFI, so the later of the two is when it goes on.
  void step(Cycle now) override {
    bool go_on = core_.time() <= now;  // else it is ahead already
    for (;;) {
      switch (core_.state()) {
        case Core::State::kRunning:
          if (!go_on) return;
          go_on = false;
          core_.run(now + run_ahead_, bus_.event());
          break;
        case Core::State::kBus:
          if (core_.time() > now) return;
          if (const auto value = bus_.access(core_.access())) {
            core_.finish(*value);
          } else {
            core_.fault();
          }
          go_on = true;
          break;
        case Core::State::kAsleep:
          if (!bus_.event()) return;
          core_.wake(std::max(core_.time(), now));
          go_on = true;
          break;
        case Core::State::kTrapped:
          if (core_.time() > now) return;
          bus_.trap(core_.trap());
          return;
      }
    }
  }

  [[nodiscard]] Cycle next(Cycle now, bool event) const override {
    if (core_.state() == Core::State::kAsleep) return event ? now + 1 : kNever;
    return std::max(core_.time(), now + 1);
  }

  [[nodiscard]] std::string describe() const override {
    static constexpr const char* kStates[] = {"running", "on the bus", "asleep", "trapped"};
    char pc[16];
    std::snprintf(pc, sizeof pc, "0x%08x", core_.pc());
    return std::string("core ") + kStates[static_cast<std::size_t>(core_.state())] + " at " + pc +
           " in " + image_.function_at(core_.pc());
  }

  [[nodiscard]] std::uint64_t instructions() const override { return core_.instructions(); }

 private:
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
    if (started_ && !bus_.event()) return;
    started_ = true;
    firmware_->run();
  }
  [[nodiscard]] Cycle next(Cycle now, bool event) const override {
    return event || !started_ ? now + 1 : kNever;
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

}  // namespace annelid
