// The context of one node's firmware: everything that it remembers, and its scheduler.
#pragma once

#include <coroutine>
#include <cstdint>

#include "firmware/address.hpp"
#include "firmware/platform/frame_pool.hpp"
#include "firmware/platform/registers.hpp"
#include "firmware/platform/transfer.hpp"

namespace annelid::firmware {

/// What the host asks for (docs/nic.md, section 5).
struct Call {
  reg::Operation operation{};
  reg::Algorithm algorithm{};
  Address root;
  std::uint32_t offset = 0;  // of the buffer in node memory
  std::uint32_t bytes = 0;
  std::uint32_t tag = 0;
  std::uint32_t ticket = 0;
};

/// A node holds its own coroutines and transfers, and refers to nothing else but the registers: any
/// number of nodes can live in one process. On the core it is a local variable of main.
class Node {
 public:
  explicit Node(Registers registers) : registers_(registers) {}
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// Resumes coroutines until none of them can go on; then the core may sleep. An event that is
  /// raised meanwhile is not lost: WFI does not sleep while EVENT is not 0.
  void run();

  // For collectives: `co_await send(node, message)` and `co_await receive(node, message)` below.
  [[nodiscard]] Address self() const { return Address::from_word(registers_.read(reg::kNode)); }
  [[nodiscard]] Size size() const;

  /// `const Call call = co_await node.next_call();` waits for the host. One coroutine may wait.
  [[nodiscard]] auto next_call() {
    struct Awaiter {
      Node& node;
      bool await_ready() const { return false; }
      void await_suspend(std::coroutine_handle<> waiter) const { node.call_waiter_ = waiter; }
      Call await_resume() const { return node.take_call(); }
    };
    return Awaiter{*this};
  }
  /// Tells the host that the call is finished, with this result.
  void finish_call(const Call& call, reg::CallResult result) const {
    registers_.write(reg::kCallDone,
                     reg::kCallDoneTicketField.in(call.ticket) |
                         reg::kCallDoneResultField.in(static_cast<std::uint32_t>(result)));
  }

  // For the platform.
  [[nodiscard]] const Registers& registers() const { return registers_; }
  [[nodiscard]] FramePool& frames() { return frames_; }
  [[nodiscard]] TransferTable& transfers(Transfer::Direction direction) {
    return direction == Transfer::Direction::kSend ? sends_ : receives_;
  }
  /// Says in AWAIT and AWAIT_NODE what a coroutine waits for, for reports of a stall.
  void announce_wait(reg::AwaitWhat what, std::uint32_t step, Address peer) const;
  void announce_no_wait() const { registers_.write(reg::kAwait, 0); }

 private:
  bool take_completion();
  Call take_call();

  Registers registers_;
  FramePool frames_;
  TransferTable sends_;
  TransferTable receives_;
  std::coroutine_handle<> call_waiter_;
  reg::Algorithm algorithm_{};  // of the call that runs
};

/// Queues a send; the result is awaited, or kept to be awaited later.
inline Transfer send(Node& node, const Message& message) {
  return Transfer(node, Transfer::Direction::kSend, message);
}
/// Posts a receive; the result is awaited, or kept to be awaited later.
inline Transfer receive(Node& node, const Message& message) {
  return Transfer(node, Transfer::Direction::kReceive, message);
}

}  // namespace annelid::firmware
