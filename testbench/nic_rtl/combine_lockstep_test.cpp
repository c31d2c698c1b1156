// The combine unit's RTL beside the model, cycle by cycle (docs/internals/nic/combining.md): flits
// started, receives completed, and all bytes of memory. State space: equal and different targets
// and operands, all integer operators and types, messages that are shorter than their room, with
// gaps, that are given up at any time, and budgets.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "Vcombine_16_4_5.h"
#include "Vcombine_8_1_1.h"
#include "nic/combine_unit.hpp"
#include "systemc/cosim/rtl_pins.hpp"
#include "systemc/network/types.hpp"
#include "testbench/nic_rtl/seed.hpp"
#include "testbench/nic_rtl/verilated_unit.hpp"

namespace annelid::nic {
namespace {

namespace pins = systemc::pins;

constexpr std::uint32_t kSlotBytes = 96;  ///< the greatest room
constexpr std::uint32_t kSlots = 6;       ///< of targets and operands
constexpr std::uint32_t kMemory = (kSlots + 64) * kSlotBytes;

/// The parameters of a Verilated unit.
template <typename Unit>
struct Shape;
template <>
struct Shape<Vcombine_16_4_5> {
  static constexpr unsigned kPlaces = 16, kLanes = 4, kEngines = 5;
};
template <>
struct Shape<Vcombine_8_1_1> {
  static constexpr unsigned kPlaces = 8, kLanes = 1, kEngines = 1;
};

template <typename Unit>
class CombineLockstep : public testing::Test {
 protected:
  static constexpr unsigned kPlaces = Shape<Unit>::kPlaces, kLanes = Shape<Unit>::kLanes,
                            kEngines = Shape<Unit>::kEngines;

  /// A receive as the engines see it.
  struct Receive {
    bool busy = false, taken = false;
    CombiningReceive what;
  };
  struct Engine {
    std::optional<Place> place;
    std::uint32_t left = 0, at = 0;  ///< flits to come, those that have come
  };

  CombineLockstep() {
    for (std::uint32_t at = 0; at < kMemory; at += 8) {
      const std::uint64_t value = random_();
      memory_.store(at, value, 8);
      rtl_memory_.store(at, value, 8);
    }
  }

  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  bool chance(unsigned percent) { return below(100) < percent; }

  void run(std::uint64_t cycles) {
    for (now_ = 0; now_ < cycles && !HasFailure(); ++now_) cycle();
    EXPECT_GT(unit_.flits(), cycles / 4) << "too little to do";
    EXPECT_GT(completed_, cycles / 100) << "too few receives";
  }

  void cycle() {
    clear_inputs();
    // A busy phase with free receives that share targets, then one in which the unit catches up.
    const bool flood = now_ / 200 % 2 == 0;
    for (unsigned by = 0; by < 2; ++by) {
      if (chance(flood ? 40 : 5)) post(by);
    }
    const unsigned budget = chance(70) ? 15 : static_cast<unsigned>(below(kLanes + 1));
    rtl_->budget_i = static_cast<CData>(budget);
    rtl_->eval();
    const CombineUnit::Done done = unit_.step(now_, budget);
    compare(done);
    for (unsigned e = 0; e < kEngines; ++e) act(e, flood);
    drop_any();
    rtl_->eval();
    read();
    rtl_.clock();
    put_read();
  }

  void clear_inputs() {
    pins::clear(rtl_->post_valid_i);
    pins::clear(rtl_->post_place_i);
    pins::clear(rtl_->post_target_i);
    pins::clear(rtl_->post_operand_i);
    pins::clear(rtl_->post_stage_i);
    pins::clear(rtl_->post_room_i);
    pins::clear(rtl_->post_operator_i);
    pins::clear(rtl_->post_type_i);
    pins::clear(rtl_->post_message_left_i);
    pins::clear(rtl_->begin_valid_i);
    pins::clear(rtl_->begin_place_i);
    pins::clear(rtl_->begin_bytes_i);
    pins::clear(rtl_->stage_valid_i);
    pins::clear(rtl_->stage_place_i);
    pins::clear(rtl_->drop_valid_i);
    pins::clear(rtl_->drop_place_i);
  }

