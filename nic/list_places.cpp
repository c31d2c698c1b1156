#include "nic/list_places.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace annelid::nic {

void ListPlaces::start(std::uint16_t handle, std::optional<std::uint16_t> ticket, Cycle now) {
  assert(space() > 0 && startable(handle));
  Known& known = place_of(handle);
  known.plays = true;
  const auto list = static_cast<std::size_t>(std::countr_one(playing_));
  playing_ |= 1u << list;
  Playing playing;
  playing.handle = handle;
  playing.offset = known.offset;
  playing.count = known.count;
  playing.started = now;
  playing.ticket = ticket;
  lists_[list] = playing;
}

void ListPlaces::end(std::size_t list) {
  assert(lists_[list].over());
  place_of(lists_[list].handle).plays = false;
  playing_ &= ~(1u << list);
}

void ListPlaces::issue(std::size_t list, Direction direction, Place place) {
  Playing& playing = lists_[list];
  numbers_[direction].set(place, playing.issued[direction]++);
  playing.places[direction] |= place_bit(place);
  ++playing.changes;
}

void ListPlaces::refuse(std::size_t list, Direction direction) {
  Playing& playing = lists_[list];
  ++playing.issued[direction];
  playing.failed = true;
  ++playing.changes;
}

// A transfer is complete if it has been issued and no place has it.
bool ListPlaces::met(std::size_t list, Dependency dependency) const {
  if (dependency.none()) return true;
  const Direction direction = dependency.receive() ? kReceives : kSends;
  const Playing& playing = lists_[list];
  if (dependency.number() >= playing.issued[direction]) return false;
  for (PlaceSet set = playing.places[direction]; set != 0; set &= set - 1) {
    const auto place = static_cast<Place>(std::countr_zero(set));
    if (numbers_[direction][place] == dependency.number()) return false;
  }
  return true;
}

bool ListPlaces::met(std::size_t list, const Dependencies& dependencies) const {
  return std::ranges::all_of(dependencies,
                             [&](Dependency dependency) { return met(list, dependency); });
}

void ListPlaces::complete(Direction direction, PlaceSet completed, PlaceSet failed) {
  for (unsigned rest = playing_; rest != 0; rest &= rest - 1) {
    Playing& playing = lists_[static_cast<std::size_t>(std::countr_zero(rest))];
    PlaceSet& places = playing.places[direction];
    if ((places & completed) == 0) continue;
    playing.failed |= (places & failed) != 0;
    places &= ~completed;
    ++playing.changes;
  }
}

}  // namespace annelid::nic
