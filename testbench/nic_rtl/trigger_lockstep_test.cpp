// The trigger unit's RTL, cycle by cycle. Counters alone: beside the model's unit
// (docs/internals/nic/registers.md, Triggered sends). With sends of lists: beside a literal reading
// of docs/internals/nic/lists.md, Held by a list, which keeps for every transfer when it was issued
// and when it was complete.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "Vtrigger_12.h"
#include "nic/list_places.hpp"
#include "nic/trigger_unit.hpp"
#include "systemc/cosim/rtl_pins.hpp"
#include "systemc/network/types.hpp"
#include "testbench/nic_rtl/seed.hpp"
#include "testbench/nic_rtl/verilated_unit.hpp"

namespace annelid::nic {
namespace {

namespace pins = systemc::pins;

constexpr std::size_t kLists = 4, kDependencies = 3;
constexpr std::uint16_t kNone = 0xffff, kReceive = 0x8000;

/// The parameters of a Verilated unit.
template <typename Unit>
struct Shape;
template <>
struct Shape<Vtrigger_12> {
  static constexpr unsigned kPlaces = 12;
};

/// A send or a receive of a list. Cycles are kNever until they come.
struct Transfer {
  Cycle issued = kNever, complete = kNever, fired = kNever;
  bool join = false, held = false;
  Place place = 0;
  std::uint32_t destination = 0;
  std::uint16_t tag = 0;
  std::array<std::uint16_t, kDependencies> dependencies{kNone, kNone, kNone};

  [[nodiscard]] bool is_complete_before(Cycle now) const { return issued < now && complete < now; }
};

struct List {
  std::vector<Transfer> sends, receives;
  std::size_t sends_issued = 0, receives_issued = 0;

  [[nodiscard]] Transfer& of(std::uint16_t reference) {
    return (reference & kReceive) != 0 ? receives[reference & 0x7fff] : sends[reference];
  }
  [[nodiscard]] bool met(std::uint16_t reference, Cycle now) {
    return reference == kNone || of(reference).is_complete_before(now);
  }
  [[nodiscard]] bool met(const Transfer& transfer, Cycle now) {
    return std::ranges::all_of(transfer.dependencies,
                               [&](std::uint16_t reference) { return met(reference, now); });
  }
  [[nodiscard]] bool over() const {
    const auto complete = [](const Transfer& t) { return t.complete != kNever; };
    return std::ranges::all_of(sends, complete) && std::ranges::all_of(receives, complete);
  }
};

/// A held send, oldest first.
struct Held {
  Place place = 0;
  std::optional<std::size_t> list;  ///< none: it waits for a counter
  std::size_t number = 0;
  std::uint8_t counter = 0;
  std::uint32_t threshold = 0;
};

template <typename Unit>
class TriggerLockstep : public testing::Test {
 protected:
  static constexpr unsigned kPlaces = Shape<Unit>::kPlaces;

  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  bool chance(unsigned percent) { return below(100) < percent; }

  void run(std::uint64_t cycles, bool with_lists) {
    with_lists_ = with_lists;
    for (now_ = 1; now_ <= cycles && !HasFailure(); ++now_) cycle();
    EXPECT_GT(fired_, cycles / 20) << "too little to do";
    EXPECT_EQ(fired_joins_ > cycles / 200, with_lists);
  }

  void cycle() {
    clear_inputs();
    step_counters();
    if (chance(now_ / 100 % 2 == 0 ? 50 : 5)) hold();
    rtl_->eval();
    compare_firing();
    if (with_lists_) {
      for (std::size_t list = 0; list < kLists; ++list) complete_some(list);
      const std::size_t list = below(kLists);
      if (lists_[list].over())
        renew(list);
      else if (chance(60))
        issue(list);
    }
    complete_fired();
    rtl_->eval();
    rtl_.clock();
  }

  void clear_inputs() {
    rtl_->hold_valid_i = 0;
    rtl_->issue_valid_i = 0;
    rtl_->issue_hold_i = 0;
    rtl_->issue_join_i = 0;
    rtl_->issue_refused_i = 0;
    pins::clear(rtl_->issue_dependencies_i);
    pins::clear(rtl_->send_done_i);
    pins::clear(rtl_->receive_done_i);
  }

  void step_counters() {
    for (std::uint32_t& counter : counters_) {
      if (chance(10)) counter += static_cast<std::uint32_t>(below(3));
      if (chance(1)) counter = chance(50) ? 0 : 0xffff'fff0 + static_cast<std::uint32_t>(below(16));
    }
    pins::clear(rtl_->counters_i);
    for (std::size_t i = 0; i < counters_.size(); ++i) {
      pins::put(rtl_->counters_i, static_cast<int>(32 * i), 32, counters_[i]);
    }
  }

