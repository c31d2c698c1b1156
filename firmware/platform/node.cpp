#include "firmware/platform/node.hpp"

namespace annelid::firmware {
namespace {

constexpr std::uint32_t kAllEvents = reg::kEventCall | reg::kEventCompletion | reg::kEventError;
// The least value of COMPLETION for a list or a send that has failed: one comparison finds both.
constexpr std::uint32_t kUnusualSend =
    reg::kCompletionValidField.in(1) | reg::kCompletionListField.in(1);

Topology read_topology(const Registers& registers) {
  // One after the other, so that both builds agree on the order.
  const Address self = Address::from_word(registers.read(reg::kNode));
  const auto x = static_cast<int>(registers.read(reg::kSizeX));
  const auto y = static_cast<int>(registers.read(reg::kSizeY));
  const auto z = static_cast<int>(registers.read(reg::kSizeZ));
  const std::uint32_t ports = registers.read(reg::kPorts);
  const std::uint32_t shape = registers.read(reg::kTopology);
  return {self,
          {x, y, z},
          reg::kTopologyRingsField.of(shape),
          reg::kTopologyDimsField.of(shape),
          ports,
          reg::kTopologyOnePortField.of(shape) != 0};
}

}  // namespace

Node::Node(Registers registers, Memory memory, Serve serve, bool holds)
    : registers_(registers),
      memory_(memory),
      topology_(read_topology(registers_)),
      memory_bytes_(registers_.read(reg::kMemoryBytes)),
      serve_(serve),
      holds_(holds),
      groups_(Group::all(topology_, memory_)) {
  for (std::uint32_t i = kCalls; i-- > 0;) {
    contexts_[i].node_ = this;
    contexts_[i].first_counter_ = i * Context::kCounters;
    contexts_[i].next_idle_ = idle_;
    idle_ = &contexts_[i];
  }
}

template <Direction direction>
inline void Node::take_completion(std::uint32_t completion) {
  Registers::memory_barrier();
  if constexpr (direction == Direction::kSend) {
    if (completion >= kUnusualSend) [[unlikely]]
      return take_unusual_send(completion);
  }
  TransferTable& places = direction == Direction::kSend ? sends_ : receives_;
  Transfer* transfer = places.release(reg::kCompletionIdField.of(completion));
  if (places.first_queued() != nullptr) [[unlikely]]
    start_queued(direction);
  if (transfer == nullptr) [[unlikely]]
    return;
  const std::uint32_t bytes =
      direction == Direction::kReceive ? registers_.read(reg::kCompletionBytes) : 0;
  if (awaited_ == transfer) awaited_ = nullptr;
  if constexpr (direction == Direction::kReceive) {
    if (reg::kCompletionFailedField.of(completion) != 0) [[unlikely]]
      return transfer->complete(0, true);
  }
  transfer->complete(bytes, false);
}

/// One that the join of a call waits for. Returns false if it waits for more, so that nobody is
/// ready.
inline bool Node::take_completion_of_call(std::uint32_t completion) {
  Registers::memory_barrier();
  const bool received = reg::kCompletionReceiveField.of(completion) != 0;
  const Direction direction = received ? Direction::kReceive : Direction::kSend;
  if (table(direction).first_queued() != nullptr) [[unlikely]]
    start_queued(direction);
  Context& context = contexts_[reg::kCompletionIdField.of(completion) - kFirstCallId];
  if (reg::kCompletionFailedField.of(completion) != 0) [[unlikely]]
    context.fail();
  CallJoin* const join = context.join_;
  if (join == nullptr) [[unlikely]]
    return false;  // it was forgotten
  if (received) {
    join->receives = false;
    announced_ = false;
  }
  if (--join->outstanding != 0) return false;
  if (awaited_call_ == &context) awaited_call_ = nullptr;
  context.join_ = nullptr;
  if (join->waiter) {
    join->waiter.resume();  // the last touch
  } else {
    end_call(context, reg::CallResult::kSuccess);
  }
  return true;
}

void Node::forget(Context& context) {
  context.join_ = nullptr;
  if (awaited_call_ == &context) awaited_call_ = nullptr;
}

/// A list has ended, or a send has failed.
[[gnu::cold]] void Node::take_unusual_send(std::uint32_t completion) {
  if (reg::kCompletionListField.of(completion) != 0) return end_list(completion);
  Transfer* transfer = sends_.release(reg::kCompletionIdField.of(completion));
  if (sends_.first_queued() != nullptr) start_queued(Direction::kSend);
  if (transfer == nullptr) return;
  if (awaited_ == transfer) awaited_ = nullptr;
  transfer->complete(0, true);
}

[[gnu::always_inline]] inline void Node::take_events() {
  for (;;) {
    const std::uint32_t completion = registers_.read(reg::kCompletion);
    if (reg::kCompletionValidField.of(completion) != 0) [[likely]] {
      if (reg::kCompletionIdField.of(completion) >= kFirstCallId &&
          reg::kCompletionListField.of(completion) == 0) {
        if (!take_completion_of_call(completion)) continue;
      } else if (reg::kCompletionReceiveField.of(completion) != 0) {
        take_completion<Direction::kReceive>(completion);
      } else {
        take_completion<Direction::kSend>(completion);
      }
      if (!ready_.empty()) run_ready();
      continue;
    }
    const std::uint32_t event = registers_.read(reg::kEvent);
    if ((event & reg::kEventCall) != 0 && idle_ != nullptr) {
      take_call();
      run_ready();
    } else if ((event & reg::kEventError) != 0) {
      (void)find_refusal(kPostedId, false);
    } else if ((event & reg::kEventCompletion) == 0) {
      if (counter_waits_ == nullptr || !check_counters()) break;
      run_ready();
    }
  }
}

[[gnu::always_inline]] inline void Node::poll() {
  take_events();
  announce_wait();
}

void Node::run() { poll(); }
void Node::run_awake() { take_events(); }

#if defined(__riscv)
void Node::run_for_ever() {
  for (;;) {
    poll();
    asm volatile("wfi" ::: "memory");
  }
}
#endif

void Node::run_ready() {
  while (Task::promise_type* ready = ready_.take()) {
    const auto handle = Task::Handle::from_promise(*ready);
    if (handle.done()) {
      end_call(ready->context, ready->result);
    } else {
      handle.resume();
    }
  }
}

void Node::take_call() {
  Context& me = *idle_;
  idle_ = me.next_idle_;
  ++calls_;
  // What nobody can take must not keep the core awake.
  if (idle_ == nullptr) registers_.write(reg::kEventEnable, kAllEvents & ~reg::kEventCall);
  me.call_.ticket = reg::kCallTicketTicketField.of(registers_.read(reg::kCallTicket));
#pragma GCC unroll 15
  for (std::uint32_t i = 0; i < reg::kCallWords; ++i) {
    me.call_.words[i] = registers_.read(reg::kCall + 4 * i);
  }
  me.failed_ = false;
  me.of_host_ = true;
  const Group* group = groups_.find(me.call_.group());
  if (group == nullptr) return end_call(me, reg::CallResult::kNoSuchGroup);
  me.group_ = group;
  const reg::CallResult result = serve_(me, me.task_);
  if (result != reg::CallResult::kSuccess) {
    end_call(me, result);
  } else if (me.task_ && me.task_->has_room()) {
    (void)me.task_->start_call();
  } else if (me.join_ != nullptr) {
    await_end(me);
  } else {
    end_call(me, reg::CallResult::kNoRoom);
  }
}

void Node::await_end(Context& context) {
  if (--context.join_->outstanding != 0) return awaits(context);
  context.join_ = nullptr;
  end_call(context, reg::CallResult::kSuccess);
}

void Node::end_call(Context& context, reg::CallResult result) {
  if (posted_ && registers_.read(reg::kError) != 0) [[unlikely]]
    (void)find_refusal(kPostedId, false);
  if (context.failed_ && result == reg::CallResult::kSuccess) {
    result = reg::CallResult::kTransferFailed;
  }
  registers_.write(reg::kCallDone,
                   reg::kCallDoneTicketField.in(context.call_.ticket) |
                       reg::kCallDoneResultField.in(static_cast<std::uint32_t>(result)));
  context.task_.reset();
  context.frames_.clear();  // of what a call without a task has had there
  // For the next call.
  const std::uint32_t counters = reg::kCounter + 4 * context.counter(0);
  for (std::uint32_t i = 0; i < Context::kCounters; ++i) registers_.write(counters + 4 * i, 0);
  if (idle_ == nullptr) registers_.write(reg::kEventEnable, kAllEvents);
  context.next_idle_ = idle_;
  idle_ = &context;
  if (--calls_ == 0 && posted_) {
    posted_ = registers_.read(reg::kSendSpace) != reg::kSendPlaces ||
              registers_.read(reg::kRecvSpace) != reg::kReceivePlaces;
  }
}

namespace {
Task end_with(Context& /*me*/, reg::CallResult result) { co_return result; }
}  // namespace

void Context::serve_again(Serve serve) {
  const bool is_call = task_->is_call();
  task_.reset();  // with the frame of the coroutine that has just suspended
  reg::CallResult result = serve(*this, task_);
  const bool has_task = task_ && task_->has_room();
  if (!has_task && join_ != nullptr) return node_->await_end(*this);
  if (result == reg::CallResult::kSuccess && !has_task) result = reg::CallResult::kNoRoom;
  if (result != reg::CallResult::kSuccess) task_.emplace(end_with(*this, result));
  if (is_call) {
    (void)task_->start_call();
  } else {
    task_->start();
  }
}

void Node::wait_for_counter(CounterWait& wait) {
  wait.next = counter_waits_;
  counter_waits_ = &wait;
}

void Node::forget(const CounterWait& wait) {
  for (CounterWait** link = &counter_waits_; *link != nullptr; link = &(*link)->next) {
    if (*link != &wait) continue;
    *link = wait.next;
    return;
  }
}

bool Node::check_counters() {
  for (CounterWait** link = &counter_waits_; *link != nullptr; link = &(*link)->next) {
    CounterWait& wait = **link;
    if (registers_.read(reg::kCounter + 4 * wait.counter) < wait.value) continue;
    *link = wait.next;
    wait.waiter.resume();  // may change the list
    return true;
  }
  return false;
}

// ---- Prepared calls ----------------------------------------------------------------------------

void Task::run_beside(Handle task) {
  const Node& node = task.promise().context.node();
  if (node.recording()) return node.recorder_->start(*node.recorder_, task);
  task.resume();
}

void Task::awaited_beside(Handle task) {
  const Node& node = task.promise().context.node();
  if (node.recording()) node.recorder_->join(*node.recorder_, task);
}

[[gnu::cold]] std::uint32_t Node::keep_list(std::uint32_t offset, std::uint32_t counts) {
  if (!prepared_) new (&handles_) HandleTable;
  prepared_ = true;
  const std::uint32_t handle = handles_.take();
  if (handle != HandleTable::kNone) {
    sends_.close();
    receives_.close();
    registers_.write(reg::kListOffset, offset);
    registers_.write(reg::kListCounts, counts);
    Registers::memory_barrier();
    registers_.write(reg::kListSet, handle);
  }
  return handle;
}

void Node::start_list(std::uint32_t handle) {
  handles_.start(handle);
  Registers::memory_barrier();
  registers_.write(reg::kListGo, handle);
}

[[gnu::cold]] void Node::end_list(std::uint32_t completion) {
  handles_.end(reg::kCompletionIdField.of(completion),
               reg::kCompletionFailedField.of(completion) != 0);
}

[[gnu::cold]] bool Node::drop_list(std::uint32_t handle) {
  registers_.write(reg::kListCounts, 0);
  registers_.write(reg::kListSet, handle);
  if (registers_.read(reg::kError) != 0 && find_refusal(handle, false)) return false;
  handles_.free(handle);
  open_tables();
  return true;
}

/// Without lists, transfers take their places at once again.
[[gnu::cold]] void Node::open_tables() {
  if (prepared_ && !handles_.empty()) return;
  sends_.open();
  receives_.open();
}

// ---- Transfers ---------------------------------------------------------------------------------

void Node::begin(Transfer& transfer) {
  TransferTable& places = table(transfer.direction_);
  if (places.first_queued() == nullptr && has_place(transfer.direction_)) {
    issue(transfer);
  } else {
    begin_later(transfer);
  }
}

/// Begins a transfer that must ask: for which there may be no place, or which is recorded.
void Node::begin_later(Transfer& transfer) {
  TransferTable& places = table(transfer.direction_);
  if (recording()) {
    recorder_->make(*recorder_, transfer);
  } else if (!places.has_queued() && may_issue(transfer.direction_)) {
    issue(transfer);
  } else {
    places.enqueue(transfer);
  }
}

/// Lists take places of which the tables know nothing. The NIC leaves some to the core, so there is
/// always a completion that lets the next transfer start.
bool Node::may_issue(Direction direction) const {
  if (!has_place(direction)) return false;
  if (!sends_.closed()) return true;
  const bool send = direction == Direction::kSend;
  return registers_.read(send ? reg::kSendSpace : reg::kRecvSpace) != 0;
}

void Node::start_queued(Direction direction) {
  TransferTable& places = table(direction);
  while (places.has_queued() && may_issue(direction)) {
    Transfer& transfer = *places.first_queued();
    places.dequeue();
    issue(transfer);
  }
}

[[gnu::cold]] void Node::forget(const Transfer& transfer) {
  if (awaited_ == &transfer) awaited_ = nullptr;
  TransferTable& places = table(transfer.direction_);
  if (transfer.id_ == Transfer::kQueued) {
    if (recording()) return recorder_->forget(*recorder_, transfer);
    places.remove(transfer);
  } else {
    places.forget(transfer.id_);
  }
}

void Node::issue(Transfer& transfer) {
  const Message& message = transfer.message_;
  const std::uint32_t id = table(transfer.direction_).take(&transfer);
  transfer.id_ = static_cast<std::uint8_t>(id);
  const bool sends = transfer.direction_ == Direction::kSend;
  const bool held = sends && transfer.special_ && transfer.send_.trigger != reg::kNoCounter;
  if (sends) {
    write_send(message, transfer.special_ ? transfer.send_ : SendOptions{}, id);
  } else {
    write_receive(message, transfer.special_ ? transfer.receive_ : ReceiveOptions{}, id);
  }
  if (registers_.read(reg::kError) != 0) [[unlikely]]
    take_error(transfer, held);
}

/// The NIC reports an error after the go of `transfer`: did it refuse that?
[[gnu::cold]] void Node::take_error(Transfer& transfer, bool held) {
  const std::uint32_t id = transfer.id_;
  if (!find_refusal(id, held)) return;
  table(transfer.direction_).release(id);
  transfer.complete(0, true);
}

void Node::post(Context& context, const Message& message, const SendOptions& options) {
  posted_ = true;
  SendOptions quiet = options;
  quiet.notify |= reg::kSendNotifyQuietField.in(1);
  write_send(message, quiet, kPostedId);
  if (registers_.read(reg::kError) != 0) {
    (void)take_posted_error(context, options.trigger != reg::kNoCounter);
  }
}

void Node::join_posted(Context& context, std::uint32_t go, bool held, CallJoin& join) {
  const std::uint32_t id = call_id(context);
  posted_ = true;
  Registers::memory_barrier();
  registers_.write(go, id);
  context.join_ = &join;
  ++join.outstanding;
  if (registers_.read(reg::kError) != 0 && find_refusal(id, held)) {
    context.fail();
    --join.outstanding;
  }
}

/// Returns whether the transfer that was posted last was refused.
[[gnu::cold]] bool Node::take_posted_error(Context& context, bool held) {
  if (!find_refusal(kPostedId, held)) return false;
  context.fail();
  return true;
}

/// Whether the error that the NIC reports is that it has refused the descriptor `id`. (Causes 5 and
/// 7 are of messages; a held send's bytes are looked at when it fires, and then it fails in the
/// completion queue.) Of a transfer without an id of its own, only the error tells that it has
/// failed: it makes the call fail whose tag it has.
[[gnu::cold]] bool Node::find_refusal(std::uint32_t id, bool held) {
  const auto cause = static_cast<reg::ErrorCause>(registers_.read(reg::kError));
  const std::uint32_t info = registers_.read(reg::kErrorInfo);
  clear_error();
  if (reg::kErrorInfoIdField.of(info) == kPostedId) {
    for (Context& context : contexts_) {
      if (context.call_.tag() == reg::kErrorInfoTagField.of(info)) context.fail();
    }
  }
  return reg::kErrorInfoIdField.of(info) == id && cause != reg::ErrorCause::kTooLong &&
         cause != reg::ErrorCause::kBadPacket && !(held && cause == reg::ErrorCause::kOverlap);
}

// Whoever runs the simulation has been told; what it was about fails, or was not ours.
void Node::clear_error() const { registers_.write(reg::kError, 0); }

void Node::announce_wait() {
  if (announced_ && (awaited_ != nullptr || awaited_call_ != nullptr)) return;
  reg::AwaitWhat what = reg::AwaitWhat::kSend;
  std::uint32_t peer = 0, step = 0, algorithm = 0;
  if (awaited_ == nullptr && awaited_call_ != nullptr) {
    const CallJoin& join = *awaited_call_->join_;
    if (join.receives) what = reg::AwaitWhat::kReceive;
    peer = (join.receives ? join.from : join.to).word();
    step = join.receives ? join.receive_step : join.send_step;
    algorithm = static_cast<std::uint32_t>(awaited_call_->call().algorithm());
  } else {
    if (awaited_ == nullptr) awaited_ = receives_.awaited();
    if (awaited_ == nullptr) awaited_ = sends_.awaited();
    if (awaited_ == nullptr) {
      if (await_written_) registers_.write(reg::kAwait, 0);
      announced_ = await_written_ = false;
      return;
    }
    if (awaited_->direction() == Direction::kReceive) what = reg::AwaitWhat::kReceive;
    peer = awaited_->message().peer.word();
    step = awaited_->message().step;
    algorithm = awaited_->algorithm();
  }
  registers_.write(reg::kAwaitNode, peer);
  registers_.write(reg::kAwait, reg::kAwaitWhatField.in(static_cast<std::uint32_t>(what)) |
                                    reg::kAwaitAlgorithmField.in(algorithm) |
                                    reg::kAwaitStepField.in(step));
  announced_ = await_written_ = true;
}

}  // namespace annelid::firmware
