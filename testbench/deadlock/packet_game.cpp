#include "testbench/deadlock/packet_game.hpp"

#include <algorithm>
#include <deque>
#include <unordered_set>
#include <utility>

namespace annelid::deadlock {
namespace {

bool holds(const GamePacket& packet, std::uint32_t place) {
  return std::ranges::find(packet.places, place) != packet.places.end();
}

/// Equal for positions that differ only in the order of packets in different places.
std::string normal(Position& position) {
  std::ranges::stable_sort(position, {}, [](const GamePacket& p) { return p.places.front(); });
  std::string text;
  for (const GamePacket& p : position) {
    text += static_cast<char>(p.kind.to);
    text += static_cast<char>(p.kind.cls);
    text += static_cast<char>(p.source);
    text += static_cast<char>(p.length);
    text += static_cast<char>(p.places.size());
    for (const std::uint32_t place : p.places) text += static_cast<char>(place);
  }
  return text;
}

}  // namespace

PacketGame::PacketGame(const Network& network)
    : network_(network), ring_of_(network.vcs()), step_of_(network.vcs()) {
  for (std::size_t r = 0; r < network.rings.size(); ++r) {
    for (std::size_t i = 0; i < network.rings[r].vcs.size(); ++i) {
      ring_of_[network.rings[r].vcs[i]] = r;
      step_of_[network.rings[r].vcs[i]] = i;
    }
  }
}

/// Packets that a place holds. Two are the fewest with which a ring can leave one free.
std::size_t PacketGame::room_of(std::uint32_t place) const {
  return place < network_.vcs() && ring_of_[place] ? 2 : 1;
}

std::size_t PacketGame::room_needed(std::uint32_t place, std::optional<std::uint32_t> from) const {
  if (place >= network_.vcs() || !ring_of_[place]) return 1;
  if (!from || *from >= network_.vcs() || ring_of_[*from] != ring_of_[place]) return 2;
  const std::size_t size = network_.rings[*ring_of_[place]].vcs.size();
  return (*step_of_[*from] + 1) % size == *step_of_[place] ? 1 : 2;
}

bool PacketGame::has_room(const Position& position, std::uint32_t place,
                          std::optional<std::uint32_t> from) const {
  const auto here = static_cast<std::size_t>(
      std::ranges::count_if(position, [&](const GamePacket& p) { return holds(p, place); }));
  return here + room_needed(place, from) <= room_of(place);
}

bool PacketGame::at_front(const Position& position, std::size_t packet) const {
  const std::uint32_t place = position[packet].places.back();
  for (std::size_t p = 0; p < packet; ++p) {
    if (holds(position[p], place)) return false;
  }
  return true;
}

std::vector<std::uint32_t> PacketGame::next(const Position& position, std::size_t packet) const {
  const GamePacket& p = position[packet];
  const std::uint32_t place = p.places.back();
  const bool in_vc = place < network_.vcs();
  const std::uint32_t node = network_.node_of(place);
  std::vector<std::uint32_t> places;
  if (in_vc && node == p.kind.to) {
    for (std::size_t a = 0; a < network_.answers.size(); ++a) {
      if (network_.answers[a].request == p.kind.cls) {
        places.push_back(network_.answer_place(node, a));
      }
    }
    return places;
  }
  std::vector<Choice> choices;
  network_.next(in_vc ? place : network_.vcs() + node, p.kind, choices);
  for (const Choice& choice : choices) places.push_back(choice.vc);
  return places;
}

bool PacketGame::arrives(const Position& position, std::size_t packet) const {
  const std::uint32_t place = position[packet].places.back();
  return place < network_.vcs() && network_.node_of(place) == position[packet].kind.to &&
         next(position, packet).empty();
}

/// Removes the packets that have come to their destination, are at the front of its buffer, and
/// need no answer.
void PacketGame::deliver(Position& position) const {
  for (std::size_t p = 0; p < position.size();) {
    if (arrives(position, p) && at_front(position, p)) {
      position.erase(position.begin() + static_cast<std::ptrdiff_t>(p));
      p = 0;  // others may be at a front now
    } else {
      ++p;
    }
  }
}

bool PacketGame::inject(Position& position, std::uint32_t node, Packet kind, std::uint32_t vc,
                        std::size_t length) const {
  std::vector<Choice> choices;
  network_.next(network_.vcs() + node, kind, choices);
  const bool permitted = std::ranges::find(choices, vc, &Choice::vc) != choices.end();
  const bool is_answer =
      std::ranges::find(network_.answers, kind.cls, &Answer::reply) != network_.answers.end();
  if (!permitted || is_answer || node == kind.to || !has_room(position, vc, std::nullopt)) {
    return false;
  }
  position.push_back({kind, node, length, {vc}});
  deliver(position);
  return true;
}

bool PacketGame::advance(Position& position, std::size_t packet, std::uint32_t place,
                         std::size_t length) const {
  const std::vector<std::uint32_t> places = next(position, packet);
  const std::uint32_t from = position[packet].places.back();
  if (std::ranges::find(places, place) == places.end() || !at_front(position, packet) ||
      !has_room(position, place, from)) {
    return false;
  }
  GamePacket moved = position[packet];
  position.erase(position.begin() + static_cast<std::ptrdiff_t>(packet));
  if (place >= network_.vcs()) {
    const Answer& answer = network_.answers[(place - network_.vcs()) % network_.answers.size()];
    moved = {{moved.source, answer.reply}, moved.kind.to, length, {place}};
  } else {
    moved.places.push_back(place);
    if (moved.places.size() > moved.length) moved.places.erase(moved.places.begin());
  }
  position.push_back(std::move(moved));  // behind all that are in the place already
  deliver(position);
  return true;
}

bool PacketGame::stuck(const Position& position) const {
  std::vector<bool> dead(position.size(), true);
  const auto dead_in = [&](std::uint32_t place) {
    std::size_t count = 0;
    for (std::size_t p = 0; p < position.size(); ++p) {
      if (dead[p] && holds(position[p], place)) ++count;
    }
    return count;
  };
  const auto may_move = [&](std::size_t packet) {
    const std::uint32_t place = position[packet].places.back();
    for (std::size_t p = 0; p < packet; ++p) {  // behind a dead one it waits
      if (dead[p] && holds(position[p], place)) return false;
    }
    if (arrives(position, packet)) return true;
    const std::vector<std::uint32_t> places = next(position, packet);
    return std::ranges::any_of(places, [&](std::uint32_t to) {
      return dead_in(to) + room_needed(to, place) <= room_of(to);
    });
  };
  for (bool more = true; more;) {
    more = false;
    for (std::size_t p = 0; p < position.size(); ++p) {
      if (!dead[p] || !may_move(p)) continue;
      dead[p] = false;
      more = true;
    }
  }
  return std::ranges::find(dead, true) != dead.end();
}

PacketGame::Outcome PacketGame::search(std::size_t longest, std::size_t most) const {
  Outcome outcome;
  std::unordered_set<std::string> seen;
  std::deque<Position> open;
  const auto reach = [&](Position position) {
    if (seen.insert(normal(position)).second) open.push_back(std::move(position));
  };
  reach({});
  while (!open.empty()) {
    const Position position = std::move(open.front());
    open.pop_front();
    ++outcome.positions;
    if (stuck(position)) {
      outcome.deadlock = position;
      return outcome;
    }
    if (seen.size() > most) {
      outcome.complete = false;
      return outcome;
    }
    for (std::size_t length = 1; length <= longest; ++length) {
      for (std::uint32_t node = 0; node < network_.nodes.size(); ++node) {
        for (std::uint32_t to = 0; to < network_.nodes.size(); ++to) {
          for (std::size_t cls = 0; cls < network_.classes.size(); ++cls) {
            const Packet kind{to, static_cast<std::uint8_t>(cls)};
            if (node == to) continue;
            std::vector<Choice> choices;
            network_.next(network_.vcs() + node, kind, choices);
            for (const Choice& choice : choices) {
              Position moved = position;
              if (inject(moved, node, kind, choice.vc, length)) reach(std::move(moved));
            }
          }
        }
      }
      for (std::size_t p = 0; p < position.size(); ++p) {
        for (const std::uint32_t place : next(position, p)) {
          if (length > 1 && place < network_.vcs()) continue;  // only an answer has a new length
          Position moved = position;
          if (advance(moved, p, place, length)) reach(std::move(moved));
        }
      }
    }
  }
  return outcome;
}

}  // namespace annelid::deadlock