  std::optional<Place> take(PlaceSet& occupied) {
    for (unsigned tries = 0; tries < 4; ++tries) {
      const auto place = static_cast<Place>(below(kPlaces));
      if ((occupied >> place & 1) != 0) continue;
      occupied |= PlaceSet{1} << place;
      return place;
    }
    return std::nullopt;
  }

  void hold() {
    const std::optional<Place> place = take(sends_);
    if (!place) return;
    const auto counter = static_cast<std::uint8_t>(below(counters_.size()));
    const std::uint32_t threshold = counters_[counter] - 1 + static_cast<std::uint32_t>(below(4));
    held_.push_back({*place, std::nullopt, 0, counter, threshold});
    if (!with_lists_) model_.hold(*place, counter, threshold);
    rtl_->hold_valid_i = 1;
    rtl_->hold_place_i = *place;
    rtl_->hold_counter_i = counter;
    rtl_->hold_threshold_i = threshold;
  }

  bool can_fire(const Held& held) {
    if (!held.list) return counters_[held.counter] >= held.threshold;
    List& list = lists_[*held.list];
    const Transfer& send = list.sends[held.number];
    if (!list.met(send, now_)) return false;
    if (send.join) return true;
    for (const Held& older : held_) {
      if (&older == &held) break;
      if (same(older, *held.list, send)) return false;
    }
    return true;
  }

  bool same(const Held& held, std::size_t list, const Transfer& send) {
    if (held.list != list) return false;
    const Transfer& other = lists_[list].sends[held.number];
    return !other.join && other.destination == send.destination && other.tag == send.tag;
  }

  void compare_firing() {
    const auto fires =
        std::ranges::find_if(held_, [&](const Held& held) { return can_fire(held); });
    ASSERT_EQ(rtl_->fire_valid_o != 0, fires != held_.end()) << "cycle " << now_;
    if (!with_lists_) {
      const std::optional<Place> expected = model_.fire(counters_);
      ASSERT_EQ(expected.has_value(), fires != held_.end()) << "cycle " << now_;
      if (expected) {
        ASSERT_EQ(*expected, rtl_->fire_place_o) << "cycle " << now_;
      }
    }
    if (fires == held_.end()) return;
    ASSERT_EQ(rtl_->fire_place_o, fires->place) << "cycle " << now_;
    bool join = false;
    if (fires->list) {
      Transfer& send = lists_[*fires->list].sends[fires->number];
      join = send.join;
      send.fired = now_;
      send.held = false;
      if (join) finish(send, sends_);
    } else {
      triggered_.push_back(fires->place);
    }
    ASSERT_EQ(rtl_->fire_join_o != 0, join) << "cycle " << now_;
    ++fired_;
    fired_joins_ += join ? 1 : 0;
    held_.erase(fires);
  }

  void finish(Transfer& transfer, PlaceSet& occupied) {
    transfer.complete = now_;
    freed_.emplace_back(&occupied, transfer.place);
  }

  /// Transfers of a list that are under way are complete some time. One that has just fired may be
  /// dropped, for an overlap.
  void complete_some(std::size_t list) {
    for (Transfer& send : lists_[list].sends) {
      if (send.issued == kNever || send.held || send.complete != kNever || !chance(15)) continue;
      finish(send, sends_);
      pins::put(rtl_->send_done_i, send.place, 1, 1);
    }
    for (Transfer& receive : lists_[list].receives) {
      if (receive.issued == kNever || receive.complete != kNever || !chance(15)) continue;
      finish(receive, receives_);
      pins::put(rtl_->receive_done_i, receive.place, 1, 1);
    }
  }

  void complete_fired() {
    std::erase_if(triggered_, [&](Place place) {
      if (!chance(30)) return false;
      freed_.emplace_back(&sends_, place);
      pins::put(rtl_->send_done_i, place, 1, 1);
      return true;
    });
    // A place is free for those that come in the next cycle.
    for (const auto& [occupied, place] : freed_) *occupied &= ~(PlaceSet{1} << place);
    freed_.clear();
  }

