// The RTL of list unit and trigger unit beside a NIC of the model, cycle by cycle
// (docs/internals/nic/lists.md). The NIC sends to itself. Its messages tell the RTL what is
// complete, and all else is compared: which sends leave and in which order, errors, ends, calls,
// and the registers that count places and lists. State space: lists with dependencies of all kinds,
// joins, sends of one tag, refused descriptors, messages that are too long, four lists at once,
// starts by core and call, lists that are set anew, bad accesses, triggered sends in between.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "Vlists_64.h"
#include "Vtrigger_64.h"
#include "nic/places.hpp"
#include "systemc/cosim/rtl_pins.hpp"
#include "testbench/nic/list_script.hpp"
#include "testbench/nic/lone_nic.hpp"
#include "testbench/nic_rtl/seed.hpp"
#include "testbench/nic_rtl/verilated_unit.hpp"

namespace annelid::test {
namespace {

namespace pins = systemc::pins;

constexpr NodeId kNode = 5;
constexpr Address kOwn{1, 1, 0};
constexpr std::uint32_t kSendBytes = 8, kBadPort = 77, kBadSource = 0xffffff;
constexpr std::uint16_t kCoreTags = 0x4000;
constexpr std::size_t kPairs = 40;  ///< messages of a list, at most
constexpr unsigned kCounter = 3;

/// What a NIC says in a cycle.
class Watched : public LoneNic {
 public:
  explicit Watched(const nic::NicConfig& config) : LoneNic(config, kNode) { polled = true; }

  void called(Cycle now, NodeId, std::uint16_t) override { visible = now; }
  void send_posted(Cycle, const nic::MessageInfo& info) override { posted.push_back(info.step); }
  void send_completed(Cycle, const nic::MessageInfo& info) override { sent.push_back(info.step); }

  void forget() {
    posted.clear();
    sent.clear();
    failures.clear();
    calls_finished.clear();
  }

  std::vector<std::uint32_t> posted, sent;  ///< steps
  Cycle visible = 0;                        ///< of the last call
};

/// A list as it lies in memory.
struct Prepared {
  std::uint16_t handle = 0;
  std::uint32_t offset = 0, counts = 0;
};

class ListLockstep : public testing::Test {
 protected:
  ListLockstep() : nic_(small_config()) {
    for (const std::uint16_t handle : {0x21, 0x02, 0x43, 0x04, 0x1f, 0x05, 0x41}) prepare(handle);
  }

  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  bool chance(unsigned percent) { return below(100) < percent; }

  // ---- Lists ----------------------------------------------------------------------------------

  /// A list of messages to the node itself. Each comes after those that it depends on.
  void prepare(std::uint16_t handle) {
    List list;
    Waits order;
    std::uint32_t sends = 0, receives = 0;
    const auto tags = static_cast<std::uint16_t>(lists_.size() * 64);
    const std::size_t pairs = 1 + below(kPairs);
    for (std::size_t i = 0; i < pairs; ++i) {
      if (chance(15) && !order.empty()) {
        list.join(some(order));
        order.push_back(on_send(sends++));
      }
      add_pair(list, static_cast<std::uint16_t>(tags + (chance(25) ? i / 4 : i)), order,
               static_cast<std::uint32_t>(tags + i), sends, receives);
      order.push_back(on_send(sends++));
      order.push_back(on_receive(receives++));
    }
    const auto offset = static_cast<std::uint32_t>(0x20000 + lists_.size() * 0x2000);
    list.store(nic_.nic.memory(), offset);
    lists_.push_back({handle, offset, list.counts()});
  }

