#include "firmware/platform/transfer.hpp"

#include "firmware/platform/context.hpp"
#include "firmware/platform/node.hpp"

namespace annelid::firmware {

// Every transfer goes through these functions. The network waits for the go, so they write it as
// early as they can, and keep their records after that. In the usual case they call no other
// function, so they save no registers.

Transfer::Transfer(Context& context, const Message& message, const SendOptions& options) {
  Node& node = context.node();
  const std::uint32_t id = node.sends_.next();
  if (id == TransferTable::kNone || !node.has_send_place()) [[unlikely]] {
    send_ = options;
    set(context, Direction::kSend, message, kQueued, true);
    node.begin(*this);
    return;
  }
  node.write_send(message, options, id);
  set(context, Direction::kSend, message, id, true);
  node.sends_.take_next(*this);
  if (node.registers_.read(reg::kError) != 0) [[unlikely]]
    node.take_error(*this, options.trigger != reg::kNoCounter);
}

Transfer::Transfer(Context& context, const Message& message, const ReceiveOptions& options) {
  Node& node = context.node();
  const std::uint32_t place = node.receives_.next();
  const std::uint32_t id = TransferTable::kPlaces + place;
  if (place == TransferTable::kNone || !node.has_receive_place()) [[unlikely]] {
    receive_ = options;
    set(context, Direction::kReceive, message, kQueued, true);
    node.begin(*this);
    return;
  }
  node.write_receive(message, options, id);
  set(context, Direction::kReceive, message, id, true);
  node.receives_.take_next(*this);
  if (node.registers_.read(reg::kError) != 0) [[unlikely]]
    node.take_error(*this, false);
}

void Transfer::start_send(Context& context, std::uint32_t peer, std::uint32_t offset,
                          std::uint32_t bytes, std::uint32_t tag, std::uint32_t step) {
  Node& node = context.node();
  const std::uint32_t id = node.sends_.next();
  if (id == TransferTable::kNone || !node.has_send_place()) [[unlikely]] {
    set(context, Direction::kSend, {Address::from_word(peer), offset, bytes, tag, step}, kQueued,
        false);
    return node.begin(*this);
  }
  node.write_plain_send(peer, offset, bytes, tag, step, id);
  set(context, Direction::kSend, {Address::from_word(peer), offset, bytes, tag, step}, id, false);
  node.sends_.take_next(*this);
  if (node.registers_.read(reg::kError) != 0) [[unlikely]]
    node.take_error(*this, false);
}

void Transfer::start_receive(Context& context, std::uint32_t peer, std::uint32_t offset,
                             std::uint32_t bytes, std::uint32_t tag, std::uint32_t step) {
  Node& node = context.node();
  const std::uint32_t place = node.receives_.next();
  const std::uint32_t id = TransferTable::kPlaces + place;
  if (place == TransferTable::kNone || !node.has_receive_place()) [[unlikely]] {
    set(context, Direction::kReceive, {Address::from_word(peer), offset, bytes, tag, step}, kQueued,
        false);
    return node.begin(*this);
  }
  node.write_plain_receive(peer, offset, bytes, tag, id);
  set(context, Direction::kReceive, {Address::from_word(peer), offset, bytes, tag, step}, id,
      false);
  node.receives_.take_next(*this);
  if (node.registers_.read(reg::kError) != 0) [[unlikely]]
    node.take_error(*this, false);
}

void Transfer::forget() { context_->node().forget(*this); }

void Transfer::await_suspend(std::coroutine_handle<> waiter) {
  own_join_ = {waiter, 0};
  if (join(own_join_)) context_->node().awaits(*this);
}

std::uint32_t Transfer::algorithm() const {
  return static_cast<std::uint32_t>(context_->call().algorithm());
}

void TransferTable::forget(std::uint32_t id) { transfers_[id - first_id_] = forgotten(); }

std::uint32_t TransferTable::in_use() const {
  std::uint32_t count = 0;
  for (const std::uint8_t next : next_free_) count += next == kTaken ? 1 : 0;
  return count;
}

Transfer* TransferTable::awaited() {
  for (std::uint32_t place = 0; place < ever_used_; ++place) {
    if (next_free_[place] != kTaken || transfers_[place] == forgotten()) continue;
    if (transfers_[place]->awaited()) return transfers_[place];
  }
  return nullptr;
}

void TransferTable::enqueue(Transfer& transfer) {
  transfer.next_ = end();
  *last_queued_ = &transfer;
  last_queued_ = &transfer.next_;
}

void TransferTable::dequeue() {
  first_queued_ = first_queued_->next_;
  if (first_queued_ == end()) last_queued_ = &first_queued_;
}

void TransferTable::remove(const Transfer& transfer) {
  for (Transfer** link = &first_queued_; *link != end(); link = &(*link)->next_) {
    if (*link != &transfer) continue;
    *link = transfer.next_;
    if (transfer.next_ == end()) last_queued_ = link;
    return;
  }
}

}  // namespace annelid::firmware
