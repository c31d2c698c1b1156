// One node's firmware: all of its state, and its scheduler.
#pragma once

#include <array>
#include <coroutine>
#include <cstdint>
#include <optional>

#include "firmware/platform/context.hpp"
#include "firmware/platform/group_table.hpp"
#include "firmware/platform/handle_table.hpp"
#include "firmware/platform/memory.hpp"
#include "firmware/platform/recording.hpp"
#include "firmware/platform/registers.hpp"
#include "firmware/platform/topology.hpp"
#include "firmware/platform/transfer.hpp"

namespace annelid::firmware {

/// A coroutine that waits for a counter; the node keeps a list of them.
struct CounterWait {
  std::uint32_t counter = 0, value = 0;
  std::coroutine_handle<> waiter;
  CounterWait* next = nullptr;
};

/// A node holds its own coroutines and transfers, and refers only to the hardware. So one process
/// can hold any number of nodes. On the core it is a local variable of firmware_main.
class Node {
 public:
  /// The largest number of calls in progress. Further calls stay in the mailbox.
  static constexpr std::uint32_t kCalls = 8;
  static_assert(kCalls * Context::kCounters <= reg::kCounters);

  /// Makes the task that serves the call me.call(), or returns the error of the call.
  using Serve = Context::Serve;

  /// Reads the network's shape from the NIC. `serve` makes the task of a call.
  Node(Registers registers, Memory memory, Serve serve);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// Takes completions and calls from the NIC and resumes coroutines until none of them can
  /// continue. Then the core may sleep. An event that is raised in the meantime is not lost,
  /// because WFI does not sleep while an event is pending.
  void run();
#if defined(__riscv)
  /// Calls run() and sleeps by WFI, again and again.
  [[noreturn]] void run_for_ever();
#endif

  [[nodiscard]] const Topology& topology() const { return topology_; }
  [[nodiscard]] const Registers& registers() const { return registers_; }
  [[nodiscard]] Memory memory() const { return memory_; }
  [[nodiscard]] std::uint32_t memory_bytes() const { return memory_bytes_; }
  [[nodiscard]] GroupTable& groups() { return groups_; }
  /// Returns a counter for the identifier of a group in which this process may have rank 0. Each
  /// value is given away once, used or not, so that groups that are made at the same time have
  /// different identifiers.
  std::uint32_t next_group_counter() { return group_counter_++; }

  // For prepared calls.
  /// Gives the list that a recorder has written a handle; HandleTable::kNone if all are taken.
  std::uint32_t keep_list(std::uint32_t offset, std::uint32_t counts);
  /// Whether a handle is of a list that is kept.
  [[nodiscard]] bool keeps_list(std::uint32_t handle) const {
    return prepared_ && handles_.knows(handle);
  }
  [[nodiscard]] bool list_plays(std::uint32_t handle) const {
    return (registers_.read(reg::kListPlays) & HandleTable::bit(handle)) != 0;
  }
  /// Gives the handle of a list that does not play back. Returns false if the list plays again.
  bool drop_list(std::uint32_t handle);
  /// Starts a list that is kept and does not play. LIST_SPACE must not be 0.
  void start_list(std::uint32_t handle);
  /// Whether the list that the core has started last by this handle has not ended.
  [[nodiscard]] bool list_started(std::uint32_t handle) const {
    return handles_.is_started(handle);
  }
  /// Whether a transfer of it has failed.
  [[nodiscard]] bool list_failed(std::uint32_t handle) const { return handles_.has_failed(handle); }
  /// Whether a call is being recorded: no transfer moves data.
  [[nodiscard]] bool recording() const { return sends_.closed() && recorder_ != nullptr; }
  /// Says of a call that is being recorded whether the receives that follow write fresh bytes:
  /// those that no transfer of the call has read or written before. The list then posts them
  /// without waiting for what was awaited, so that they hold up no other strand's.
  void record_fresh_receives(bool fresh) {
    if (recording()) recorder_->fresh_receives = fresh;
  }

  // For transfers and tasks.
  void begin(Transfer& transfer);
  void forget(const Transfer& transfer);
  /// Records that a coroutine waits for `transfer` from now on.
  void awaits(Transfer& transfer) {
    awaited_ = &transfer;
    announced_ = false;
  }
  /// Whether a transfer has completed that the node has not processed yet. Its coroutine could
  /// continue.
  [[nodiscard]] bool has_completion() const {
    return (registers_.read(reg::kEvent) & reg::kEventCompletion) != 0;
  }
  /// Queues a send whose completion only increments a counter. This is allowed only while
  /// post_room() is not 0: there must always be transfers in progress whose completion lets queued
  /// ones start.
  void post(Context& context, const Message& message, const SendOptions& options);
  /// The number of sends that may be posted now.
  [[nodiscard]] std::uint32_t post_room() const;
  void wait_for_counter(CounterWait& wait);
  void forget(const CounterWait& wait);
  [[nodiscard]] ReadyList& ready() { return ready_; }

