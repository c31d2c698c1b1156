// The list unit as docs/internals/nic/lists.md describes it, cycle by cycle and without a thought
// of speed: which cycle starts, fetches, issues, fires and ends what. It is told what the core did
// and when messages were complete.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "systemc/network/types.hpp"

namespace annelid::test {

/// The transfers of a list. All its sends go to one node.
struct PlannedList {
  struct Transfer {
    std::uint16_t tag = 0;
    bool join = false;
    std::vector<std::uint32_t> waits;  ///< as on_receive() and on_send() say it
  };
  std::vector<Transfer> receives, sends;
};

/// What the core and the host do in a cycle, in their order.
struct Deed {
  enum class What : std::uint8_t { kGo, kCall, kReceive, kSend, kTriggered };
  Cycle cycle = 0;  ///< of a call: the first in which it can be seen
  What what = What::kGo;
  std::uint16_t number = 0;  ///< a handle, or a tag
};

class ListOracle {
 public:
  /// What can be seen after a cycle, and what was done in it.
  struct After {
    std::uint32_t send_space = 0, receive_space = 0, list_space = 0, plays = 0;
    std::vector<std::uint16_t> posted;
    std::vector<std::uint16_t> ended_by_core, ended_by_call;  ///< handles
    friend bool operator==(const After&, const After&) = default;
  };
  /// What is complete in a cycle.
  struct Complete {
    bool receive = false;
    std::uint16_t tag = 0;
  };

  /// A list's handle is its index.
  explicit ListOracle(std::vector<PlannedList> lists) : known_(std::move(lists)) {}

  After step(Cycle now, const std::vector<Deed>& deeds, const std::vector<Complete>& complete) {
    After after;
    for (const Deed& deed : deeds) act(deed, after);
    fire(after);
    unit(now, after);
    for (const Complete& one : complete) complete_one(one);
    for (const Key& join : joins_fired_) {
      outstanding_.erase(join);
      ++free_[1];
    }
    joins_fired_.clear();
    after.send_space = free_[1];
    after.receive_space = free_[0];
    for (const auto& place : places_) after.list_space += place ? 0 : 1;
    for (std::size_t i = 0; i < known_.size(); ++i) after.plays |= plays(i) ? 1u << i : 0;
    return after;
  }
  /// Whether a call waits for the core, and not for the list unit, in the cycle to come.
  [[nodiscard]] bool call_waits(const std::vector<Deed>& to_come) const {
    if (!calls_.empty()) return plays(calls_.front());
    const auto call = std::ranges::find(to_come, Deed::What::kCall, &Deed::what);
    return call != to_come.end() && plays(call->number);
  }
  [[nodiscard]] bool quiet() const { return calls_.empty() && outstanding_.empty() && !playing(); }
  /// The most places of a direction that a list has occupied.
  [[nodiscard]] std::size_t most() const { return most_; }
  [[nodiscard]] std::size_t put_back() const { return put_back_; }
  [[nodiscard]] std::size_t held() const { return held_count_; }

 private:
  static constexpr std::size_t kLists = 4;
  struct Playing {
    std::size_t handle = 0;
    Cycle started = 0;
    bool by_call = false;
    std::array<std::size_t, 2> issued{};  // receives, sends
    std::optional<std::vector<std::uint32_t>> waits;
  };
  /// A list place, 0 or 1 for a receive or send, and a number.
  struct Key {
    std::size_t place = 0, send = 0, number = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Held {
    std::uint16_t tag = 0;
    std::optional<Key> key;  // of a list's
    bool join = false;
    std::vector<std::uint32_t> waits;
  };
  struct Posted {
    std::uint16_t tag = 0;
    std::optional<Key> key;
  };

  [[nodiscard]] bool playing() const {
    for (const auto& place : places_) {
      if (place) return true;
    }
    return false;
  }
  [[nodiscard]] bool plays(std::size_t handle) const {
    for (const auto& place : places_) {
      if (place && place->handle == handle) return true;
    }
    return false;
  }
  [[nodiscard]] const std::vector<PlannedList::Transfer>& part(const Playing& list,
                                                               std::size_t send) const {
    return send != 0 ? known_[list.handle].sends : known_[list.handle].receives;
  }

  void start(std::size_t handle, bool by_call, Cycle now) {
    for (auto& place : places_) {
      if (place) continue;
      place = Playing{handle, now, by_call, {}, {}};
      return;
    }
  }
  void act(const Deed& deed, After& after) {
    switch (deed.what) {
      case Deed::What::kGo:
        return start(deed.number, false, deed.cycle);
      case Deed::What::kCall:
        return calls_.push_back(deed.number);
      case Deed::What::kReceive:
        --free_[0];
        return receives_.push_back({deed.number, {}});
      case Deed::What::kSend:
        --free_[1];
        return post(deed.number, {}, after);
      case Deed::What::kTriggered:
        --free_[1];
        return held_.push_back({deed.number, {}, false, {}});
    }
  }
  void post(std::uint16_t tag, std::optional<Key> key, After& after) {
    after.posted.push_back(tag);
    sends_.push_back({tag, key});
  }