  void add_pair(List& list, std::uint16_t tag, const Waits& order, std::uint32_t step,
                std::uint32_t send_number, std::uint32_t receive_number) {
    const bool bad = chance(5), too_long = chance(5);
    if (too_long) too_long_[tag] = true;
    SendOrder send{kOwn, 0x800, too_long_[tag] ? 2 * kSendBytes : kSendBytes, tag, 0};
    send.step = step;
    tags_[step] = tag;
    ReceiveOrder receive{kOwn, 0x1000 + 16 * step, kSendBytes, tag, 0};
    const Waits none;
    const bool waits = !order.empty();
    list.send(send, waits && chance(50) ? some(order) : none);
    list.receive(receive, waits && chance(30) ? some(order) : none);
    if (!bad) return;
    if (chance(50)) {
      list.send_word(0, pack(kOwn) | kBadPort << 24).receive_word(0, kBadSource);
    } else if (chance(50)) {  // dependencies that do not exist
      list.send_word(7, 0xffff0000 | 0x7fff).receive_word(7, 0xffff0000 | 0xfffe);
    } else {  // on themselves
      list.send_word(7, 0xffff0000 | on_send(send_number));
      list.receive_word(7, 0xffff0000 | on_receive(receive_number));
    }
  }

  Waits some(const Waits& order) {
    Waits waits;
    for (std::size_t n = 1 + below(3); n > 0; --n) {
      const std::size_t near = std::min<std::size_t>(order.size(), 16);
      waits.push_back(order[order.size() - 1 - below(near)]);
    }
    return waits;
  }

  // ---- A cycle --------------------------------------------------------------------------------

  void run(std::uint64_t cycles) {
    nic_.script->at(0, [this](Registers& r) { core(r); });
    for (now_ = 0; now_ < cycles && !HasFailure(); ++now_) cycle();
    EXPECT_GT(posted_, cycles / 20) << "too little to do";
    EXPECT_GT(ended_, cycles / 1000) << "too few lists";
  }

  void cycle() {
    SCOPED_TRACE("cycle " + std::to_string(now_));
    clear_inputs();
    compare_registers();
    call();
    nic_.script->at(now_ + 1, [this](Registers& r) { core(r); });  // it asks when to wake
    nic_.forget();
    nic_.run_until(now_ + 1);
    put_call();
    put_places();
    settle();
    compare_events();
    complete();
    list_->eval();
    trigger_->eval();
    list_.clock();
    trigger_.clock();
    sends_ &= ~freed_sends_;
    receives_ &= ~freed_receives_;
    freed_sends_ = freed_receives_ = 0;
  }

  void clear_inputs() {
    list_->memory_bytes_i = 1u << 20;
    list_->set_valid_i = 0;
    list_->go_valid_i = 0;
    list_->taken_i = 0;
    list_->call_valid_i = 0;
    list_->judge_refused_i = 0;
    list_->send_done_i = list_->receive_done_i = 0;
    list_->send_failed_i = list_->receive_failed_i = 0;
    trigger_->send_done_i = trigger_->receive_done_i = 0;
    trigger_->hold_valid_i = 0;
    pins::clear(trigger_->counters_i);
  }

  std::uint32_t peek(std::uint32_t offset) { return nic_.nic.peek(offset).value_or(~0u); }

  /// What the core would read at the start of the cycle.
  void compare_registers() {
    put_call();
    list_->eval();
    EXPECT_EQ(peek(reg::kListSpace), list_->space_o);
    EXPECT_EQ(peek(reg::kListPlays), list_->plays_o);
    EXPECT_EQ(peek(reg::kSendSpace), 64u - static_cast<unsigned>(std::popcount(sends_)));
    EXPECT_EQ(peek(reg::kRecvSpace), 64u - static_cast<unsigned>(std::popcount(receives_)));
    const bool shown = list_->call_valid_i != 0 && list_->call_hidden_o == 0;
    EXPECT_EQ((peek(reg::kEvent) & 1) != 0, shown);
    EXPECT_EQ((peek(reg::kEvent) & 2) != 0, !completions_.empty());
  }

  void call() {
    if (!chance(3) || nic_.nic.calls_full()) return;
    const std::uint16_t handle = lists_[below(lists_.size())].handle;
    const std::uint16_t ticket = nic_.nic.call(start_call(handle));
    calls_.push_back({nic_.visible, handle, ticket});
  }
  void put_call() {
    if (calls_.empty() || calls_.front().visible > now_) return;
    list_->call_valid_i = 1;
    list_->call_handle_i = calls_.front().handle;
    list_->call_ticket_i = calls_.front().ticket;
  }

