#include "firmware/platform/recorder.hpp"

#include <utility>

#include "firmware/platform/context.hpp"
#include "firmware/platform/stop.hpp"

namespace annelid::firmware {
namespace {

constexpr std::uint32_t kBytes = reg::kListDescriptorBytes;
constexpr std::uint32_t kHalf = 16;  // bits of half a word
constexpr std::uint32_t kJoin = std::uint32_t{1} << 31;

// Words of a descriptor.
enum Word : std::uint8_t {
  kPeer,
  kOffset,
  kLength,
  kTag,
  kStepAndThird,
  kBlockOrStage,
  kStrideOrOperand,
  kFirstAndSecond
};

}  // namespace

Recorder::Recorder(Node& node, std::uint32_t offset, std::uint32_t room)
    : Recording{[](Recording& r, Transfer& t) { static_cast<Recorder&>(r).made(t); },
                [](Recording& r, const Transfer& t) { static_cast<Recorder&>(r).forgotten(t); },
                [](Recording& r, Task::Handle t) { static_cast<Recorder&>(r).started(t); },
                [](Recording& r, Task::Handle t) { static_cast<Recorder&>(r).joined(t); }},
      node_(node),
      offset_(offset),
      room_(room / kBytes * kBytes) {}

reg::CallResult Recorder::record(Context& me, Node::Serve serve) {
  Transfer* const awaited = node_.awaited_;
  const bool announced = node_.announced_;
  node_.sends_.close();
  node_.receives_.close();
  node_.recorder_ = this;

  reg::CallResult result = reg::CallResult::kSuccess;
  {
    std::optional<Task> task;
    result = serve(me, task);
    if (result == reg::CallResult::kSuccess && !task->has_room()) {
      result = reg::CallResult::kNoRoom;
    }
    if (result == reg::CallResult::kSuccess) {
      play(task->handle_);
      result = recordable_ ? task->await_resume() : reg::CallResult::kDoesNotFit;
    }
  }
  node_.recorder_ = nullptr;
  node_.awaited_ = awaited;
  node_.announced_ = announced;
  node_.open_tables();
  if (result != reg::CallResult::kSuccess) return result;
  if (receives_ + sends_ == 0) {
    Descriptor nothing;  // a list has at least one descriptor
    nothing.words[kTag] = kJoin;
    write_send(nothing, Strand{}, 0);
  }
  if (fits()) order();
  return result;
}

/// Runs the call's task to its end, or until nothing can go on.
void Recorder::play(Task::Handle call) {
  current_ = strands_.data();
  current_->top = &call.promise();
  resume(call.promise(), *current_);
  while (!call.done()) {
    if (Task::promise_type* ready = node_.ready_.take()) {
      resume(*ready, strand_of(*ready));
    } else if (Strand* strand = next_strand()) {
      complete_awaited(*strand);
    } else {
      recordable_ = false;
      return;
    }
  }
}

void Recorder::resume(Task::promise_type& task, Strand& strand) {
  current_ = &strand;
  node_.awaited_ = nullptr;
  Task::Handle::from_promise(task).resume();
  strand.waits = node_.awaited_;
}

/// The strand that waits for the message of the earliest step. So all nodes write their lists in
/// the order of the steps: no strand's receive stands behind one whose message must come later.
Recorder::Strand* Recorder::next_strand() {
  Strand* next = nullptr;
  for (Strand& strand : strands_) {
    if (strand.top == nullptr || strand.waits == nullptr) continue;
    if (next == nullptr || strand.waits->message_.step < next->waits->message_.step) next = &strand;
  }
  return next;
}

/// All that the strand's innermost task waits for is complete; it goes on.
void Recorder::complete_awaited(Strand& strand) {
  const Join& awaited = *strand.waits->join_;
  current_ = &strand;
  node_.awaited_ = nullptr;
  Transfer* transfer = awaited.outstanding == 1 ? strand.waits : first_;
  for (std::uint32_t left = awaited.outstanding; left > 0;) {
    if (transfer == nullptr) stop("a coroutine waits for a transfer that was not recorded");
    Transfer* const next = transfer->next_;
    if (transfer->join_ == &awaited) {
      observe(strand, *transfer);
      const bool receive = transfer->direction_ == Direction::kReceive;
      --left;
      transfer->complete(receive ? transfer->message_.bytes : 0, false);
    }
    transfer = next;
  }
  strand.waits = node_.awaited_;
}

/// The strand of a task: that of the tasks that await it, up to the one that start() has run.
Recorder::Strand& Recorder::strand_of(Task::promise_type& task) {
  for (Task::promise_type* at = &task;; at = &at->continuation.promise()) {
    for (Strand& strand : strands_) {
      if (strand.top == at) return strand;
    }
  }
}

// ---- What happens in the tasks ------------------------------------------------------------------

void Recorder::made(Transfer& transfer) {
  Strand& strand = *current_;
  const Message& m = transfer.message_;
  // What was awaited before may use the bytes that a receive writes. A receive that writes none, or
  // fresh ones, is posted without waiting for it.
  const bool waits = transfer.direction_ == Direction::kSend || (m.bytes > 0 && !fresh_receives);
  while (waits && strand.count > kDependencies) join_oldest(strand);
  Descriptor d;
  d.words[kPeer] = m.peer.word();
  d.words[kOffset] = m.offset;
  d.words[kLength] = m.bytes;
  d.words[kTag] = m.tag;
  std::uint16_t name = 0;
  if (transfer.direction_ == Direction::kReceive) {
    if (transfer.special_) {
      d.words[kStepAndThird] = transfer.receive_.combine;
      d.words[kBlockOrStage] = transfer.receive_.stage;
      d.words[kStrideOrOperand] = transfer.receive_.operand;
    }
    name = write_receive(d, waits ? strand : Strand{});
  } else {
    std::uint32_t port = reg::kPortByRoute;
    if (transfer.special_) {
      if (transfer.send_.trigger != reg::kNoCounter) recordable_ = false;
      port = transfer.send_.port;
      d.words[kBlockOrStage] = transfer.send_.block;
      d.words[kStrideOrOperand] = transfer.send_.block == 0 ? 0 : transfer.send_.stride;
    }
    d.words[kPeer] |= port << 24;
    d.words[kStepAndThird] = m.step & 0xFFFF;
    name = write_send(d, strand, strand.count);
  }
  const Strand* const since = waits ? &strand : nullptr;  // whose members it depends on
  transfer.recorded_ = {last_, name, strand.events, since};
  transfer.next_ = nullptr;
  (last_ == nullptr ? first_ : last_->next_) = &transfer;
  last_ = &transfer;
}

/// Takes a transfer out of those that nobody has awaited.
void Recorder::forgotten(const Transfer& transfer) {
  Transfer* const before = transfer.recorded_.before;
  Transfer* const next = transfer.next_;
  (before == nullptr ? first_ : before->next_) = next;
  (next == nullptr ? last_ : next->recorded_.before) = before;
}

void Recorder::started(Task::Handle task) {
  Strand& parent = *current_;
  Strand* child = strands_.data();
  while (child->top != nullptr) {
    if (++child == strands_.data() + kStrands) stop("too many tasks are recorded at a time");
  }
  *child = parent;
  child->top = &task.promise();
  child->waits = nullptr;
  child->events = 0;
  child->forked = parent.events;
  for (std::uint32_t i = 0; i < child->count; ++i) child->members[i].since = 0;
  resume(task.promise(), *child);
  current_ = &parent;
  node_.awaited_ = nullptr;
}

/// The current strand goes on where another one has ended.
void Recorder::joined(Task::Handle task) {
  Strand& ended = strand_of(task.promise());
  Strand& strand = *current_;
  for (std::uint32_t i = strand.count; i-- > 0;) {
    // What the other strand began with, and keeps only in what depends on it.
    const Member& m = strand.members[i];
    if (m.since <= ended.forked && !ended.has(m.transfer)) strand.drop(i);
  }
  for (std::uint32_t i = 0; i < ended.count; ++i) {
    const std::uint16_t transfer = ended.members[i].transfer;
    if (!strand.has(transfer)) add(strand, transfer);
  }
  ended.top = nullptr;
}

// ---- What a strand has awaited ------------------------------------------------------------------

bool Recorder::Strand::has(std::uint16_t transfer) const {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (members[i].transfer == transfer) return true;
  }
  return false;
}