  [[nodiscard]] bool met(std::size_t place, const std::vector<std::uint32_t>& waits) const {
    for (const std::uint32_t wait : waits) {
      const Key key{place, wait >= 0x8000 ? 0u : 1u, wait & 0x7fff};
      if (key.number >= places_[place]->issued[key.send] || outstanding_.count(key) != 0) {
        return false;
      }
    }
    return true;
  }
  /// Whether a send is held behind which one of this list with this tag must stay.
  [[nodiscard]] bool behind(std::size_t count, std::size_t place, std::uint16_t tag) const {
    for (std::size_t i = 0; i < count; ++i) {
      const Held& held = held_[i];
      if (held.key && held.key->place == place && !held.join && held.tag == tag) return true;
    }
    return false;
  }
  void fire(After& after) {
    for (std::size_t i = 0; i < held_.size(); ++i) {
      const Held held = held_[i];
      if (held.key && (!met(held.key->place, held.waits) ||
                       (!held.join && behind(i, held.key->place, held.tag)))) {
        continue;
      }
      held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(i));
      if (held.join) {
        joins_fired_.push_back(*held.key);
      } else {
        post(held.tag, held.key, after);
      }
      return;
    }
  }

  [[nodiscard]] std::size_t occupied(std::size_t place, std::size_t send) const {
    std::size_t count = 0;
    for (const Key& key : outstanding_) count += key.place == place && key.send == send ? 1 : 0;
    return count;
  }
  [[nodiscard]] bool fetchable(std::size_t side, Cycle now) const {
    const std::size_t place = side / 2, send = side % 2;
    if (!places_[place]) return false;
    const Playing& list = *places_[place];
    if (list.started == now || list.issued[send] == part(list, send).size()) return false;
    if (occupied(place, send) >= 14 || free_[send] == 0) return false;
    return send == 1 || !list.waits || met(place, *list.waits);
  }
  void unit(Cycle now, After& after) {
    const auto before = places_;
    if (!calls_.empty() && !plays(calls_.front())) {
      bool free = false;
      for (const auto& place : places_) free |= !place;
      if (free) {
        start(calls_.front(), true, now);
        calls_.pop_front();
      }
    }
    for (std::size_t place = 0; place < kLists; ++place) {
      if (!before[place] || before[place]->started == now) continue;
      const Playing& list = *places_[place];
      if (list.issued[0] != part(list, 0).size() || list.issued[1] != part(list, 1).size())
        continue;
      if (occupied(place, 0) + occupied(place, 1) != 0) continue;
      (list.by_call ? after.ended_by_call : after.ended_by_core)
          .push_back(static_cast<std::uint16_t>(list.handle));
      places_[place].reset();
    }
    if (fetch_) {
      if (fetch_->second == now) issue(after);
      return;
    }
    for (std::size_t i = 1; i <= 2 * kLists; ++i) {
      const std::size_t side = (last_ + i) % (2 * kLists);
      if (!fetchable(side, now)) continue;
      fetch_ = {side, now + 3};
      last_ = side;
      --free_[side % 2];
      return;
    }
  }
  void issue(After& after) {
    const std::size_t place = fetch_->first / 2, send = fetch_->first % 2;
    fetch_.reset();
    Playing& list = *places_[place];
    const std::size_t number = list.issued[send];
    const PlannedList::Transfer& transfer = part(list, send)[number];
    const bool is_met = met(place, transfer.waits);
    if (send == 0 && !is_met) {
      list.waits = transfer.waits;
      ++free_[0];
      ++put_back_;
      return;
    }
    const Key key{place, send, number};
    ++list.issued[send];
    outstanding_.insert(key);
    most_ = std::max(most_, occupied(place, send));
    if (send == 0) {
      list.waits.reset();
      return receives_.push_back({transfer.tag, key});
    }
    if (transfer.join || !is_met || behind(held_.size(), place, transfer.tag)) {
      ++held_count_;
      return held_.push_back({transfer.tag, key, transfer.join, transfer.waits});
    }
    post(transfer.tag, key, after);
  }
  /// Messages of one tag are in their order.
  void complete_one(const Complete& one) {
    std::deque<Posted>& posted = one.receive ? receives_ : sends_;
    for (auto at = posted.begin(); at != posted.end(); ++at) {
      if (at->tag != one.tag) continue;
      if (at->key) outstanding_.erase(*at->key);
      ++free_[one.receive ? 0 : 1];
      posted.erase(at);
      return;
    }
  }

  const std::vector<PlannedList> known_;
  std::array<std::optional<Playing>, kLists> places_;
  std::array<std::uint32_t, 2> free_{64, 64};  // receives, sends
  std::deque<std::uint16_t> calls_;
  std::vector<Held> held_;
  std::set<Key> outstanding_;  // issued and not complete
  std::deque<Posted> receives_, sends_;
  std::vector<Key> joins_fired_;
  std::optional<std::pair<std::size_t, Cycle>> fetch_;  // side, and the cycle of its end
  std::size_t last_ = 7;
  std::size_t most_ = 0, put_back_ = 0, held_count_ = 0;
};

}  // namespace annelid::test
