#include "firmware/communication/point_to_point.hpp"

namespace annelid::firmware {

Exchange::Exchange(Context& me, const Message& out, const Message& in)
    : receive_(me, Direction::kReceive, in), send_(me, Direction::kSend, out) {}

Exchange::~Exchange() = default;

bool Exchange::await_suspend(std::coroutine_handle<> waiter) {
  join_ = {waiter, 0};
  Node& node = send_.context().node();
  if (send_.join(join_)) node.awaits(send_);
  if (receive_.join(join_)) node.awaits(receive_);
  return join_.outstanding != 0;
}

bool BatchOfTransfers::await_suspend(std::coroutine_handle<> waiter) {
  join_ = {waiter, 0};
  Transfer* awaited = nullptr;
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (transfer(i).join(join_)) awaited = &transfer(i);
  }
  if (awaited == nullptr) return false;
  awaited->context().node().awaits(*awaited);
  return true;
}

void BatchOfTransfers::destroy() {
  for (std::uint32_t i = 0; i < count_; ++i) transfer(i).~Transfer();
  count_ = 0;
}

Transfer* BatchOfTransfers::next() {
  if (count_ == size_) stop("a batch has more transfers than it has room for");
  return &transfer(count_++);
}

void BatchOfTransfers::add_other_sends(Context& me, const Address* to, std::uint32_t count,
                                       Buffer buffer, std::uint32_t step) {
  if (count > size_) stop("a batch has more transfers than it has room for");
  std::byte* room = room_ + sizeof(Transfer);
  const Address* const end = to + count;
  for (++to; to != end; ++to, room += sizeof(Transfer)) {
    new (room) Transfer(me, Direction::kSend, message(me, *to, buffer, step));
  }
}

}  // namespace annelid::firmware
