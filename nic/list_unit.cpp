#include "nic/list_unit.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace annelid::nic {
namespace {

std::string decimal(std::uint64_t value) { return std::to_string(value); }

std::string text_of(Dependency dependency) {
  return (dependency.receive() ? "receive " : "send ") + decimal(dependency.number());
}

}  // namespace

ListUnit::ListUnit(const Units& units)
    : self_(units.self),
      memory_(units.memory),
      errors_(units.errors),
      calls_(units.calls),
      completions_(units.completions),
      places_(units.places),
      issuer_(units.issuer),
      sends_(units.sends),
      flow_(units.flow),
      observers_(units.observers) {}

// ---- Registers ----------------------------------------------------------------------------------

void ListUnit::set(std::uint16_t handle, const Described& list, Cycle now) {
  const auto refuse = [&](const std::string& text) {
    errors_.fail(now, reg::ErrorCause::kBadList, {{}, 0, handle}, text);
  };
  const std::uint64_t transfers = std::uint64_t{list.receives} + list.sends;
  const ListPlaces::Known& known = places_.place_of(handle);
  if (known.plays) {
    return refuse("LIST_SET for handle " + decimal(handle) + ", while list " +
                  decimal(known.handle) + " plays");
  }
  if (transfers == 0) return places_.set(handle, 0, 0, 0);
  if (list.offset % 8 != 0) {
    return refuse("a list at offset " + decimal(list.offset) + ", expected a multiple of 8");
  }
  if (std::max(list.receives, list.sends) > reg::kMaxListTransfers) {
    return refuse("a list of " + decimal(list.receives) + " receives and " + decimal(list.sends) +
                  " sends, expected at most " + decimal(reg::kMaxListTransfers) + " of each");
  }
  if (!memory_.contains(list.offset, transfers * reg::kListDescriptorBytes)) {
    return refuse("a list of " + decimal(transfers * reg::kListDescriptorBytes) +
                  " bytes at offset " + decimal(list.offset) + "; node memory has " +
                  decimal(memory_.size()));
  }
  places_.set(handle, list.offset, list.receives, list.sends);
}

// Its completion needs an entry in the queue.
void ListUnit::go(std::uint16_t handle, Cycle now) {
  const auto refuse = [&](reg::ErrorCause cause, const std::string& text) {
    errors_.fail(now, cause, {{}, 0, handle}, "LIST_GO for handle " + decimal(handle) + text);
  };
  if (!places_.startable(handle)) {
    const ListPlaces::Known& known = places_.place_of(handle);
    const bool plays = known.plays && known.handle == handle;
    return refuse(reg::ErrorCause::kBadList, plays ? ", whose list plays" : ", which is not known");
  }
  if (places_.space() == 0) {
    return refuse(reg::ErrorCause::kListOverflow, ", but all 4 list places are taken");
  }
  if (by_core_ + completions_.lists_waiting() == ListPlaces::kLists) {
    return refuse(reg::ErrorCause::kListOverflow,
                  ", but the completions of 4 lists have not been taken");
  }
  places_.start(handle, {}, now);
  ++by_core_;
}

// ---- A cycle ------------------------------------------------------------------------------------

/// What ends is seen one cycle later, so a call is taken first. Only one fetch is under way, so at
/// most one descriptor is issued, after everything that looks at the state before it.
bool ListUnit::step_used(Cycle now) {
  bool acted = take_call(now);
  acted |= end_lists(now);
  if (fetch_) {
    assert(fetch_->done >= now);  // else its cycle was slept through
    if (fetch_->done > now) return acted;
    issue_fetched(now);
    return true;
  }
  const auto side = find_side(now);
  if (!side) return acted;
  begin_fetch(*side, now);
  return true;
}

bool ListUnit::take_call(Cycle now) {
  if (!start_waits(now) || places_.space() == 0) return false;
  const std::uint32_t handle = (*calls_.waiting_call(now))[reg::CallWord::kParameter0];
  places_.start(static_cast<std::uint16_t>(handle), calls_.take_unseen(), now);
  return true;
}

bool ListUnit::end_lists(Cycle now) {
  bool ended = false;
  for (unsigned rest = places_.playing(); rest != 0; rest &= rest - 1) {
    const auto list = static_cast<std::size_t>(std::countr_zero(rest));
    if (!places_[list].over()) continue;
    end(list, now);
    ended = true;
  }
  return ended;
}