  /// By the core (0) or after it by the list unit (1).
  void post(unsigned by) {
    const auto place = static_cast<Place>(below(kPlaces));
    if (receives_[place].busy) return;
    static constexpr std::array kTypes = {reg::Type::kInt32, reg::Type::kUint32, reg::Type::kInt64,
                                          reg::Type::kFloat32};
    CombiningReceive what;
    what.type = kTypes[below(kTypes.size())];
    const auto lowest = static_cast<unsigned>(
        what.type == reg::Type::kFloat32 ? reg::Operator::kAnd : reg::Operator::kSum);
    const auto highest = static_cast<unsigned>(reg::Operator::kXor);
    what.operation = static_cast<reg::Operator>(lowest + below(highest - lowest + 1));
    const std::uint32_t element = what.type == reg::Type::kInt64 ? 8 : 4;
    what.target = below(kSlots) * kSlotBytes;
    what.operand = chance(50) ? what.target : below(kSlots) * kSlotBytes;
    what.staging = (kSlots + place) * kSlotBytes;
    what.staging = (kSlots + place) * kSlotBytes;
    what.room = static_cast<std::uint32_t>(element * (1 + below(kSlotBytes / element)));
    what.message_left = chance(50);
    receives_[place] = {true, false, what};
    unit_.post(place, what);
    put_post(static_cast<int>(by), place, what);
  }

  void put_post(int by, Place place, const CombiningReceive& what) {
    pins::put(rtl_->post_valid_i, by, 1, 1);
    pins::put(rtl_->post_place_i, 6 * by, 6, place);
    pins::put(rtl_->post_target_i, 32 * by, 32, what.target);
    pins::put(rtl_->post_operand_i, 32 * by, 32, what.operand);
    pins::put(rtl_->post_stage_i, 32 * by, 32, what.staging);
    pins::put(rtl_->post_room_i, 25 * by, 25, what.room);
    pins::put(rtl_->post_operator_i, 4 * by, 4, static_cast<unsigned>(what.operation));
    pins::put(rtl_->post_type_i, 4 * by, 4, static_cast<unsigned>(what.type));
    pins::put(rtl_->post_message_left_i, by, 1, what.message_left ? 1 : 0);
  }

  void compare(const CombineUnit::Done& done) {
    const std::uint64_t reads = pins::get(rtl_->read_valid_o, 0, kLanes);
    EXPECT_EQ(std::popcount(reads), done.accesses) << "cycle " << now_;
    const std::uint64_t writes = pins::get(rtl_->write_valid_o, 0, kLanes);
    PlaceSet completed = 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const int k = static_cast<int>(lane);
      if (pins::get(rtl_->complete_valid_o, k, 1) != 0) {
        completed |= PlaceSet{1} << pins::get(rtl_->complete_place_o, 6 * k, 6);
      }
      if ((writes >> lane & 1) == 0) continue;
      const std::uint32_t bytes = pins::get(rtl_->write_half_o, k, 1) != 0 ? 4 : 8;
      rtl_memory_.store(pins::get(rtl_->write_address_o, 32 * k, 32),
                        pins::get(rtl_->write_data_o, 64 * k, 64), bytes);
    }
    EXPECT_EQ(completed, done.completed) << "cycle " << now_;
    if (writes != 0) compare_memory();
    for (; completed != 0; completed &= completed - 1) {
      receives_[static_cast<std::size_t>(std::countr_zero(completed))].busy = false;
      ++completed_;
    }
  }

  void compare_memory() {
    for (std::uint32_t at = 0; at < kSlots * kSlotBytes; at += 8) {
      ASSERT_EQ(rtl_memory_.load(at, 8), memory_.load(at, 8))
          << "cycle " << now_ << ", offset " << at;
    }
  }

  /// An engine takes a message, or has its next flit.
  void act(unsigned e, bool flood) {
    Engine& engine = engines_[e];
    if (!engine.place) return take(e);
    if (engine.left == 0) {
      engine.place.reset();
      return;
    }
    if (!chance(flood ? 90 : 50)) return;
    const Place place = *engine.place;
    const std::uint64_t at = receives_[place].what.staging + std::uint64_t{8} * engine.at;
    const std::uint64_t value = random_();
    memory_.store(at, value, 8);
    rtl_memory_.store(at, value, 8);
    unit_.stage(place, now_);
    pins::put(rtl_->stage_valid_i, static_cast<int>(e), 1, 1);
    pins::put(rtl_->stage_place_i, static_cast<int>(6 * e), 6, place);
    ++engine.at;
    --engine.left;
  }

