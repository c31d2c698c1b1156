#include "nic/own_delivery.hpp"

#include <algorithm>

namespace annelid {

bool OwnDelivery::matched(Cycle at) const {
  if (queue().empty() || queue().front().ready > at) return false;
  const SlotNumber slot = shared_.match.own_receive(at);
  return slot != kNoSlot && shared_.match.slot(slot).tag == queue().front().tag;
}

void OwnDelivery::step(Cycle now) {
  if (!current_ && matched(now)) start(now);
  if (!current_) return;
  Current& c = *current_;
  if (c.passed >= 2) {  // the first two cycles stand for head and header
    const std::uint32_t done = (c.passed - 2) * kFlitBytes;
    const std::uint32_t bytes = std::min(kFlitBytes, c.send.bytes - done);
    const std::uint64_t word = shared_.memory.load(std::uint64_t{c.send.offset} + done, bytes);
    shared_.memory.store(std::uint64_t{shared_.match.slot(c.slot).offset} + done, word, bytes);
  }
  if (++c.passed == flits_of(c.send.bytes)) finish(now);
}

void OwnDelivery::start(Cycle now) {
  const Send send = shared_.queue(CompletionQueue::kOwnNode).pop();
  const SlotNumber slot = shared_.match.own_receive(now);
  const std::uint32_t room = shared_.match.slot(slot).room;
  if (send.bytes > room) {
    shared_.fail(now, reg::ErrorCause::kTooLong,
                 "message of " + std::to_string(send.bytes) +
                     " bytes to the own node, which has room for " + std::to_string(room));
    return;
  }
  current_ = {send, slot, 0};
  if (shared_.observer != nullptr) {
    shared_.observer->send_started(now, info_of(send, shared_.node), 0);
  }
}

void OwnDelivery::finish(Cycle now) {
  const Send& send = current_->send;
  const Receive& slot = shared_.match.slot(current_->slot);
  shared_.completions.add(CompletionQueue::kOwnNode, {true, slot.id, send.bytes});
  shared_.completions.add(CompletionQueue::kOwnNode, {false, send.id, send.bytes});
  if (shared_.observer != nullptr) {
    MessageInfo info = info_of(send, shared_.node);
    shared_.observer->send_completed(now, info);
    info.step = 0;
    shared_.observer->received(now, info);
  }
  shared_.match.finish(current_->slot, now);
  current_.reset();
}

}  // namespace annelid