  // For tests.
  [[nodiscard]] TransferTable& table(Direction direction) {
    return direction == Direction::kSend ? sends_ : receives_;
  }
  [[nodiscard]] std::uint32_t calls_in_flight() const { return calls_; }
  [[nodiscard]] bool has_idle_context() const { return idle_ != nullptr; }
  /// An idle call, for coroutines that no host has asked for.
  [[nodiscard]] Context& idle_context() { return *idle_; }

 private:
  friend class LocalCall;
  friend class Recorder;
  friend class Task;
  friend class Transfer;
  void poll();
  template <Direction direction>
  void take_completion(std::uint32_t completion);
  void take_unusual_send(std::uint32_t completion);
  void take_call();
  void end_call(Context& context, reg::CallResult result);
  void run_ready();
  bool check_counters();
  void clear_error() const;
  [[nodiscard]] bool has_place(Direction direction) const {
    if (direction == Direction::kReceive) return !receives_.full();
    return !sends_.full() && (!posted_ || registers_.read(reg::kSendSpace) != 0);
  }
  [[nodiscard]] bool may_issue(Direction direction) const;
  void begin_later(Transfer& transfer);
  void open_tables();
  void end_list(std::uint32_t completion);
  void start_queued(Direction direction);
  void issue(Transfer& transfer);
  void write_plain_send(std::uint32_t peer, std::uint32_t offset, std::uint32_t bytes,
                        std::uint32_t tag, std::uint32_t step, std::uint32_t id) const;
  void write_plain_receive(std::uint32_t peer, std::uint32_t offset, std::uint32_t bytes,
                           std::uint32_t tag, std::uint32_t id) const;
  void write_send(const Message& message, std::uint32_t id) const;
  void write_send(const Message& message, const SendOptions& options, std::uint32_t id) const;
  void write_receive(const Message& message, std::uint32_t id) const;
  void write_receive(const Message& message, const ReceiveOptions& options, std::uint32_t id) const;
  void take_error(Transfer& transfer, bool held);
  [[nodiscard]] bool find_refusal(std::uint32_t id, bool held) const;
  void announce_wait();

  Registers registers_;
  [[no_unique_address]] Memory memory_;
  Topology topology_;
  std::uint32_t memory_bytes_;
  Serve serve_;
  ReadyList ready_;
  Context* idle_ = nullptr;      // the first of the calls that are not in flight
  std::uint32_t calls_ = 0;      // in flight
  Transfer* awaited_ = nullptr;  // one that a coroutine waits for
  bool announced_ = false;       // AWAIT says that awaited_ is awaited
  bool await_written_ = false;   // AWAIT is not 0
  bool posted_ = false;          // there may be sends that have a place and no id
  bool prepared_ = false;        // handles_ is valid
  CounterWait* counter_waits_ = nullptr;
  std::uint32_t group_counter_ = 0;
  TransferTable sends_{0};
  TransferTable receives_{TransferTable::kPlaces};
  GroupTable groups_;
  union {  // once the tables were closed for the first time
    Recording* recorder_;
  };
  union {  // once a call was prepared: the start of a node does not wait for them
    HandleTable handles_;
  };
  std::array<Context, kCalls> contexts_;
};

// Inline: Transfer::start_send and start_receive call no function before the go.
inline void Node::write_plain_send(std::uint32_t peer, std::uint32_t offset, std::uint32_t bytes,
                                   std::uint32_t tag, std::uint32_t step, std::uint32_t id) const {
  registers_.write(reg::kSendDestination, peer);
  registers_.write(reg::kSendOffset, offset);
  registers_.write(reg::kSendBytes, bytes);
  registers_.write(reg::kSendTag, tag);
  registers_.write(reg::kSendStep, step);
  Registers::memory_barrier();
  registers_.write(reg::kSendGo, id);
}
inline void Node::write_plain_receive(std::uint32_t peer, std::uint32_t offset, std::uint32_t bytes,
                                      std::uint32_t tag, std::uint32_t id) const {
  registers_.write(reg::kRecvSource, peer);
  registers_.write(reg::kRecvOffset, offset);
  registers_.write(reg::kRecvBytes, bytes);
  registers_.write(reg::kRecvTag, tag);
  Registers::memory_barrier();
  registers_.write(reg::kRecvGo, id);
}

inline const Topology& Context::topology() const { return node_->topology(); }
inline Memory Context::memory() const { return node_->memory(); }
inline bool Context::in_memory(std::uint32_t offset, std::uint64_t bytes) const {
  return offset + bytes <= node_->memory_bytes();
}
inline bool Context::is_message(std::uint32_t offset, std::uint32_t bytes) const {
  const std::uint32_t memory = node_->memory_bytes();
  return bytes <= reg::kMaxMessageBytes && bytes <= memory && offset <= memory - bytes;
}

inline void Transfer::complete(std::uint32_t bytes, bool failed) {
  complete_ = true;
  bytes_ = bytes;
  if (failed) [[unlikely]]
    context_->fail();
  // The last touch: who waits may destroy this transfer.
  if (join_ != nullptr && --join_->outstanding == 0) join_->waiter.resume();
}

inline FrameArena& frames_of(Context& context) { return context.frames(); }
inline ReadyList& ready_list_of(Context& context) { return context.node().ready(); }

}  // namespace annelid::firmware
