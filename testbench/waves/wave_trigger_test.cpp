// What a waveform waits for, which cycles it has then, and what its view shows first.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>
#include <sstream>

#include "testbench/waves/wave_of_events.hpp"

namespace annelid::waves {
namespace {

using ::testing::HasSubstr;

TEST_F(WaveOfEvents, ATagTriggersAndTheCyclesBeforeAreThere) {
  auto wave = trace({}, {.trigger = {WaveTrigger::Kind::kTag, 7}, .before = 4, .after = 3});
  for (Cycle t = 0; t < 100; ++t) {
    wave->cycle(t);
    wave->moved(t, 0, kLocal0, 0, kPlusX, t == 0 ? head(0, 5) : body(0, t));
    if (t == 20) wave->packet(t, 4, 1, {.head = {kTo, kFrom, 7}, .control = true});
    if (t == 40 || t == 60) wave->packet(t, 4, 1, {.head = {kTo, kFrom, 7}, .bytes = 8, .step = 1});
    EXPECT_EQ(wave->triggered(), t >= 40);
  }
  wave->close();
  const WaveFile file = read();
  EXPECT_LE(file.begin(), 36u);
  EXPECT_GE(file.begin(), 34u) << "at most half as much again";
  EXPECT_EQ(file.end(), 44u);
  for (Cycle t = file.begin(); t < 44; ++t) {
    EXPECT_EQ(file.bits("noc.n_0_0.xp.out.data[63:0]", t), t);
    EXPECT_EQ(file.text("noc.n_0_0.xp.out.flit", t), "B 0,0>2,1 #5");
    EXPECT_EQ(file.bits("noc.n_0_0.xp.out.vc0.credits[6:0]", t), 4u);
  }
  EXPECT_THAT(bytes_of(scratch / "w.gtkw"), HasSubstr("[markername] Atag 7\n"));
}

TEST_F(WaveOfEvents, AFlitThatWaitsTriggersAfterCyclesOnEnd) {
  auto wave = trace({}, {.trigger = {WaveTrigger::Kind::kBlocked, 3}, .before = 2, .after = 1});
  const auto wait = [&](Cycle t, Vc vc) {
    wave->cycle(t);
    wave->blocked(t, 1, kMinusX, vc, kPlusY, systemc::BlockCause::kNoVc);
  };
  for (const Cycle t : {0, 1, 3, 4, 6}) wait(t, 0);  // never three in a row
  wait(7, 1);
  wait(8, 0);  // another VC
  EXPECT_FALSE(wave->triggered());
  wait(9, 0);
  wait(10, 0);
  for (Cycle t = 11; t < 20; ++t) wave->cycle(t);
  EXPECT_TRUE(wave->triggered());
  wave->close();
  EXPECT_EQ(read().end(), 12u);
  EXPECT_THAT(bytes_of(scratch / "w.gtkw"), HasSubstr("[markername] A1,0 xm.0 blocked\n"));
}

/// What the view shows first: the lines of its save file that begin a group or name a row.
std::vector<std::string> rows_of(const std::string& save_file) {
  std::vector<std::string> rows;
  std::istringstream lines(save_file);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("-") || line.starts_with("+{") || line.starts_with("noc.")) {
      rows.push_back(line);
    }
  }
  return rows;
}