  void take(unsigned e) {
    const auto place = static_cast<Place>(below(kPlaces));
    Receive& receive = receives_[place];
    if (!receive.busy || receive.taken) return;
    receive.taken = true;
    if (chance(10)) return drop(e, place);
    const std::uint32_t element = receive.what.type == reg::Type::kInt64 ? 8 : 4;
    const std::uint32_t most = receive.what.room / element;
    const auto bytes = static_cast<std::uint32_t>(element * (chance(50) ? most : 1 + below(most)));
    engines_[e] = {place, (bytes + 7) / 8, 0};
    unit_.begin(place, bytes);
    pins::put(rtl_->begin_valid_i, static_cast<int>(e), 1, 1);
    pins::put(rtl_->begin_place_i, static_cast<int>(6 * e), 6, place);
    pins::put(rtl_->begin_bytes_i, static_cast<int>(25 * e), 25, bytes);
  }

  void drop(unsigned e, Place place) {
    unit_.drop(place);
    receives_[place].busy = false;
    for (Engine& engine : engines_) {
      if (engine.place == place) engine = {};
    }
    pins::put(rtl_->drop_valid_i, static_cast<int>(e), 1, 1);
    pins::put(rtl_->drop_place_i, static_cast<int>(6 * e), 6, place);
  }

  /// Gives up a receive in whatever state it is, but not one that has just been staged.
  void drop_any() {
    const auto place = static_cast<Place>(below(kPlaces));
    if (!chance(2) || !receives_[place].busy || rtl_->drop_valid_i != 0) return;
    for (unsigned e = 0; e < kEngines; ++e) {
      const int k = static_cast<int>(e);
      if (pins::get(rtl_->stage_valid_i, k, 1) != 0 &&
          pins::get(rtl_->stage_place_i, 6 * k, 6) == place) {
        return;
      }
    }
    drop(0, place);
  }

  /// What the memory is asked for in this cycle is there in the next one.
  void read() {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const int k = static_cast<int>(lane);
      const bool valid = pins::get(rtl_->read_valid_o, k, 1) != 0;
      const auto load = [&](const auto& address) {
        const std::uint64_t at = pins::get(address, 32 * k, 32);
        return valid ? rtl_memory_.load(at, 8) : random_();
      };
      operands_[lane] = load(rtl_->read_operand_o);
      messages_[lane] = load(rtl_->read_message_o);
    }
  }
  void put_read() {
    pins::clear(rtl_->operand_i);
    pins::clear(rtl_->message_i);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      pins::put(rtl_->operand_i, static_cast<int>(64 * lane), 64, operands_[lane]);
      pins::put(rtl_->message_i, static_cast<int>(64 * lane), 64, messages_[lane]);
    }
  }

  std::mt19937_64 random_{testbench::seed()};
  NodeMemory memory_{kMemory + 8}, rtl_memory_{kMemory + 8};
  CombineUnit unit_{memory_, kLanes};
  testbench::VerilatedUnit<Unit> rtl_;
  std::array<Receive, kPlaces> receives_{};
  std::array<Engine, kEngines> engines_{};
  std::array<std::uint64_t, kLanes> operands_{}, messages_{};
  Cycle now_ = 0;
  std::uint64_t completed_ = 0;
};

using CombineLockstep16 = CombineLockstep<Vcombine_16_4_5>;
using CombineLockstep8 = CombineLockstep<Vcombine_8_1_1>;

TEST_F(CombineLockstep16, RandomReceives) {
  SCOPED_TRACE("ANNELID_SEED=" + std::to_string(testbench::seed()));
  run(testbench::cycles());
}

TEST_F(CombineLockstep8, RandomReceives) {
  SCOPED_TRACE("ANNELID_SEED=" + std::to_string(testbench::seed()));
  run(testbench::cycles());
}

}  // namespace
}  // namespace annelid::nic
