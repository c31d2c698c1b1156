#include "nic/message_flow.hpp"

#include <bit>

namespace annelid::nic {

MessageFlow::MessageFlow(const Units& units)
    : self_(units.self),
      memory_(units.memory),
      sends_(units.sends),
      receives_(units.receives),
      errors_(units.errors),
      completions_(units.completions),
      combine_unit_(units.combine_unit),
      match_(units.match),
      lists_(units.lists),
      observers_(units.observers),
      trigger_unit_(units.lists),
      start_up_(units.self.config.alpha) {}

void MessageFlow::start(Place place, Cycle now) {
  const SendPlace& send = sends_[place];
  ranges_.add_send(place, send_range(send.offset, send.bytes, send.block, send.stride));
  match_.enter(place);
  start_up_.enter(place, send.destination == self_.node, now);
  if (observers_.nic != nullptr) observers_.nic->send_posted(now, self_.info(send));
}

void MessageFlow::fire_oldest(Cycle now) {
  const auto place = trigger_unit_.fire(completions_.counters());
  if (!place) return;
  SendPlace& send = sends_[*place];
  if (send.join) {
    send.state = SendPlace::State::kComplete;
    return completions_.sent(*place, Completions::kUnit);
  }
  const auto taken = ranges_.check(send_range(send.offset, send.bytes, send.block, send.stride));
  if (!taken) return start(*place, now);
  send.state = SendPlace::State::kComplete;
  errors_.fail(now, reg::ErrorCause::kOverlap, {send.to, send.tag, send.id},
               std::string("the bytes of a ") + (send.listed ? "held" : "triggered") +
                   " send belong to " + name_of(receives_[taken->place]));
  completions_.sent(*place, Completions::kUnit, true);
}

void MessageFlow::store(Place place, std::uint32_t at, std::uint64_t data, std::uint32_t bytes,
                        Cycle now) {
  const ReceivePlace& receive = receives_[place];
  memory_.store(std::uint64_t{receive.target()} + at, data, bytes);
  if (receive.combining()) combine_unit_.stage(place, now);
}

void MessageFlow::fail_receive(Place place) {
  ReceivePlace& receive = receives_[place];
  if (receive.failed) return;
  receive.failed = true;
  if (receive.combining() && receive.bytes > 0) combine_unit_.drop(place);
}

void MessageFlow::arrived(Place place, unsigned by, Cycle now) {
  ReceivePlace& receive = receives_[place];
  if (receive.combining() && !receive.failed && receive.bytes > 0) {
    receive.state = ReceivePlace::State::kCombining;
  } else {
    receive.state = ReceivePlace::State::kComplete;
    completions_.received(place, by, receive.bytes, receive.failed, now);
  }
}

unsigned MessageFlow::step_combine_unit(Cycle now, unsigned budget) {
  const CombineUnit::Done done = combine_unit_.step(now, budget);
  for (PlaceSet set = done.completed; set != 0; set &= set - 1) {
    const auto place = static_cast<Place>(std::countr_zero(set));
    receives_[place].state = ReceivePlace::State::kComplete;
    completions_.received(place, Completions::kUnit, receives_[place].bytes, false, now);
  }
  return done.accesses;
}

void MessageFlow::complete(Cycle now) {
  const Completions::Completed completed = completions_.commit(now);
  PlaceSet failed_sends = 0, failed_receives = 0;
  for (PlaceSet set = completed.sends; set != 0; set &= set - 1) {
    const auto place = static_cast<Place>(std::countr_zero(set));
    SendPlace& send = sends_[place];
    const bool dropped = send.state == SendPlace::State::kComplete;
    send.state = SendPlace::State::kComplete;
    if (dropped && !send.join) failed_sends |= place_bit(place);
    if (dropped) continue;
    ranges_.remove_send(place);
    if (observers_.nic != nullptr) observers_.nic->send_completed(now, self_.info(send));
  }
  for (PlaceSet set = completed.receives; set != 0; set &= set - 1) {
    const auto place = static_cast<Place>(std::countr_zero(set));
    const ReceivePlace& receive = receives_[place];
    ranges_.remove_receive(place);
    if (receive.failed) failed_receives |= place_bit(place);
    if (observers_.nic == nullptr || receive.failed) continue;
    observers_.nic->received(now, {receive.source, self_.node, receive.tag, receive.sequence,
                                   receive.bytes, 0, receive.combining()});
  }
  if (lists_.playing() == 0) return;
  lists_.complete(kSends, completed.sends, failed_sends);
  lists_.complete(kReceives, completed.receives, failed_receives);
}

}  // namespace annelid::nic