void Recorder::Strand::drop(std::uint32_t i) {
  for (--count; i < count; ++i) members[i] = members[i + 1];
}

/// A transfer is complete for this strand. It depends on all that the strand had when it was made.
void Recorder::observe(Strand& strand, Transfer& transfer) {
  forgotten(transfer);
  const Transfer::Recorded& recorded = transfer.recorded_;
  if (recorded.strand == &strand) {
    for (std::uint32_t i = strand.count; i-- > 0;) {
      if (strand.members[i].since <= recorded.events) strand.drop(i);
    }
  }
  add(strand, recorded.name);
}

void Recorder::add(Strand& strand, std::uint16_t transfer) {
  if (strand.count == kMembers) join_oldest(strand);
  strand.members[strand.count++] = {transfer, ++strand.events};
}

/// A join takes the place of the oldest members.
void Recorder::join_oldest(Strand& strand) {
  Descriptor joining;
  joining.words[kTag] = kJoin;
  const std::uint16_t since = strand.members[kDependencies - 1].since;
  const std::uint16_t name = write_send(joining, strand, kDependencies);
  for (std::uint32_t i = kDependencies; i-- > 1;) strand.drop(i);
  strand.members[0] = {name, since};
}

// ---- Descriptors in node memory -----------------------------------------------------------------

