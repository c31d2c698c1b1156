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

  /// Reads the network's shape from the NIC. `serve` makes the task of a call. Whether it holds():
  /// `holds`.
  Node(Registers registers, Memory memory, Serve serve, bool holds = true);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// Takes completions and calls from the NIC and resumes coroutines until none of them can
  /// continue. Then the core may sleep. An event that is raised in the meantime is not lost,
  /// because WFI does not sleep while an event is pending.
  void run();
  /// The same, for a core that does not sleep behind it: it does not say for what the node waits.
  void run_awake();
#if defined(__riscv)
  /// Calls run() and sleeps by WFI, again and again.
  [[noreturn]] void run_for_ever();
#endif

  [[nodiscard]] const Topology& topology() const { return topology_; }
  [[nodiscard]] Topology& topology() { return topology_; }
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
  /// Whether the NIC holds the sends of a plan until their time has come. Else the firmware waits
  /// with them: so it does while a call is recorded.
  [[nodiscard]] bool holds() const {
#if defined(__riscv)
    return !recording();
#else
    return holds_ && !recording();
#endif
  }
  /// Whether a transfer that is made now begins at once.
  [[nodiscard]] bool begins_at_once(Direction direction) const {
    return direction == Direction::kReceive
               ? receives_.next() != TransferTable::kNone && has_receive_place()
               : sends_.next() != TransferTable::kNone && has_send_place();
  }
  /// Gives its go to a send that is described but for its id. It must begin at once. The Transfer
  /// is made at `room`.
  void begin_described(Context& context, Address peer, std::uint32_t step, bool held, void* room);
  /// Gives its go to a described send without a Transfer, whose completion only increments a
  /// counter. Returns false if it was refused.
  [[nodiscard]] bool post_described(Context& context, bool held) {
    posted_ = true;
    Registers::memory_barrier();
    registers_.write(reg::kSendGo, kPostedId);
    return registers_.read(reg::kError) == 0 || !take_posted_error(context, held);
  }
  /// Gives its go to a described receive without a Transfer. Returns false if it was refused.
  [[nodiscard]] bool post_described_receive(Context& context) {
    posted_ = true;
    Registers::memory_barrier();
    registers_.write(reg::kRecvGo, kPostedId);
    return registers_.read(reg::kError) == 0 || !take_posted_error(context, false);
  }
  void reset_hold() const {
    registers_.write(reg::kSendTrigger, reg::kNoCounter);
    registers_.write(reg::kSendNotify, reg::kNoCounter);
  }
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
  /// Sends of one buffer in the order of their steps: the receivers in bits 23:0, the steps above.
  struct Steps {
    static constexpr std::uint32_t kShift = 24, kNode = (1U << kShift) - 1;
    const std::uint32_t *first, *end;
    std::uint32_t later;  ///< what is added to each step
  };
  /// Posts `sends`, except to `nobody`. Each step is held until the counter of `hold` has counted
  /// `hold.threshold` and all sends of earlier steps. `join` waits for those of step `last`. There
  /// must be room for all.
  void post_steps(Context& context, const Steps (&sends)[2], std::uint32_t nobody,
                  std::uint32_t last, const Message& m, const Hold& hold, CallJoin& join);
  /// Posts a receive that increments a counter. `join` waits for it, unless it is refused. There
  /// must be room for it.
  void post_receive(Context& context, const Message& m, std::uint32_t notify, CallJoin& join);
  /// Records that a coroutine waits for the join of a call from now on.
  void awaits(Context& context) {
    awaited_call_ = &context;
    announced_ = false;
  }
  void forget(Context& context);
  /// A call has begun, without a task: it ends when its join is complete.
  void await_end(Context& context);
  /// Give its go to a described send or receive without a Transfer, whose completion `join` waits
  /// for, unless it is refused.
  void join_described(Context& context, Address peer, std::uint32_t step, bool held,
                      CallJoin& join) {
    join.to = peer;
    join.send_step = step;
    join_posted(context, reg::kSendGo, held, join);
  }
  void join_described_receive(Context& context, Address peer, std::uint32_t step, CallJoin& join) {
    join.from = peer;
    join.receive_step = step;
    join.receives = true;
    join_posted(context, reg::kRecvGo, false, join);
  }
  /// The number of sends that may be posted now.
  [[nodiscard]] std::uint32_t post_room() const {
    const std::uint32_t space = registers_.read(reg::kSendSpace);
    return sends_.first_queued() == nullptr && space > kKeptPlaces ? space - kKeptPlaces : 0;
  }
  /// Whether a receive may be posted now.
  [[nodiscard]] bool has_receive_room() const {
    return receives_.first_queued() == nullptr &&
           registers_.read(reg::kRecvSpace) > TransferTable::kPlaces / 2;
  }
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
  /// Half of the places are left to sends that have an id of their own.
  static constexpr std::uint32_t kKeptPlaces = TransferTable::kPlaces / 2;
  /// The id of transfers that have none of their own.
  static constexpr std::uint32_t kPostedId = 2 * TransferTable::kPlaces;
  /// The lowest id of transfers that the join of a call waits for.
  static constexpr std::uint32_t kFirstCallId = kPostedId + 1;
  static std::uint32_t call_id(const Context& context) {
    return kFirstCallId + context.first_counter_ / Context::kCounters;
  }

  void take_events();
  void poll();
  bool take_posted_error(Context& context, bool held);
  template <Direction direction>
  void take_completion(std::uint32_t completion);
  void take_unusual_send(std::uint32_t completion);
  bool take_completion_of_call(std::uint32_t completion);
  void take_call();
  void end_call(Context& context, reg::CallResult result);
  void run_ready();
  bool check_counters();
  void clear_error() const;
  /// Whether the NIC has a place for a send for which there is an id.
  [[nodiscard]] bool has_send_place() const {
    return !posted_ || registers_.read(reg::kSendSpace) != 0;
  }
  [[nodiscard]] bool has_receive_place() const {
    return !posted_ || registers_.read(reg::kRecvSpace) != 0;
  }
  [[nodiscard]] bool has_place(Direction direction) const {
    return direction == Direction::kReceive ? !receives_.full() && has_receive_place()
                                            : !sends_.full() && has_send_place();
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
  void write_send(const Message& message, const SendOptions& options, std::uint32_t id) const;
  void write_receive(const Message& message, const ReceiveOptions& options, std::uint32_t id) const;
  void take_error(Transfer& transfer, bool held);
  [[nodiscard]] bool find_refusal(std::uint32_t id, bool held);
  void join_posted(Context& context, std::uint32_t go, bool held, CallJoin& join);
  void announce_wait();

  Registers registers_;
  [[no_unique_address]] Memory memory_;
  Topology topology_;
  std::uint32_t memory_bytes_;
  Serve serve_;
  ReadyList ready_;
  Context* idle_ = nullptr;          // the first of the calls that are not in flight
  std::uint32_t calls_ = 0;          // in flight
  Transfer* awaited_ = nullptr;      // one that a coroutine waits for
  Context* awaited_call_ = nullptr;  // one whose join a coroutine waits for
  bool holds_;
  bool announced_ = false;      // AWAIT says that one of these two is awaited
  bool await_written_ = false;  // AWAIT is not 0
  bool posted_ = false;         // there may be transfers that have a place and no id
  bool prepared_ = false;       // handles_ is valid
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

// What is rarely used holds its reset value between descriptors: so most of them need not write it.
inline void Node::write_send(const Message& m, const SendOptions& options, std::uint32_t id) const {
  if (options.block != 0 || options.port != reg::kPortByRoute) {
    registers_.write(reg::kSendBlock, options.block);
    registers_.write(reg::kSendStride, options.stride);
    registers_.write(reg::kSendPort, options.port);
  }
  registers_.write(reg::kSendTrigger, options.trigger);
  registers_.write(reg::kSendThreshold, options.threshold);
  registers_.write(reg::kSendNotify, options.notify);
  write_plain_send(m.peer.word(), m.offset, m.bytes, m.tag, m.step, id);
  registers_.write(reg::kSendTrigger, reg::kNoCounter);
  registers_.write(reg::kSendNotify, reg::kNoCounter);
  if (options.block != 0 || options.port != reg::kPortByRoute) {
    registers_.write(reg::kSendBlock, 0);
    registers_.write(reg::kSendPort, reg::kPortByRoute);
  }
}
inline void Node::write_receive(const Message& m, const ReceiveOptions& options,
                                std::uint32_t id) const {
  if (options.combine != 0) {
    registers_.write(reg::kRecvCombine, options.combine);
    registers_.write(reg::kRecvStage, options.stage);
    registers_.write(reg::kRecvOperand, options.operand);
  }
  registers_.write(reg::kRecvNotify, options.notify);
  write_plain_receive(m.peer.word(), m.offset, m.bytes, m.tag, id);
  if (options.combine != 0) registers_.write(reg::kRecvCombine, 0);
  registers_.write(reg::kRecvNotify, reg::kNoCounter);
}

inline void Node::begin_described(Context& context, Address peer, std::uint32_t step, bool held,
                                  void* room) {
  auto& transfer = *new (room) Transfer;
  const std::uint32_t id = sends_.next();
  Registers::memory_barrier();
  registers_.write(reg::kSendGo, id);
  transfer.set_plain(context, peer, step, id);
  sends_.take_next(transfer);
  if (registers_.read(reg::kError) != 0) [[unlikely]]
    take_error(transfer, held);
}

inline const Topology& Context::topology() const { return node_->topology(); }
inline Memory Context::memory() const { return node_->memory(); }
inline bool Context::may_begin() const { return of_host_ && node_->holds(); }
inline bool Context::in_memory(std::uint32_t offset, std::uint64_t bytes) const {
  return offset + bytes <= node_->memory_bytes();
}
inline bool Context::is_message(std::uint32_t offset, std::uint32_t bytes) const {
  const std::uint32_t memory = node_->memory_bytes();
  return bytes <= reg::kMaxMessageBytes && bytes <= memory && offset <= memory - bytes;
}

[[gnu::always_inline]] inline void Node::post_steps(Context& context, const Steps (&sends)[2],
                                                    std::uint32_t nobody, std::uint32_t last,
                                                    const Message& m, const Hold& hold,
                                                    CallJoin& join) {
  const Registers registers = registers_;
  const std::uint32_t id = call_id(context);
  registers.write(reg::kSendTrigger, hold.trigger);
  registers.write(reg::kSendNotify, hold.notify | reg::kSendNotifyQuietField.in(1));
  registers.write(reg::kSendOffset, m.offset);
  registers.write(reg::kSendBytes, m.bytes);
  registers.write(reg::kSendTag, m.tag);
  Registers::memory_barrier();
  std::uint32_t step = 0, threshold = hold.threshold, to = 0, outstanding = join.outstanding;
  const auto post = [&](const Steps& part) __attribute__((always_inline)) {
    const std::uint32_t later = part.later << Steps::kShift;
    const std::uint32_t *send = part.first, *const end = part.end;
    for (; step != last && send != end; ++send) {
      const std::uint32_t word = *send + later;
      if ((word & Steps::kNode) == nobody) continue;
      if (word >> Steps::kShift != step) {
        step = word >> Steps::kShift;
        registers.write(reg::kSendThreshold, threshold);
        registers.write(reg::kSendStep, m.step + step);
        if (step == last) break;
      }
      ++threshold;
      registers.write(reg::kSendDestination, word & Steps::kNode);
      registers.write(reg::kSendGo, kPostedId);
    }
    if (send == end) return;
    if (registers.read(reg::kError) != 0) [[unlikely]]
      (void)take_posted_error(context, true);
    registers.write(reg::kSendNotify, reg::kNoCounter);
    for (; send != end; ++send) {
      to = *send & Steps::kNode;
      if (to == nobody) continue;
      registers.write(reg::kSendDestination, to);
      registers.write(reg::kSendGo, id);
      ++outstanding;
      if (registers.read(reg::kError) != 0) [[unlikely]] {
        if (find_refusal(id, true)) --outstanding;
      }
    }
  };
  post(sends[0]);
  post(sends[1]);
  reset_hold();
  posted_ = true;
  context.join_ = &join;
  join.outstanding = outstanding;
  join.to = Address::from_word(to);
  join.send_step = m.step + step;
}

inline void Node::post_receive(Context& context, const Message& m, std::uint32_t notify,
                               CallJoin& join) {
  const std::uint32_t id = call_id(context);
  registers_.write(reg::kRecvNotify, notify);
  write_plain_receive(m.peer.word(), m.offset, m.bytes, m.tag, id);
  registers_.write(reg::kRecvNotify, reg::kNoCounter);
  posted_ = true;
  context.join_ = &join;
  join.from = m.peer;
  join.receive_step = m.step;
  if (registers_.read(reg::kError) != 0) [[unlikely]] {
    if (find_refusal(id, false)) return;
  }
  join.receives = true;
  ++join.outstanding;
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
