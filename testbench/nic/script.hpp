// A register-level test driver: it does what it was told in the cycles that it was told.
#pragma once

#include <functional>
#include <map>
#include <ostream>
#include <vector>

#include "nic/nic.hpp"

namespace annelid::test {

using Registers = firmware::RegisterBus;
using Action = std::function<void(Registers&)>;

/// A processor that runs actions in given cycles, and `on_event` in each cycle that sees an event.
class Script : public nic::Processor {
 public:
  explicit Script(nic::Nic& nic) : nic_(nic) {}

  void at(Cycle cycle, const Action& action) { actions_[cycle].push_back(action); }
  void on_event(const Action& action) { on_event_ = action; }

  void step(Cycle now) override {
    if (const auto due = actions_.find(now); due != actions_.end()) {
      for (const Action& action : due->second) action(nic_);
      actions_.erase(due);
    }
    if (on_event_ && nic_.read(reg::kEvent) != 0) on_event_(nic_);
  }
  [[nodiscard]] Next next(Cycle now) const override {
    const auto later = actions_.upper_bound(now);
    return {later == actions_.end() ? kNever : later->first, on_event_ ? ~0U : 0U};
  }
  [[nodiscard]] std::string describe() const override { return "script"; }

 private:
  nic::Nic& nic_;
  std::map<Cycle, std::vector<Action>> actions_;
  Action on_event_;
};

struct SendOrder {
  Address to;
  std::uint32_t offset = 0, bytes = 0;
  std::uint16_t tag = 0, id = 0;
  std::uint32_t port = reg::kPortByRoute;
  std::uint32_t step = 0;
  std::uint32_t block = 0, stride = 0;
  std::uint32_t trigger = reg::kNoCounter, threshold = 0, notify = reg::kNoCounter;
  bool open = false;
};

inline void post_send(Registers& r, const SendOrder& order) {
  r.write(reg::kSendDestination, pack(order.to));
  r.write(reg::kSendOffset, order.offset);
  r.write(reg::kSendBytes, order.bytes);
  r.write(reg::kSendTag,
          reg::kSendTagTagField.in(order.tag) | reg::kSendTagOpenField.in(order.open ? 1 : 0));
  r.write(reg::kSendPort, order.port);
  r.write(reg::kSendStep, order.step);
  r.write(reg::kSendBlock, order.block);
  r.write(reg::kSendStride, order.stride);
  r.write(reg::kSendTrigger, order.trigger);
  r.write(reg::kSendThreshold, order.threshold);
  r.write(reg::kSendNotify, order.notify);
  r.write(reg::kSendGo, order.id);
}

struct ReceiveOrder {
  Address from;
  std::uint32_t offset = 0, bytes = 0;
  std::uint16_t tag = 0, id = 0;
  std::uint32_t combine = 0, stage = 0;  ///< as RECV_COMBINE, RECV_STAGE
  std::uint32_t notify = reg::kNoCounter;
  bool in_turn = false;
  std::uint32_t operand = 0;  ///< as RECV_OPERAND
  bool open = false, any_source = false, any_tag = false;
};

inline void post_receive(Registers& r, const ReceiveOrder& order) {
  r.write(reg::kRecvSource, order.any_source ? reg::kAnyNode : pack(order.from));
  r.write(reg::kRecvOffset, order.offset);
  r.write(reg::kRecvBytes, order.bytes);
  r.write(reg::kRecvTag, reg::kRecvTagTagField.in(order.tag) |
                             reg::kRecvTagInTurnField.in(order.in_turn ? 1 : 0) |
                             reg::kRecvTagOpenField.in(order.open ? 1 : 0) |
                             reg::kRecvTagAnyTagField.in(order.any_tag ? 1 : 0));
  r.write(reg::kRecvCombine, order.combine);
  r.write(reg::kRecvStage, order.stage);
  r.write(reg::kRecvOperand, order.operand);
  r.write(reg::kRecvNotify, order.notify);
  r.write(reg::kRecvGo, order.id);
}

/// A completion as the core would read it, and when.
struct Taken {
  Cycle cycle = 0;
  bool receive = false;
  std::uint16_t id = 0;
  std::uint32_t bytes = 0;
  bool failed = false;
  friend bool operator==(const Taken&, const Taken&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Taken& t) {
    return out << t.cycle << (t.receive ? " receive " : " send ") << t.id << ", " << t.bytes
               << " bytes" << (t.failed ? ", failed" : "");
  }
};

/// Takes every completion there is, in the first cycle in which it can be seen.
inline void take_completions(Script& script, std::vector<Taken>& taken) {
  script.on_event([&taken](Registers& r) {
    for (;;) {
      const std::uint32_t word = r.read(reg::kCompletion);
      if (reg::kCompletionValidField.of(word) == 0) return;
      const std::uint32_t bytes = r.read(reg::kCompletionBytes);
      taken.push_back({r.read(reg::kCycle), reg::kCompletionReceiveField.of(word) != 0,
                       static_cast<std::uint16_t>(reg::kCompletionIdField.of(word)), bytes,
                       reg::kCompletionFailedField.of(word) != 0});
    }
  });
}

}  // namespace annelid::test
