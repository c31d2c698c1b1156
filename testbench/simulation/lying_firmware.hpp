// Firmware that lies: the project's own, on a bus that deceives it or the simulator.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "firmware/native.hpp"
#include "interface/registers.hpp"
#include "nic/nic.hpp"

namespace annelid::simulation {

/// Hands everything on; what lies replaces a part of it.
class Bus : public firmware::RegisterBus {
 public:
  explicit Bus(nic::Nic& nic) : nic_(nic) {}
  std::uint32_t read(std::uint32_t offset) override { return nic_.read(offset); }
  void write(std::uint32_t offset, std::uint32_t value) override { nic_.write(offset, value); }
  void read_memory(std::uint32_t offset, std::span<std::byte> to) override {
    nic_.read_memory(offset, to);
  }
  void write_memory(std::uint32_t offset, std::span<const std::byte> from) override {
    nic_.write_memory(offset, from);
  }
  /// Before and after the firmware's turn.
  virtual void begin() {}
  virtual void end() {}
  /// The firmware has no more turns.
  [[nodiscard]] virtual bool ended() const { return false; }

 protected:
  nic::Nic& nic() { return nic_; }
  /// CALL_DONE of a ticket that was read, with result 0.
  void finish(std::uint32_t ticket) { nic_.write(reg::kCallDone, ticket << 16U); }
  static bool is_ticket(std::uint32_t offset, std::uint32_t value) {
    return offset == reg::kCallTicket && value >> 31U != 0;
  }

 private:
  nic::Nic& nic_;
};

/// The project's firmware on such a bus.
class OnBus final : public firmware::NativeFirmware {
 public:
  explicit OnBus(std::unique_ptr<Bus> bus)
      : bus_(std::move(bus)), firmware_(firmware::make_native_firmware(*bus_)) {}
  void run() override {
    bus_->begin();
    if (!bus_->ended()) firmware_->run();
    bus_->end();
  }

 private:
  std::unique_ptr<Bus> bus_;
  std::unique_ptr<firmware::NativeFirmware> firmware_;
};

/// Says that a call is done when it takes it, and then plays its part.
class DoneWhenTaken final : public Bus {
 public:
  using Bus::Bus;
  std::uint32_t read(std::uint32_t offset) override {
    const std::uint32_t value = Bus::read(offset);
    if (is_ticket(offset, value)) finish(value & 0xFFFFU);
    return value;
  }
  void write(std::uint32_t offset, std::uint32_t value) override {
    if (offset != reg::kCallDone) Bus::write(offset, value);
  }
};

/// Says so as soon as it has received anything, before it has passed it on.
class DoneWhenReceived final : public Bus {
 public:
  using Bus::Bus;
  std::uint32_t read(std::uint32_t offset) override {
    const std::uint32_t value = Bus::read(offset);
    if (is_ticket(offset, value)) ticket_ = value & 0xFFFFU;
    const bool received = offset == reg::kCompletion && value >> 30U == 3;
    if (received && !done_) {
      done_ = true;
      finish(ticket_);
    }
    return value;
  }
  void write(std::uint32_t offset, std::uint32_t value) override {
    if (offset != reg::kCallDone || !done_) Bus::write(offset, value);
  }

 private:
  std::uint32_t ticket_ = 0;
  bool done_ = false;
};

/// Does something of its own just before or after CALL_DONE.
class AroundTheEnd final : public Bus {
 public:
  using Action = std::function<void(nic::Nic&)>;
  AroundTheEnd(nic::Nic& nic, Action before, Action after)
      : Bus(nic), before_(std::move(before)), after_(std::move(after)) {}
  void write(std::uint32_t offset, std::uint32_t value) override {
    if (offset == reg::kCallDone && before_) before_(nic());
    Bus::write(offset, value);
    if (offset == reg::kCallDone && after_) after_(nic());
  }

 private:
  Action before_, after_;
};

/// Does something of its own so many cycles after CALL_DONE, when its timer wakes it: once, or
/// again and again.
class LaterThanTheEnd final : public Bus {
 public:
  using Action = std::function<void(nic::Nic&)>;
  LaterThanTheEnd(nic::Nic& nic, std::uint32_t cycles, Action action, bool again = false)
      : Bus(nic), cycles_(cycles), action_(std::move(action)), again_(again) {}
  void write(std::uint32_t offset, std::uint32_t value) override {
    Bus::write(offset, value);
    if (offset == reg::kCallDone) set_timer();
  }
  void begin() override {
    if (!at_ || Bus::read(reg::kCycle) < *at_) return;
    at_.reset();
    Bus::write(reg::kTimerHigh, ~std::uint32_t{0});
    if (action_) action_(nic());
    if (again_) set_timer();
  }

 private:
  void set_timer() {
    at_ = Bus::read(reg::kCycle) + cycles_;
    Bus::write(reg::kTimer, *at_);
    Bus::write(reg::kTimerHigh, 0);
  }