  // ---- The core -------------------------------------------------------------------------------

  void core(Registers& r) {
    r.write(reg::kError, 0);
    if (now_ < lists_.size()) return set(r, lists_[now_]);
    const Prepared& list = lists_[below(lists_.size())];
    switch (below(12)) {
      case 0:
        return go(r, list.handle);
      case 1:
        return chance(20) ? set(r, list) : void();
      case 2:
        return chance(10) ? set(r, {list.handle, list.offset, 0}) : void();
      case 3:
        return chance(20) ? set_badly(r, list) : void();
      case 4:
        return take_completion(r);
      case 5:
        return hold_send(r);
      default:
        return count(r);
    }
  }

  void set(Registers& r, const Prepared& list) {
    set_list(r, list.handle, list.offset, list.counts);
    list_->set_valid_i = 1;
    list_->handle_i = list.handle;
    list_->offset_i = list.offset;
    list_->counts_i = list.counts;
  }

  void set_badly(Registers& r, Prepared list) {
    switch (below(4)) {
      case 0:
        list.offset |= static_cast<std::uint32_t>(1 + below(7));
        break;
      case 1:
        list.counts |= 0x8000;
        break;
      case 2:
        list.counts |= 0x8000'0000;
        break;
      default:
        list.offset = (1u << 20) - 32 * (list.counts >> 16) - 32 * (list.counts & 0xffff) + 8;
    }
    set(r, list);
  }

  void go(Registers& r, std::uint16_t handle) {
    r.write(reg::kListGo, handle);
    list_->go_valid_i = 1;
    list_->handle_i = handle;
  }

  void take_completion(Registers& r) {
    const std::uint32_t word = r.read(reg::kCompletion);
    if (completions_.empty()) {
      EXPECT_EQ(word, 0u);
      return;
    }
    EXPECT_EQ(word, completions_.front());
    completions_.pop_front();
    list_->taken_i = 1;
  }

  /// A send that waits for a counter, and its receive.
  void hold_send(Registers& r) {
    if (r.read(reg::kSendSpace) < 4 || r.read(reg::kRecvSpace) < 4) return;
    const auto number = static_cast<std::uint16_t>(below(1000));
    const auto tag = static_cast<std::uint16_t>(kCoreTags + number);
    if (core_messages_.contains(tag)) return;
    constexpr std::uint32_t kQuiet = 1u << 8 | reg::kNoCounter;
    ReceiveOrder receive{kOwn, 0x8000u + 16u * number, kSendBytes, tag, 0};
    receive.notify = kQuiet;
    post_receive(r, receive);
    SendOrder send{kOwn, 0x800, kSendBytes, tag, 0};
    send.step = tag;
    send.notify = kQuiet;
    send.trigger = kCounter;
    send.threshold = counter_ + static_cast<std::uint32_t>(below(3));
    post_send(r, send);
    const Place receive_place = occupy(receives_), place = occupy(sends_);
    core_messages_[tag] = {place, receive_place};
    steps_[place] = tag;
    trigger_->hold_valid_i = 1;
    trigger_->hold_place_i = place;
    trigger_->hold_counter_i = kCounter;
    trigger_->hold_threshold_i = send.threshold;
  }

  void count(Registers& r) {
    if (!chance(5)) return;
    r.write(reg::kCounter + 4 * kCounter, ++counter_);
  }

  static Place occupy(PlaceSet& occupied) {
    const auto place = static_cast<Place>(std::countr_one(occupied));
    occupied |= nic::place_bit(place);
    return place;
  }

  // ---- The RTL --------------------------------------------------------------------------------

  void put_places() {
    list_->send_free_i = ~sends_;
    list_->receive_free_i = ~receives_;
    pins::put(trigger_->counters_i, 32 * kCounter, 32, counter_);
  }