  /// Other transfers, whose dependencies come before them in some order of all.
  void renew(std::size_t at) {
    List& list = lists_[at];
    list = {};
    std::vector<std::uint16_t> order;
    for (std::size_t left = below(40); left > 0; --left) {
      const bool receive = chance(40);
      auto& part = receive ? list.receives : list.sends;
      Transfer transfer;
      transfer.join = !receive && chance(15);
      transfer.destination = static_cast<std::uint32_t>(transfer.join ? 0 : below(3));
      transfer.tag = static_cast<std::uint16_t>(transfer.join ? 0 : below(2));
      for (std::uint16_t& dependency : transfer.dependencies) {
        if (!order.empty() && chance(40)) {
          const std::size_t near = std::min<std::size_t>(order.size(), 12);
          dependency = order[order.size() - 1 - below(near)];
        }
      }
      order.push_back(static_cast<std::uint16_t>(part.size() | (receive ? kReceive : 0u)));
      part.push_back(transfer);
    }
  }

  void issue(std::size_t at) {
    List& list = lists_[at];
    const bool receive = chance(50);
    auto& part = receive ? list.receives : list.sends;
    std::size_t& issued = receive ? list.receives_issued : list.sends_issued;
    if (issued == part.size()) return;
    Transfer& transfer = part[issued];
    if (receive && !list.met(transfer, now_)) return;
    PlaceSet& occupied = receive ? receives_ : sends_;
    const std::optional<Place> place = take(occupied);
    if (!place) return;
    transfer.place = *place;
    const bool refused = chance(5);
    const bool same_held =
        std::ranges::any_of(held_, [&](const Held& held) { return same(held, at, transfer); });
    transfer.held =
        !refused && !receive && (transfer.join || same_held || !list.met(transfer, now_));
    put_issue(at, transfer, static_cast<std::uint16_t>(issued | (receive ? kReceive : 0u)));
    rtl_->issue_refused_i = refused ? 1 : 0;
    rtl_->eval();
    if (!receive && !transfer.join) {
      EXPECT_EQ(rtl_->same_held_o != 0, same_held) << "cycle " << now_;
    }
    transfer.issued = now_;
    if (refused) finish(transfer, occupied);
    if (transfer.held) held_.push_back({*place, at, issued, 0, 0});
    ++issued;
  }

  void put_issue(std::size_t at, const Transfer& transfer, std::uint16_t reference) {
    rtl_->issue_valid_i = 1;
    rtl_->issue_list_i = static_cast<CData>(at);
    rtl_->issue_reference_i = reference;
    rtl_->issue_place_i = transfer.place;
    rtl_->issue_hold_i = transfer.held ? 1 : 0;
    rtl_->issue_join_i = transfer.join ? 1 : 0;
    rtl_->issue_destination_i = transfer.destination;
    rtl_->issue_tag_i = transfer.tag;
    for (std::size_t d = 0; d < kDependencies; ++d) {
      pins::put(rtl_->issue_dependencies_i, static_cast<int>(18 * d), 18,
                encoded(at, transfer.dependencies[d]));
    }
  }

  /// A dependency as the list unit gives it away: 0 met, 1 on a place, 2 on an issue.
  std::uint32_t encoded(std::size_t at, std::uint16_t reference) {
    if (lists_[at].met(reference, now_)) return 0;
    const Transfer& awaited = lists_[at].of(reference);
    if (awaited.issued >= now_) return 2u << 16 | reference;
    return 1u << 16 | (reference & kReceive) | awaited.place;
  }

  std::mt19937_64 random_{testbench::seed()};
  ListPlaces no_lists_;
  TriggerUnit model_{no_lists_};
  testbench::VerilatedUnit<Unit> rtl_;
  std::array<std::uint32_t, reg::kCounters> counters_{};
  std::array<List, kLists> lists_;
  std::vector<Held> held_;
  std::vector<Place> triggered_;  ///< have fired, and are not complete
  std::vector<std::pair<PlaceSet*, Place>> freed_;
  PlaceSet sends_ = 0, receives_ = 0;
  Cycle now_ = 0;
  bool with_lists_ = false;
  std::uint64_t fired_ = 0, fired_joins_ = 0;
};

using TriggerLockstep12 = TriggerLockstep<Vtrigger_12>;

TEST_F(TriggerLockstep12, RandomCounters) {
  SCOPED_TRACE("ANNELID_SEED=" + std::to_string(testbench::seed()));
  run(testbench::cycles(), false);
}

TEST_F(TriggerLockstep12, RandomLists) {
  SCOPED_TRACE("ANNELID_SEED=" + std::to_string(testbench::seed()));
  run(testbench::cycles(), true);
}

}  // namespace
}  // namespace annelid::nic