  const std::uint32_t cycles_;
  const Action action_;
  const bool again_;
  std::optional<std::uint32_t> at_;
};

/// Writes other values to registers than the firmware does.
class OtherValues final : public Bus {
 public:
  using Value = std::function<std::uint32_t(std::uint32_t offset, std::uint32_t value)>;
  OtherValues(nic::Nic& nic, Value value) : Bus(nic), value_(std::move(value)) {}
  void write(std::uint32_t offset, std::uint32_t value) override {
    Bus::write(offset, value_(offset, value));
  }

 private:
  Value value_;
};

/// Knows what will come: it takes each receive for complete when it is posted, so that no message
/// waits for another. It posts them when all has been sent, and ends its call when all have come.
class SendsAhead final : public Bus {
 public:
  /// `prepare` puts what the node is going to have into its memory.
  SendsAhead(nic::Nic& nic, std::function<void(nic::Nic&)> prepare)
      : Bus(nic), prepare_(std::move(prepare)) {}
  std::uint32_t read(std::uint32_t offset) override {
    if (offset == reg::kCompletion && !invented_.empty()) {
      const std::uint32_t id = invented_.front();
      invented_.pop_front();
      return 3U << 30U | id;
    }
    std::uint32_t value = Bus::read(offset);
    if (offset == reg::kEvent && !invented_.empty()) value |= 2U;
    if (is_ticket(offset, value)) prepare_(nic());
    return value;
  }
  void write(std::uint32_t offset, std::uint32_t value) override {
    if (offset == reg::kCallDone) {
      end_ = value;
    } else if (offset >= reg::kRecvSource && offset < reg::kRecvGo) {
      descriptor_[offset] = value;
    } else if (offset == reg::kRecvGo) {
      late_.push_back(descriptor_);
      late_.back()[offset] = value;
      invented_.push_back(value);
    } else {
      Bus::write(offset, value);
    }
  }
  [[nodiscard]] bool ended() const override { return end_.has_value(); }
  void end() override {
    if (!end_) return;
    for (; !late_.empty(); late_.pop_front(), ++awaited_) {
      for (const auto& [offset, value] : late_.front()) Bus::write(offset, value);
    }
    while (awaited_ > 0 && Bus::read(reg::kCompletion) != 0) --awaited_;
    if (awaited_ > 0) return;
    Bus::write(reg::kCallDone, *end_);
    end_.reset();
  }

 private:
  std::function<void(nic::Nic&)> prepare_;
  std::map<std::uint32_t, std::uint32_t> descriptor_;  // by register
  std::deque<std::map<std::uint32_t, std::uint32_t>> late_;
  std::deque<std::uint32_t> invented_;
  int awaited_ = 0;
  std::optional<std::uint32_t> end_;
};

/// Firmware without a schedule: what a test tells a node to do, without waiting to be called.
class Scripted final : public firmware::NativeFirmware {
 public:
  struct Part {
    std::function<void(nic::Nic&)> begin;                     ///< in the first cycle
    std::function<void(nic::Nic&, int)> completed = nullptr;  ///< with each completion, from 1 on
    int completions = 0;                                      ///< after so many the call ends
  };
  Scripted(nic::Nic& nic, Part part) : nic_(nic), part_(std::move(part)) {}

  static void send(nic::Nic& nic, std::uint32_t to, std::uint32_t bytes, std::uint32_t step,
                   std::uint32_t offset = 0) {
    write(nic, {{reg::kSendDestination, to},
                {reg::kSendOffset, offset},
                {reg::kSendBytes, bytes},
                {reg::kSendTag, step},
                {reg::kSendStep, step},
                {reg::kSendGo, step}});
  }
  static void receive(nic::Nic& nic, std::uint32_t from, std::uint32_t bytes, std::uint32_t step,
                      std::uint32_t offset = 0) {
    write(nic, {{reg::kRecvSource, from},
                {reg::kRecvOffset, offset},
                {reg::kRecvBytes, bytes},
                {reg::kRecvTag, step},
                {reg::kRecvGo, step}});
  }

  void run() override {
    if (!begun_) part_.begin(nic_);
    begun_ = true;
    while (nic_.read(reg::kCompletion) != 0) {
      ++completions_;
      if (part_.completed) part_.completed(nic_, completions_);
    }
    const std::uint32_t ticket = nic_.read(reg::kCallTicket);
    if (ticket != 0) ticket_ = ticket & 0xFFFFU;
    if (!ticket_ || completions_ < part_.completions) return;
    nic_.write(reg::kCallDone, *ticket_ << 16U);
    ticket_.reset();
  }

 private:
  static void write(nic::Nic& nic,
                    std::initializer_list<std::pair<std::uint32_t, std::uint32_t>> values) {
    for (const auto& [offset, value] : values) nic.write(offset, value);
  }

  nic::Nic& nic_;
  const Part part_;
  bool begun_ = false;
  int completions_ = 0;
  std::optional<std::uint32_t> ticket_;
};

}  // namespace annelid::simulation