  /// Everything combinational between the units, the memory and the judgement of descriptors.
  void settle() {
    trigger_->issue_valid_i = 0;
    trigger_->issue_hold_i = 0;
    trigger_->eval();
    list_->fire_join_i = trigger_->fire_join_o;
    list_->fire_place_i = trigger_->fire_place_o;
    list_->same_held_i = 0;
    list_->eval();
    if (list_->memory_read_o != 0) {
      list_->memory_data_i = nic_.nic.memory().load(list_->memory_address_o, 8);
    }
    list_->eval();
    connect();
    trigger_->eval();
    list_->same_held_i = trigger_->same_held_o;
    list_->judge_refused_i = list_->judge_valid_o != 0 && refuses() ? 1 : 0;
    list_->eval();
    connect();
    trigger_->eval();
  }

  [[nodiscard]] std::uint32_t word(int number) const {
    return static_cast<std::uint32_t>(pins::get(list_->descriptor_o, 32 * number, 32));
  }
  [[nodiscard]] bool is_receive() const { return list_->issue_reference_o >> 15 != 0; }
  [[nodiscard]] bool refuses() const {
    return is_receive() ? word(0) == kBadSource : word(0) >> 24 == kBadPort;
  }

  void connect() {
    trigger_->issue_valid_i = list_->issue_valid_o;
    trigger_->issue_list_i = list_->issue_list_o;
    trigger_->issue_reference_i = list_->issue_reference_o;
    trigger_->issue_place_i = list_->issue_place_o;
    trigger_->issue_refused_i = list_->issue_refused_o;
    trigger_->issue_hold_i = list_->issue_hold_o;
    trigger_->issue_join_i = list_->issue_join_o;
    trigger_->issue_destination_i = word(0) & 0xffffff;
    trigger_->issue_tag_i = static_cast<SData>(word(3));
    trigger_->issue_dependencies_i = list_->issue_dependencies_o;
  }

  /// The places of a message.
  struct Ends {
    Place send = 0, receive = 0;
  };

  // ---- What happened --------------------------------------------------------------------------

  void compare_events() {
    std::vector<std::uint32_t> posted;
    if (trigger_->fire_valid_o != 0 && trigger_->fire_join_o == 0) {
      posted.push_back(steps_[trigger_->fire_place_o]);
    }
    if (list_->issue_start_o != 0) posted.push_back(word(4) & 0xffff);
    EXPECT_EQ(posted, nic_.posted);
    posted_ += posted.size();

    std::vector<reg::ErrorCause> causes;
    for (const auto& failure : nic_.failures) {
      if (failure.cause != reg::ErrorCause::kTooLong) causes.push_back(failure.cause);
    }
    std::vector<reg::ErrorCause> expected;
    if (list_->bad_list_o != 0) expected.push_back(reg::ErrorCause::kBadList);
    if (list_->overflow_o != 0) expected.push_back(reg::ErrorCause::kListOverflow);
    if (list_->issue_bad_list_o != 0) {
      expected.push_back(reg::ErrorCause::kBadList);
    } else if (list_->issue_refused_o != 0) {
      expected.push_back(is_receive() ? reg::ErrorCause::kBadAddress : reg::ErrorCause::kBadPort);
    }
    EXPECT_EQ(causes, expected);
    compare_ends();
    note_places();
  }

  void compare_ends() {
    std::vector<LoneNic::Finished> finished;
    for (unsigned l = 0; l < 4; ++l) {
      if ((list_->end_valid_o >> l & 1) == 0) continue;
      const bool failed = (list_->end_failed_o >> l & 1) != 0;
      const auto low = static_cast<int>(16 * l);
      if ((list_->end_by_core_o >> l & 1) != 0) {
        completions_.push_back(0x9000'0000 | (failed ? 0x2000'0000u : 0) |
                               static_cast<std::uint32_t>(pins::get(list_->end_handle_o, low, 16)));
      } else {
        finished.push_back({now_,
                            static_cast<std::uint16_t>(pins::get(list_->end_ticket_o, low, 16)),
                            failed ? 8u : 0u});
      }
      ++ended_;
    }
    EXPECT_EQ(finished, nic_.calls_finished);
    if (list_->call_take_o != 0) calls_.pop_front();
  }

