#include "firmware/platform/transfer.hpp"

#include "firmware/platform/node.hpp"
#include "firmware/platform/stop.hpp"

namespace annelid::firmware {

Transfer::Transfer(Node& node, Direction direction, const Message& message)
    : node_(node),
      direction_(direction),
      id_(node.transfers(direction).take(this)),
      step_(message.step),
      peer_(message.peer) {
  const Registers& registers = node.registers();
  if (direction == Direction::kSend) {
    registers.write(reg::kSendDestination, message.peer.word());
    registers.write(reg::kSendOffset, message.offset);
    registers.write(reg::kSendBytes, message.bytes);
    registers.write(reg::kSendTag, message.tag);
    registers.write(reg::kSendStep, message.step);
    registers.write(reg::kSendGo, id_);
  } else {
    registers.write(reg::kRecvSource, message.peer.word());
    registers.write(reg::kRecvOffset, message.offset);
    registers.write(reg::kRecvBytes, message.bytes);
    registers.write(reg::kRecvTag, message.tag);
    registers.write(reg::kRecvGo, id_);
  }
}

Transfer::~Transfer() {
  if (!complete_) node_.transfers(direction_).forget(id_);
}

void Transfer::await_suspend(std::coroutine_handle<> waiter) {
  waiter_ = waiter;
  node_.announce_wait(direction_, step_, peer_);
}

std::uint32_t Transfer::await_resume() {
  if (waiter_) node_.announce_no_wait();
  return bytes_;
}

void Transfer::complete(std::uint32_t bytes) {
  complete_ = true;
  bytes_ = bytes;
  if (waiter_) waiter_.resume();  // the last touch: the waiter may destroy this transfer
}

TransferTable::TransferTable() {
  for (std::size_t i = 0; i < kPlaces; ++i) {
    free_[i] = static_cast<std::uint8_t>(kPlaces - 1 - i);  // id 0 comes first
  }
}

std::uint32_t TransferTable::take(Transfer* transfer) {
  if (free_count_ == 0) stop("more transfers under way than the NIC has places");
  const std::uint8_t id = free_[--free_count_];
  places_[id] = {transfer, true};
  return id;
}

Transfer* TransferTable::release(std::uint32_t id) {
  if (id >= kPlaces || !places_[id].used)
    stop("the NIC completed a transfer that is not under way");
  Transfer* transfer = places_[id].transfer;
  places_[id] = {};
  free_[free_count_++] = static_cast<std::uint8_t>(id);
  return transfer;
}

void TransferTable::forget(std::uint32_t id) { places_[id].transfer = nullptr; }

}  // namespace annelid::firmware
