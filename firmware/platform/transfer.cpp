#include "firmware/platform/transfer.hpp"

#include "firmware/platform/context.hpp"
#include "firmware/platform/node.hpp"

namespace annelid::firmware {

Transfer::Transfer(Context& context, Direction direction, const Message& message)
    : context_(context), message_(message), direction_(direction), special_(false) {
  context_.node().begin(*this);
}

Transfer::Transfer(Context& context, const Message& message, const SendOptions& options)
    : context_(context),
      message_(message),
      send_(options),
      direction_(Direction::kSend),
      special_(true) {
  context_.node().begin(*this);
}

Transfer::Transfer(Context& context, const Message& message, const ReceiveOptions& options)
    : context_(context),
      message_(message),
      receive_(options),
      direction_(Direction::kReceive),
      special_(true) {
  context_.node().begin(*this);
}

void Transfer::forget() { context_.node().forget(*this); }

void Transfer::await_suspend(std::coroutine_handle<> waiter) {
  own_join_ = {waiter, 0};
  join(own_join_);
}

void Transfer::join(Join& join) {
  if (complete_) return;
  join_ = &join;
  ++join.outstanding;
  context_.node().awaits(*this);
}

void Transfer::complete(std::uint32_t bytes, bool failed) {
  complete_ = true;
  bytes_ = bytes;
  if (failed) context_.fail();
  // The last touch: who waits may destroy this transfer.
  if (join_ != nullptr && --join_->outstanding == 0) join_->waiter.resume();
}

std::uint32_t Transfer::algorithm() const {
  return static_cast<std::uint32_t>(context_.call().algorithm());
}

void TransferTable::forget(std::uint32_t id) { transfers_[id - first_id_] = forgotten(); }

Transfer* TransferTable::awaited() {
  if (in_use_ == 0) return nullptr;
  for (std::uint32_t place = 0; place < ever_used_; ++place) {
    Transfer* transfer = transfers_[place];
    if (transfer != nullptr && transfer != forgotten() && transfer->awaited()) return transfer;
  }
  return nullptr;
}

void TransferTable::enqueue(Transfer& transfer) {
  transfer.next_ = nullptr;
  *last_queued_ = &transfer;
  last_queued_ = &transfer.next_;
}

void TransferTable::dequeue() {
  first_queued_ = first_queued_->next_;
  if (first_queued_ == nullptr) last_queued_ = &first_queued_;
}

void TransferTable::remove(const Transfer& transfer) {
  for (Transfer** link = &first_queued_; *link != nullptr; link = &(*link)->next_) {
    if (*link != &transfer) continue;
    *link = transfer.next_;
    if (transfer.next_ == nullptr) last_queued_ = link;
    return;
  }
}

}  // namespace annelid::firmware
