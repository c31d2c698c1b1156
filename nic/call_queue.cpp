#include "nic/call_queue.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace annelid::nic {

std::uint16_t CallQueue::call(const Call& call, Cycle visible) {
  if (full()) {
    throw std::logic_error("a call, but " + std::to_string(reg::kCallPlaces) +
                           " calls of this node are not finished");
  }
  const std::uint16_t ticket = next_ticket_;
  const Stage before = state(ticket).stage;
  if (before == Stage::kWaiting || before == Stage::kTaken) {
    throw std::logic_error("a call, but ticket " + std::to_string(ticket) +
                           ", whose turn it is, is not finished");
  }
  if (ticket == states_.size()) states_.emplace_back();
  states_[ticket] = {Stage::kWaiting, 0};
  waiting_.push({call, ticket, visible});
  ++next_ticket_;
  ++unfinished_;
  return ticket;
}

std::uint32_t CallQueue::oldest(Cycle now) const {
  if (!waiting(now)) return 0;
  return reg::kCallTicketValidField.in(1) | reg::kCallTicketTicketField.in(waiting_.front().ticket);
}

std::uint32_t CallQueue::take(Cycle now) {
  const std::uint32_t value = oldest(now);
  if (value == 0) return value;
  const Waiting first = waiting_.pop();
  window_ = first.call;
  states_[first.ticket].stage = Stage::kTaken;
  return value;
}

std::uint16_t CallQueue::take_unseen() {
  const std::uint16_t ticket = waiting_.pop().ticket;
  states_[ticket].stage = Stage::kTaken;
  unseen_.push_back(ticket);
  return ticket;
}

void CallQueue::end(std::uint16_t ticket, std::uint32_t result) {
  states_[ticket] = {Stage::kFinished, static_cast<std::uint16_t>(result)};
  --unfinished_;
}

bool CallQueue::finish(std::uint32_t done) {
  const auto ticket = static_cast<std::uint16_t>(reg::kCallDoneTicketField.of(done));
  if (state(ticket).stage != Stage::kTaken || std::ranges::count(unseen_, ticket) != 0)
    return false;
  end(ticket, reg::kCallDoneResultField.of(done));
  return true;
}

void CallQueue::finish_unseen(std::uint16_t ticket, reg::CallResult result) {
  std::erase(unseen_, ticket);
  end(ticket, static_cast<std::uint32_t>(result));
}

}  // namespace annelid::nic