  /// Places that are occupied and freed in this cycle.
  void note_places() {
    if (list_->fetch_valid_o != 0) {
      (list_->fetch_receive_o != 0 ? receives_ : sends_) |= nic::place_bit(list_->fetch_place_o);
    }
    if (trigger_->fire_join_o != 0) freed_sends_ |= nic::place_bit(trigger_->fire_place_o);
    const Place place = list_->issue_place_o;
    if (list_->put_back_o != 0) freed_receives_ |= nic::place_bit(place);
    if (list_->issue_valid_o == 0) return;
    if (list_->issue_refused_o != 0) {
      (is_receive() ? freed_receives_ : freed_sends_) |= nic::place_bit(place);
    } else if (is_receive()) {
      waiting_[static_cast<std::uint16_t>(word(3))].push_back(place);
    } else if (list_->issue_join_o == 0) {
      steps_[place] = word(4) & 0xffff;
      under_way_[word(4) & 0xffff] = place;
    }
  }

  /// The messages of the NIC end in the places that the RTL has given them. Both sides of a message
  /// to the node itself are complete in the same cycle.
  void complete() {
    PlaceSet failed = 0;
    for (const std::uint32_t step : nic_.sent) {
      const auto core = core_messages_.extract(step);
      const Ends ends = core.empty() ? ends_of(step) : core.mapped();
      list_->send_done_i |= nic::place_bit(ends.send);
      list_->receive_done_i |= nic::place_bit(ends.receive);
      if (core.empty() && too_long_[tags_[step]]) failed |= nic::place_bit(ends.receive);
    }
    freed_sends_ |= list_->send_done_i;
    freed_receives_ |= list_->receive_done_i;
    list_->receive_failed_i = failed;
    trigger_->send_done_i = list_->send_done_i;
    trigger_->receive_done_i = list_->receive_done_i;
  }

  Ends ends_of(std::uint32_t step) {
    std::deque<Place>& waiting = waiting_[tags_[step]];
    if (waiting.empty()) {
      ADD_FAILURE() << "a receive that the RTL has not posted";
      return {};
    }
    const Place receive = waiting.front();
    waiting.pop_front();
    return {under_way_.at(step), receive};
  }

  struct Waiting {
    Cycle visible = 0;
    std::uint16_t handle = 0, ticket = 0;
  };

  std::mt19937_64 random_{testbench::seed()};
  Watched nic_;
  testbench::VerilatedUnit<Vlists_64> list_;
  testbench::VerilatedUnit<Vtrigger_64> trigger_;
  std::vector<Prepared> lists_;
  std::map<std::uint16_t, bool> too_long_;  ///< by tag
  std::deque<Waiting> calls_;
  std::deque<std::uint32_t> completions_;
  std::array<std::uint32_t, kPlaces> steps_{};          ///< of sends, by place
  std::map<std::uint32_t, Place> under_way_;            ///< sends of lists, by step
  std::map<std::uint16_t, std::deque<Place>> waiting_;  ///< receives of lists, by tag
  std::map<std::uint32_t, std::uint16_t> tags_;         ///< of the lists' sends, by step
  std::map<std::uint32_t, Ends> core_messages_;         ///< by step, which is the tag
  PlaceSet sends_ = 0, receives_ = 0, freed_sends_ = 0, freed_receives_ = 0;
  std::uint32_t counter_ = 0;
  Cycle now_ = 0;
  std::uint64_t posted_ = 0, ended_ = 0;
};

TEST_F(ListLockstep, RandomLists) {
  SCOPED_TRACE("ANNELID_SEED=" + std::to_string(testbench::seed()));
  run(testbench::cycles());
}

}  // namespace
}  // namespace annelid::test
