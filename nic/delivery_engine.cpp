#include "nic/delivery_engine.hpp"

#include <algorithm>

namespace annelid::nic {

void DeliveryEngine::step(Cycle now, bool memory) {
  if (!current_ && match_.delivery_due(now)) start(now);
  if (!current_ || (!memory && needs_memory())) return;
  if (current_->passed >= 2) move_flit(now);  // the first two cycles stand for head and header
  if (++current_->passed == flits_of(current_->bytes)) finish(now);
}

bool DeliveryEngine::needs_memory() const {
  return current_ && current_->passed >= 2 && !receives_[current_->delivery.receive].failed;
}

void DeliveryEngine::start(Cycle now) {
  const Delivery delivery = match_.take_delivery();
  current_ = {delivery, receives_[delivery.receive].bytes, 0};
  if (delivery.send == kNoPlace) {
    if (match_.eager_place(delivery.peer).failed) flow_.fail_receive(delivery.receive);
    return;
  }
  SendPlace& send = sends_[delivery.send];
  send.state = SendPlace::State::kSending;
  if (observers_.nic != nullptr) observers_.nic->send_started(now, self_.info(send), 0);
}

void DeliveryEngine::move_flit(Cycle now) {
  const Delivery& delivery = current_->delivery;
  if (receives_[delivery.receive].failed) return;
  const std::uint32_t done = (current_->passed - 2) * kFlitBytes;
  const std::uint32_t bytes = std::min(kFlitBytes, current_->bytes - done);
  const std::uint64_t word = delivery.send == kNoPlace
                                 ? match_.eager_place(delivery.peer).data[done / kFlitBytes]
                                 : memory_.load(sends_[delivery.send].source_of(done), bytes);
  flow_.store(delivery.receive, done, word, bytes, now);
}

void DeliveryEngine::finish(Cycle now) {
  const Delivery delivery = current_->delivery;
  current_.reset();
  flow_.arrived(delivery.receive, Completions::kDelivery, now);
  if (delivery.send == kNoPlace) {
    match_.eager_delivered(delivery.peer, now);
  } else {
    completions_.sent(delivery.send, Completions::kDelivery);
  }
}

}  // namespace annelid::nic