TEST_F(WaveOfEvents, ABlockedFlitsOwnPacketIsOnTop) {
  auto wave = trace({}, {.trigger = {WaveTrigger::Kind::kBlocked, 3}, .before = 20, .after = 5});
  wave->cycle(0);
  wave->injected(0, 0, 0, head(0, 5));
  wave->cycle(1);
  wave->moved(1, 0, kLocal0, 0, kPlusX, head(0, 5));
  wave->cycle(2);
  states[1].input[kMinusX][0].count = 1;
  states[1].input[kMinusX][0].front = head(0, 5);
  for (Cycle t = 3; t < 10; ++t) {
    wave->cycle(t);
    wave->blocked(t, 1, kMinusX, 0, kPlusY, systemc::BlockCause::kNoVc);
    wave->injected(t, 4, 0, head(0, static_cast<std::uint16_t>(20 + t)));  // others come and go
  }
  wave->cycle(10);
  wave->moved(10, 1, kMinusX, 0, kPlusY, head(0, 5));
  wave->cycle(11);
  wave->close();
  EXPECT_EQ(wave->trigger_text(), "cycle 5: packet 0,0>2,1 #5, 1,0 xm.0 waits for yp");
  const auto rows = rows_of(bytes_of(scratch / "w.gtkw"));
  ASSERT_GE(rows.size(), 11u);
  const std::vector<std::string> top(rows.begin(), rows.begin() + 11);
  EXPECT_THAT(top, ::testing::ElementsAre(
                       "-1,0 xm.0 waits for yp", "+{1,0 xm vc0 front} noc.n_1_0.xm.in.vc0.front",
                       "+{1,0 xm vc0 blocked} noc.n_1_0.xm.in.vc0.blocked",
                       "+{1,0 xm vc0 held by} noc.n_1_0.xm.in.vc0.held_by",
                       "+{1,0 yp} noc.n_1_0.yp.out.flit", "-1,0 xm.0 waits for yp", "-",
                       "-packet 0,0>2,1 #5", "+{0,0 inject 0} noc.n_0_0.local0.in.flit",
                       "+{0,0 xp} noc.n_0_0.xp.out.flit", "+{1,0 yp} noc.n_1_0.yp.out.flit"));
}

// A tag's own packet, also if another one is injected in the same cycle before it.
TEST_F(WaveOfEvents, ATagsOwnPacketIsOnTop) {
  auto wave = trace({}, {.trigger = {WaveTrigger::Kind::kTag, 7}, .before = 4, .after = 3});
  wave->cycle(3);
  wave->packet(3, 0, 0, {{kTo, kFrom, 7}, false, 16, 1});
  wave->injected(3, 4, 0, head(0, 9));
  wave->injected(3, 0, 0, head(0, 7));
  wave->cycle(4);
  wave->close();
  EXPECT_EQ(wave->trigger_text(), "cycle 3: packet 0,0>2,1 #7");
  EXPECT_EQ(rows_of(bytes_of(scratch / "w.gtkw")).front(), "-packet 0,0>2,1 #7");
}

// Engines report the events of a cycle in different orders.
TEST_F(WaveOfEvents, OfPacketsWithTheTagThatStartAtOnceTheFirstNodesIsOnTop) {
  std::set<std::string> files;
  for (const bool reversed : {false, true}) {
    auto wave = trace({}, {.trigger = {WaveTrigger::Kind::kTag, 7}, .before = 4, .after = 3});
    wave->cycle(3);
    for (const NodeId node : reversed ? std::array{4, 0} : std::array{0, 4}) {
      const systemc::HeadFields packet{kTo, node == 0 ? kFrom : Address{1, 1, 0}, 7};
      wave->packet(3, node, 0, {packet, false, 16, 1});
      wave->injected(3, node, 0, {systemc::pack(packet), 0, true, false});
    }
    wave->cycle(4);
    wave->close();
    EXPECT_EQ(wave->trigger_text(), "cycle 3: packet 0,0>2,1 #7");
    files.insert(bytes_of(scratch / "w.gtkw"));
  }
  EXPECT_EQ(files.size(), 1u);
}