void ListUnit::end(std::size_t list, Cycle now) {
  const ListPlaces::Playing& playing = places_[list];
  places_.end(list);
  if (!playing.ticket) {
    --by_core_;
    return completions_.list_ended(playing.handle, playing.failed);
  }
  const auto result = playing.failed ? reg::CallResult::kTransferFailed : reg::CallResult::kSuccess;
  calls_.finish_unseen(*playing.ticket, result);
  if (observers_.nic != nullptr) {
    observers_.nic->call_finished(now, self_.node, *playing.ticket,
                                  static_cast<std::uint32_t>(result));
  }
}

Cycle ListUnit::next_used(Cycle now) const {
  if (start_waits(now + 1) && places_.space() > 0) return now + 1;
  for (unsigned rest = places_.playing(); rest != 0; rest &= rest - 1) {
    if (places_[static_cast<std::size_t>(std::countr_zero(rest))].over()) return now + 1;
  }
  if (fetch_) return fetch_->done;
  return find_side(now + 1) ? now + 1 : kNever;
}

// ---- Fetching -----------------------------------------------------------------------------------

std::optional<std::size_t> ListUnit::find_side(Cycle now) const {
  if (places_.playing() == 0) return {};
  for (std::size_t i = 1; i <= kSides; ++i) {
    const std::size_t side = (last_side_ + i) % kSides;
    if (can_fetch(side, now)) return side;
  }
  return {};
}

bool ListUnit::can_fetch(std::size_t side, Cycle now) const {
  const std::size_t list = side / kDirections;
  const auto direction = static_cast<Direction>(side % kDirections);
  if ((places_.playing() >> list & 1) == 0) return false;
  const ListPlaces::Playing& playing = places_[list];
  if (playing.started == now || playing.issued[direction] == playing.count[direction]) return false;
  if (!has_room(playing, direction)) return false;
  return direction == kSends || !playing.put_back || places_.met(list, *playing.put_back);
}

bool ListUnit::has_room(const ListPlaces::Playing& list, Direction direction) const {
  if (std::popcount(list.places[direction]) >= static_cast<int>(reg::kListTransfers)) return false;
  return (direction == kSends ? completions_.send_space() : completions_.receive_space()) > 0;
}

void ListUnit::begin_fetch(std::size_t side, Cycle now) {
  const bool send = side % kDirections == kSends;
  last_side_ = side;
  fetch_ = {now + kFetchCycles - 1, side,
            send ? completions_.reserve_send() : completions_.reserve_receive()};
}

// ---- Issuing ------------------------------------------------------------------------------------

std::uint16_t ListUnit::Issue::id() const {
  return static_cast<std::uint16_t>(number |
                                    (direction == kReceives ? reg::kDependencyReceive : 0));
}

/// The list must not change while it plays, so its bytes are read in the last cycle of the fetch.
void ListUnit::issue_fetched(Cycle now) {
  const std::size_t list = fetch_->side / kDirections;
  const auto direction = static_cast<Direction>(fetch_->side % kDirections);
  const ListPlaces::Playing& playing = places_[list];
  const Issue issue{list, direction, playing.issued[direction], fetch_->place};
  fetch_.reset();
  const std::uint64_t before =
      std::uint64_t{direction == kSends ? playing.count[kReceives] : 0} + issue.number;
  const ListDescriptor descriptor(memory_, playing.offset + before * reg::kListDescriptorBytes);
  if (const auto fault = bad_dependency(issue, descriptor.dependencies())) {
    return refuse(issue, *fault, {{}, 0, issue.id()}, now);
  }
  direction == kSends ? issue_send(issue, descriptor, now) : issue_receive(issue, descriptor, now);
}

std::optional<Issuer::Fault> ListUnit::bad_dependency(const Issue& issue,
                                                      const Dependencies& dependencies) const {
  const ListPlaces::Playing& playing = places_[issue.list];
  for (const Dependency dependency : dependencies) {
    if (dependency.none()) continue;
    const Direction direction = dependency.receive() ? kReceives : kSends;
    const bool itself = direction == issue.direction && dependency.number() == issue.number;
    if (!itself && dependency.number() < playing.count[direction]) continue;
    return Issuer::Fault{reg::ErrorCause::kBadList,
                         "it depends on " + (itself ? "itself" : text_of(dependency)) + "; list " +
                             decimal(playing.handle) + " has " + decimal(playing.count[kReceives]) +
                             " receives and " + decimal(playing.count[kSends]) + " sends"};
  }
  return {};
}