void Recorder::put_dependencies(Descriptor& descriptor, const Strand& strand,
                                std::uint32_t members) {
  std::array<std::uint32_t, kDependencies> names{};
  for (std::uint32_t i = 0; i < kDependencies; ++i) {
    names[i] = i < members ? strand.members[i].transfer : reg::kNoDependency;
  }
  descriptor.words[kFirstAndSecond] = names[0] | names[1] << kHalf;
  descriptor.words[kStepAndThird] |= names[2] << kHalf;
}

/// Whether one descriptor more fits into the list.
bool Recorder::has_room() const {
  return bytes() < room_ && receives_ < reg::kMaxListTransfers && sends_ < reg::kMaxListTransfers;
}

std::uint16_t Recorder::write_receive(Descriptor& descriptor, const Strand& strand) {
  put_dependencies(descriptor, strand, strand.count);
  if (has_room()) write(offset_ + receives_ * kBytes, descriptor);
  return static_cast<std::uint16_t>(reg::kDependencyReceive | receives_++);
}

/// Sends are written from the end of the room downwards, because nobody knows yet how many receives
/// there are.
std::uint32_t Recorder::send_place(std::uint32_t i) const {
  return offset_ + room_ - (i + 1) * kBytes;
}

std::uint16_t Recorder::write_send(Descriptor& descriptor, const Strand& strand,
                                   std::uint32_t members) {
  put_dependencies(descriptor, strand, members);
  if (has_room()) write(send_place(sends_), descriptor);
  return static_cast<std::uint16_t>(sends_++);
}

void Recorder::write(std::uint32_t at, const Descriptor& descriptor) const {
  for (const std::uint32_t word : descriptor.words) {
    node_.memory().store(at, word);
    at += 4;
  }
}

Recorder::Descriptor Recorder::read(std::uint32_t at) const {
  Descriptor descriptor;
  for (std::uint32_t& word : descriptor.words) {
    word = node_.memory().load<std::uint32_t>(at);
    at += 4;
  }
  return descriptor;
}

/// Brings the sends into their order, and behind the receives.
void Recorder::order() {
  for (std::uint32_t i = 0; i < sends_ / 2; ++i) {
    const std::uint32_t one = send_place(i), other = send_place(sends_ - 1 - i);
    const Descriptor kept = read(one);
    write(one, read(other));
    write(other, kept);
  }
  const std::uint32_t from = offset_ + room_ - sends_ * kBytes;
  const std::uint32_t to = offset_ + receives_ * kBytes;
  if (from == to) return;
  for (std::uint32_t at = 0; at < sends_ * kBytes; at += kBytes) write(to + at, read(from + at));
}

}  // namespace annelid::firmware
