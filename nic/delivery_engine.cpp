#include "nic/delivery_engine.hpp"

#include <algorithm>

namespace annelid::nic {

void DeliveryEngine::step(Cycle now, bool memory) {
  if (!current_ && shared_.match.delivery_due(now)) start(now);
  if (!current_ || (!memory && needs_memory())) return;
  if (current_->passed >= 2) move_flit(now);  // the first two cycles stand for head and header
  if (++current_->passed == flits_of(current_->bytes)) finish(now);
}

bool DeliveryEngine::needs_memory() const {
  return current_ && current_->passed >= 2 && !shared_.receives[current_->delivery.receive].failed;
}

void DeliveryEngine::start(Cycle now) {
  const Delivery delivery = shared_.match.take_delivery();
  ReceivePlace& receive = shared_.receives[delivery.receive];
  current_ = {delivery, receive.bytes, 0};
  if (delivery.send == kNoPlace) {
    if (shared_.match.eager_place(delivery.peer).failed) shared_.fail_receive(delivery.receive);
    return;
  }
  SendPlace& send = shared_.sends[delivery.send];
  send.state = SendPlace::State::kSending;
  if (shared_.observer != nullptr) shared_.observer->send_started(now, shared_.info(send), 0);
}

void DeliveryEngine::move_flit(Cycle now) {
  const Delivery& delivery = current_->delivery;
  if (shared_.receives[delivery.receive].failed) return;
  const std::uint32_t done = (current_->passed - 2) * kFlitBytes;
  const std::uint32_t bytes = std::min(kFlitBytes, current_->bytes - done);
  const std::uint64_t word =
      delivery.send == kNoPlace
          ? shared_.match.eager_place(delivery.peer).data[done / kFlitBytes]
          : shared_.memory.load(shared_.sends[delivery.send].source_of(done), bytes);
  shared_.store(delivery.receive, done, word, bytes, now);
}

void DeliveryEngine::finish(Cycle now) {
  const Delivery delivery = current_->delivery;
  current_.reset();
  shared_.arrived(delivery.receive, Completions::kDelivery, now);
  if (delivery.send == kNoPlace) {
    shared_.match.eager_delivered(delivery.peer, now);
  } else {
    shared_.sent(delivery.send, Completions::kDelivery);
  }
}

}  // namespace annelid::nic