void ListUnit::refuse(const Issue& issue, const Issuer::Fault& fault, const ErrorSubject& subject,
                      Cycle now) {
  const char* const kind = issue.direction == kSends ? "send" : "receive";
  errors_.fail(now, fault.cause, subject,
               name_of(kind, issue.number, places_[issue.list].handle) + ": " + fault.text);
  release(issue.direction, issue.place);
  places_.refuse(issue.list, issue.direction);
}

void ListUnit::release(Direction direction, Place place) {
  direction == kSends ? completions_.release_send(place) : completions_.release_receive(place);
}

void ListUnit::issue_receive(const Issue& issue, const ListDescriptor& descriptor, Cycle now) {
  ListPlaces::Playing& playing = places_[issue.list];
  if (!places_.met(issue.list, descriptor.dependencies())) {
    playing.put_back = descriptor.dependencies();
    return release(kReceives, issue.place);
  }
  playing.put_back.reset();
  const ReceiveDescriptor receive = descriptor.receive();
  if (const auto fault = issuer_.judge(receive)) {
    return refuse(issue, *fault,
                  {unpack_address(receive.source), receive.message_tag(), issue.id()}, now);
  }
  completions_.issue_receive(issue.place);
  places_.issue(issue.list, kReceives, issue.place);
  issuer_.post(issue.place, receive, issue.id(), playing.handle, now);
}

void ListUnit::issue_send(const Issue& issue, const ListDescriptor& descriptor, Cycle now) {
  const ListPlaces::Playing& playing = places_[issue.list];
  const Dependencies dependencies = descriptor.dependencies();
  if (descriptor.join()) return hold_join(issue, dependencies);
  const SendDescriptor send = descriptor.send();
  const TriggerUnit::Listed listed{issue.list, false, send.destination, send.message_tag(),
                                   dependencies};
  const bool held = !places_.met(issue.list, dependencies) || flow_.holds_alike(listed);
  if (const auto fault = issuer_.judge(send, held)) {
    return refuse(issue, *fault, {unpack_address(send.destination), send.message_tag(), issue.id()},
                  now);
  }
  completions_.issue_send(issue.place);
  places_.issue(issue.list, kSends, issue.place);
  SendPlace& record = issuer_.describe(issue.place, send, issue.id());
  record.listed = true;
  record.list = playing.handle;
  if (!held) return flow_.start(issue.place, now);
  flow_.hold(issue.place, listed);
}

void ListUnit::hold_join(const Issue& issue, const Dependencies& dependencies) {
  completions_.issue_send(issue.place);
  places_.issue(issue.list, kSends, issue.place);
  SendPlace& join = sends_.open(issue.place);
  join.join = true;
  join.id = issue.id();
  join.listed = true;
  join.list = places_[issue.list].handle;
  flow_.hold(issue.place, {issue.list, true, 0, 0, dependencies});
}

// ---- Reports ------------------------------------------------------------------------------------

std::string ListUnit::unmet(std::size_t list, const Dependencies& dependencies) const {
  std::string text;
  for (const Dependency dependency : dependencies) {
    if (places_.met(list, dependency)) continue;
    text += (text.empty() ? "" : " and ") + text_of(dependency);
  }
  return text;
}

std::string ListUnit::describe() const {
  std::string text;
  for (unsigned rest = places_.playing(); rest != 0; rest &= rest - 1) {
    const auto list = static_cast<std::size_t>(std::countr_zero(rest));
    const ListPlaces::Playing& playing = places_[list];
    text += "list " + decimal(playing.handle) + ": " + decimal(playing.issued[kReceives]) + " of " +
            decimal(playing.count[kReceives]) + " receives and " + decimal(playing.issued[kSends]) +
            " of " + decimal(playing.count[kSends]) + " sends are issued";
    if (playing.put_back) {
      const std::string waits_for = unmet(list, *playing.put_back);
      if (!waits_for.empty()) {
        text += ", receive " + decimal(playing.issued[kReceives]) + " waits for " + waits_for;
      }
    }
    text += '\n';
  }
  return text;
}

}  // namespace annelid::nic
