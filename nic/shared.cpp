#include "nic/shared.hpp"

#include <bit>

namespace annelid::nic {

Shared::Shared(const NicConfig& nic_config, NodeId node_id)
    : config(nic_config),
      node(node_id),
      address(nic_config.network.address(node_id)),
      memory(nic_config.memory_bytes),
      errors(node_id),
      completions(nic_config.gamma),
      start_up(nic_config.alpha),
      combine_unit(memory, nic_config.combine_lanes != 0
                               ? nic_config.combine_lanes
                               : static_cast<unsigned>(nic_config.network.router.local_ports)),
      match(config, node_id, sends, receives, combine_unit, errors) {}

void Shared::start(Place place, Cycle now) {
  const SendPlace& send = sends[place];
  ranges.add_send(place, send_range(send.offset, send.bytes, send.block, send.stride));
  match.enter(place);
  start_up.enter(place, now);
  if (observer != nullptr) observer->send_posted(now, info(send));
}

void Shared::fire_oldest(Cycle now) {
  const auto place = trigger_unit.fire(completions.counters());
  if (!place) return;
  SendPlace& send = sends[*place];
  const auto taken = ranges.check(send_range(send.offset, send.bytes, send.block, send.stride));
  if (!taken) return start(*place, now);
  send.state = SendPlace::State::kComplete;
  errors.fail(now, reg::ErrorCause::kOverlap,
              {config.network.address(send.destination), send.tag, send.id},
              "the bytes of a triggered send belong to receive " +
                  std::to_string(receives[taken->place].id));
  completions.sent(*place, Completions::kUnit, true);
}

void Shared::store(Place place, std::uint32_t at, std::uint64_t data, std::uint32_t bytes,
                   Cycle now) {
  const ReceivePlace& receive = receives[place];
  memory.store(std::uint64_t{receive.target()} + at, data, bytes);
  if (receive.combining()) combine_unit.stage(place, now);
}

void Shared::fail_receive(Place place) {
  ReceivePlace& receive = receives[place];
  if (receive.failed) return;
  receive.failed = true;
  if (receive.combining() && receive.bytes > 0) combine_unit.drop(place);
}

void Shared::arrived(Place place, unsigned by, Cycle now) {
  ReceivePlace& receive = receives[place];
  if (receive.combining() && !receive.failed && receive.bytes > 0) {
    receive.state = ReceivePlace::State::kCombining;
  } else {
    receive.state = ReceivePlace::State::kComplete;
    completions.received(place, by, receive.bytes, receive.failed, now);
  }
}

unsigned Shared::step_combine_unit(Cycle now, unsigned budget) {
  const CombineUnit::Done done = combine_unit.step(now, budget);
  for (PlaceSet set = done.completed; set != 0; set &= set - 1) {
    const auto place = static_cast<Place>(std::countr_zero(set));
    receives[place].state = ReceivePlace::State::kComplete;
    completions.received(place, Completions::kUnit, receives[place].bytes, false, now);
  }
  return done.accesses;
}

void Shared::commit(Cycle now) {
  const Completions::Completed completed = completions.commit(now);
  for (PlaceSet set = completed.sends; set != 0; set &= set - 1) {
    const auto place = static_cast<Place>(std::countr_zero(set));
    SendPlace& send = sends[place];
    const bool dropped = send.state == SendPlace::State::kComplete;
    send.state = SendPlace::State::kComplete;
    if (dropped) continue;
    ranges.remove_send(place);
    if (observer != nullptr) observer->send_completed(now, info(send));
  }
  for (PlaceSet set = completed.receives; set != 0; set &= set - 1) {
    const auto place = static_cast<Place>(std::countr_zero(set));
    const ReceivePlace& receive = receives[place];
    ranges.remove_receive(place);
    if (observer == nullptr || receive.failed) continue;
    observer->received(now,
                       {receive.source, node, receive.tag, receive.sequence, receive.bytes, 0});
  }
}

}  // namespace annelid::nic