TEST_F(WaveOfEvents, OfFlitsThatHaveWaitedAsLongTheFirstInputsIsTheEvent) {
  std::set<std::string> files;
  for (const bool reversed : {false, true}) {
    auto wave = trace({}, {.trigger = {WaveTrigger::Kind::kBlocked, 3}, .before = 4, .after = 3});
    for (Cycle t = 0; t < 10; ++t) {
      wave->cycle(t);
      for (const NodeId node : reversed ? std::array{4, 1} : std::array{1, 4}) {
        wave->blocked(t, node, kMinusX, 0, kPlusX, systemc::BlockCause::kNoVc);
      }
    }
    wave->close();
    EXPECT_EQ(wave->trigger_text(), "cycle 2, 1,0 xm.0 waits for xp");
    files.insert(bytes_of(scratch / "w.gtkw"));
  }
  EXPECT_EQ(files.size(), 1u);
}

TEST_F(WaveOfEvents, AStandstillIsShownFromItsLastMovementOn) {
  auto wave = trace({}, {.trigger = {WaveTrigger::Kind::kFailure, 0}, .before = 10});
  wave->cycle(0);
  wave->injected(0, 0, 0, head(0, 5));
  for (Cycle t = 1; t < 50; ++t) wave->cycle(t);
  wave->cycle(50);
  wave->moved(50, 0, kLocal0, 0, kPlusX, head(0, 5));
  for (Cycle t = 51; t < 500; ++t) {
    wave->cycle(t);
    wave->blocked(t, 1, kMinusX, 0, kPlusY, systemc::BlockCause::kNoVc);
  }
  systemc::Wait wait;
  wait.waiting = {1, kMinusX, 0};
  wait.output = kPlusY;
  wait.packet = {kTo, kFrom, 5};
  wave->fail("deadlock", std::array{wait});
  wave->close();
  EXPECT_EQ(wave->trigger_text(),
            "cycle 499: deadlock, last movement in cycle 50: packet 0,0>2,1 #5, 1,0 xm.0 waits for "
            "yp");
  const WaveFile file = read();
  EXPECT_LE(file.begin(), 40u);
  EXPECT_GE(file.begin(), 30u);
  EXPECT_EQ(file.text("noc.n_0_0.xp.out.flit", 50), "H 0,0>2,1 #5");
  const std::string view = bytes_of(scratch / "w.gtkw");
  EXPECT_THAT(view, HasSubstr("last movement"));
  EXPECT_THAT(view, HasSubstr("[timestart] 40\n"));
  EXPECT_EQ(rows_of(view).front(), "-1,0 xm.0 waits for yp");
}

TEST_F(WaveOfEvents, AFailureTriggersWithWhatLedToIt) {
  auto wave = trace({}, {.trigger = {WaveTrigger::Kind::kFailure, 0}, .before = 10});
  cross(*wave, 0, 99);
  wave->fail("a check");
  wave->close();
  EXPECT_LE(read().begin(), 89u);
  EXPECT_EQ(read().end(), 100u);
  EXPECT_THAT(bytes_of(scratch / "w.gtkw"), HasSubstr("[markername] Aa check\n"));
}

TEST_F(WaveOfEvents, WithoutItsTriggerThereIsNoWaveform) {
  auto wave = trace({}, {.trigger = {WaveTrigger::Kind::kFailure, 0}});
  cross(*wave, 0, 50);
  wave->close();
  EXPECT_FALSE(wave->triggered());
  EXPECT_EQ(scratch.entries(), 0);
}

TEST_F(WaveOfEvents, WhatWaitsForATriggerIsBounded) {
  auto wave = trace({}, {.trigger = {WaveTrigger::Kind::kFailure, 0}, .before = 100});
  std::size_t most[2] = {};
  for (Cycle t = 0; t < 50'000; ++t) {
    wave->cycle(t);
    wave->moved(t, 0, kLocal0, 0, kPlusX, t % 8 == 0 ? head(0, t % 1000) : body(0, t));
    most[t >= 1000] = std::max(most[t >= 1000], wave->bytes());
  }
  EXPECT_LE(most[1], most[0]) << "no more after 50,000 cycles than after 1,000";
  EXPECT_GT(most[1], 100u * 16u);
  EXPECT_LT(most[1], 150u * 200u);
}

}  // namespace
}  // namespace annelid::waves
