// Sending and receiving in coroutines: CCL (Bala and others 1995), Section 3.1.
//
//   co_await send(me, group, rank, {offset, bytes});
//   const std::uint32_t bytes = co_await receive(me, group, rank, {offset, room});
//   co_await send_receive(me, group, to, out, from, in);
//
// Each call blocks only the coroutine that awaits it: a send until its bytes may be overwritten, a
// receive until the message is in node memory. Between two processes the messages of a call arrive
// in the order in which they were sent; messages of other processes and calls never interfere. To
// start a transfer now and await it later, keep the result, which is a Transfer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "firmware/platform/group.hpp"
#include "firmware/platform/node.hpp"
#include "firmware/platform/stop.hpp"
#include "firmware/platform/task.hpp"
#include "firmware/platform/transfer.hpp"

namespace annelid::firmware {

/// Bytes in node memory.
struct Buffer {
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
};

/// Describes a message of this call. `step` is a label for logs and reports.
inline Message message(const Context& me, Address peer, Buffer buffer, std::uint32_t step = 0) {
  return {peer, buffer.offset, buffer.bytes, me.tag(), step};
}

/// Sends to the process that has `rank` in `group`.
inline Transfer send(Context& me, const Group& group, std::uint32_t rank, Buffer buffer,
                     std::uint32_t step = 0) {
  return {me, Direction::kSend, message(me, group.address(rank), buffer, step)};
}
inline Transfer send(Context& me, const Group& group, std::uint32_t rank, Buffer buffer,
                     std::uint32_t step, const SendOptions& options) {
  return {me, message(me, group.address(rank), buffer, step), options};
}

/// Receives from the process that has `rank` in `group`. Awaiting it gives the message's length in
/// bytes.
inline Transfer receive(Context& me, const Group& group, std::uint32_t rank, Buffer room,
                        std::uint32_t step = 0) {
  return {me, Direction::kReceive, message(me, group.address(rank), room, step)};
}
inline Transfer receive(Context& me, const Group& group, std::uint32_t rank, Buffer room,
                        std::uint32_t step, const ReceiveOptions& options) {
  return {me, message(me, group.address(rank), room, step), options};
}

/// A send and a receive at once. Awaiting it waits until both are complete, and gives the length of
/// the received message in bytes.
class Exchange {
 public:
  Exchange(Context& me, const Message& out, const Message& in);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  [[nodiscard]] bool await_ready() const { return false; }
  bool await_suspend(std::coroutine_handle<> waiter);
  std::uint32_t await_resume() const { return receive_.await_resume(); }

 private:
  Join join_{};
  Transfer receive_, send_;
};

/// Sends and receives at once. The two buffers must not overlap. `to` and `from` may be the same
/// rank, also this process's own.
inline Exchange send_receive(Context& me, const Group& group, std::uint32_t to, Buffer out,
                             std::uint32_t from, Buffer in, std::uint32_t step = 0) {
  const Message sent = message(me, group.address(to), out, step);
  return {me, sent, message(me, group.address(from), in, step)};
}

/// The part of a Batch that does not depend on its size. (It is out of line to keep programs
/// small.)
class BatchOfTransfers {
 public:
  BatchOfTransfers(const BatchOfTransfers&) = delete;
  BatchOfTransfers& operator=(const BatchOfTransfers&) = delete;

  /// Adds a transfer. The parameters are those of Transfer's constructors.
  void add(Context& me, Direction direction, const Message& message) {
    new (next()) Transfer(me, direction, message);
  }
  void add(Context& me, const Message& message, const SendOptions& options) {
    new (next()) Transfer(me, message, options);
  }
  void add(Context& me, const Message& message, const ReceiveOptions& options) {
    new (next()) Transfer(me, message, options);
  }

  /// Sends the buffer to each of `count` > 0 addresses, in this order. It takes few instructions
  /// before the first send and between two sends. The batch must be empty.
  void add_sends(Context& me, const Address* to, std::uint32_t count, Buffer buffer,
                 std::uint32_t step) {
    new (room_) Transfer(me, Direction::kSend, message(me, *to, buffer, step));
    count_ = count;
    if (count > 1) add_other_sends(me, to, count, buffer, step);
  }

  /// Whether this number of transfers can be added before the batch is awaited.
  [[nodiscard]] bool has_room(std::uint32_t transfers) const { return size_ - count_ >= transfers; }

  [[nodiscard]] bool await_ready() const { return count_ == 0; }
  bool await_suspend(std::coroutine_handle<> waiter);
  void await_resume() { count_ = 0; }  // complete transfers need no destructor

 protected:
  BatchOfTransfers(std::byte* room, std::uint32_t size) : size_(size), room_(room) {}
  ~BatchOfTransfers() = default;
  void clear() {
    if (count_ != 0) destroy();
  }

 private:
  void destroy();
  Transfer* next();
  void add_other_sends(Context& me, const Address* to, std::uint32_t count, Buffer buffer,
                       std::uint32_t step);
  Transfer& transfer(std::uint32_t i) {
    return *std::launder(reinterpret_cast<Transfer*>(room_ + i * sizeof(Transfer)));
  }

  Join join_{};
  std::uint32_t count_ = 0, size_;
  std::byte* room_;
};

/// Up to N transfers that are awaited together: `Batch<4> batch; batch.add(me, ...); co_await
/// batch;` Afterwards the batch is empty again.
template <std::uint32_t N>
class Batch : public BatchOfTransfers {
 public:
  Batch() : BatchOfTransfers(room_, N) {}  // the room is not cleared
  ~Batch() { clear(); }

 private:
  alignas(Transfer) std::byte room_[N * sizeof(Transfer)];
};

/// `co_await counter_reaches(me, counter, value)` waits until the NIC's counter, from me.counter(),
/// is at least `value`. Only the completion queue wakes the core: whenever the node has taken
/// completions from the queue, it reads the counters for which coroutines wait. So the transfers
/// that bring the counter to the value must be Transfers, kept or forgotten. Posted sends have no
/// entry in the queue and do not wake the core.
class [[nodiscard]] CounterAwaiter {
 public:
  CounterAwaiter(Context& me, std::uint32_t counter, std::uint32_t value)
      : node_(me.node()), wait_{counter, value, {}, nullptr} {}
  ~CounterAwaiter() {
    if (wait_.waiter) node_.forget(wait_);
  }
  CounterAwaiter(const CounterAwaiter&) = delete;
  CounterAwaiter& operator=(const CounterAwaiter&) = delete;

  [[nodiscard]] bool await_ready() const {
    return node_.registers().read(reg::kCounter + 4 * wait_.counter) >= wait_.value;
  }
  void await_suspend(std::coroutine_handle<> waiter) {
    wait_.waiter = waiter;
    node_.wait_for_counter(wait_);
  }
  void await_resume() { wait_.waiter = nullptr; }

 private:
  Node& node_;
  CounterWait wait_;
};
inline CounterAwaiter counter_reaches(Context& me, std::uint32_t counter, std::uint32_t value) {
  return {me, counter, value};
}

}  // namespace annelid::firmware
