// Waveforms of events made by hand: each signal shows what happened, in its cycle and in no other.
#include "waves/wave_trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "testbench/waves/wave_of_events.hpp"
#include "waves/fst_reader.hpp"

namespace annelid::waves {
namespace {

using ::testing::HasSubstr;

TEST_F(WaveOfEvents, AFlitIsOnItsChannelInItsCycleOnly) {
  auto wave = trace();
  wave->cycle(3);
  wave->moved(3, 0, kLocal0, 0, kPlusX, head(1, 17));
  wave->cycle(4);
  wave->moved(4, 0, kLocal0, 0, kPlusX, body(1, 0xabc));
  wave->cycle(5);
  wave->moved(5, 0, kLocal0, 0, kPlusX, tail(1, 0xdef));
  wave->cycle(6);
  wave->close();

  const WaveFile file = read();
  const std::string out = "noc.n_0_0.xp.out.";
  EXPECT_EQ(file.begin(), 3u);
  EXPECT_EQ(file.changes(out + "flit"),
            (Changes{{3, "H 0,0>2,1 #17"}, {4, "B 0,0>2,1 #17"}, {5, "T 0,0>2,1 #17"}, {6, ""}}));
  EXPECT_EQ(file.changes(out + "valid"), (Changes{{3, "1"}, {6, "0"}}));
  EXPECT_EQ(file.changes(out + "kind"), (Changes{{3, "head"}, {4, "body"}, {5, "tail"}, {6, ""}}));
  EXPECT_EQ(file.changes(out + "vc[2:0]"), (Changes{{3, "001"}, {6, "000"}}));
  EXPECT_EQ(file.changes(out + "source"), (Changes{{3, "0,0"}, {6, ""}}));
  EXPECT_EQ(file.changes(out + "destination"), (Changes{{3, "2,1"}, {6, ""}}));
  EXPECT_EQ(file.changes(out + "from"), (Changes{{3, "local0.0"}, {6, ""}}));
  EXPECT_EQ(file.bits(out + "tag[15:0]", 5), 17u);
  EXPECT_EQ(file.bits(out + "tag[15:0]", 6), 0u);
  EXPECT_EQ(file.bits(out + "data[63:0]", 3), systemc::pack({kTo, kFrom, 17}));
  EXPECT_EQ(file.bits(out + "data[63:0]", 4), 0xabcu);
  EXPECT_EQ(file.bits(out + "data[63:0]", 6), 0u);
  // The other end of the same wires.
  EXPECT_EQ(file.changes("noc.n_1_0.xm.in.flit"), file.changes(out + "flit"));
  EXPECT_EQ(file.changes("noc.n_1_0.xm.in.data[63:0]"), file.changes(out + "data[63:0]"));
  EXPECT_EQ(file.changes("noc.n_1_0.xp.in.flit"), (Changes{{3, ""}}));
}

TEST_F(WaveOfEvents, CyclesThatWereLeftOutAreIdle) {
  auto wave = trace();
  wave->cycle(0);
  wave->moved(0, 0, kLocal0, 0, kPlusX, head(0, 1));
  wave->cycle(9);
  wave->moved(9, 0, kLocal0, 0, kPlusX, head(0, 2));
  wave->close();
  const WaveFile file = read();
  EXPECT_EQ(file.changes("noc.n_0_0.xp.out.flit"),
            (Changes{{0, "H 0,0>2,1 #1"}, {1, ""}, {9, "H 0,0>2,1 #2"}, {10, ""}}));
  EXPECT_EQ(file.end(), 10u);
}

TEST_F(WaveOfEvents, BodiesShowThePacketOfTheirOwnVc) {
  auto wave = trace();
  const auto move = [&](Cycle t, const systemc::Flit& flit) {
    wave->cycle(t);
    wave->moved(t, 0, kLocal0, 0, kPlusX, flit);
  };
  move(0, body(1, 5));  // its head came before the waveform began
  move(1, head(0, 1));
  move(2, head(1, 2));
  move(3, body(0, 0));
  move(4, tail(1, 0));
  move(5, {systemc::pack({kTo, kFrom, 3}), 1, true, true});
  wave->close();
  EXPECT_EQ(read().changes("noc.n_0_0.xp.out.flit"), (Changes{{0, "B"},
                                                              {1, "H 0,0>2,1 #1"},
                                                              {2, "H 0,0>2,1 #2"},
                                                              {3, "B 0,0>2,1 #1"},
                                                              {4, "T 0,0>2,1 #2"},
                                                              {5, "S 0,0>2,1 #3"},
                                                              {6, ""}}));
}

TEST_F(WaveOfEvents, AnInputsControlVcIsMarked) {
  config.router.control_vc = true;
  auto wave = trace();
  wave->cycle(0);
  wave->blocked(0, 1, kMinusX, 2, kPlusY, systemc::BlockCause::kNoVc);
  wave->blocked(0, 1, kLocal0, 0, kPlusY, systemc::BlockCause::kNoVc);
  wave->cycle(1);
  wave->moved(1, 1, kMinusX, 2, kPlusY, head(2, 7));
  wave->cycle(2);
  wave->close();
  const WaveFile file = read();
  EXPECT_EQ(file.changes("noc.n_1_0.yp.out.waiting"),
            (Changes{{0, "xm.2c no_vc, local0.0 no_vc"}, {1, ""}}));
  EXPECT_EQ(file.changes("noc.n_1_0.yp.out.from"), (Changes{{0, ""}, {1, "xm.2c"}, {2, ""}}));
  EXPECT_TRUE(file.has("noc.n_1_0.xm.in.vc2.blocked"));
  EXPECT_FALSE(file.has("noc.n_1_0.xm.in.vc3.blocked"));
}

TEST_F(WaveOfEvents, AnInjectionShowsItsMessage) {
  auto wave = trace();
  wave->cycle(0);
  wave->cycle(1);
  wave->injected(1, 4, 1, head(0, 7));
  wave->packet(1, 4, 1, {.head = {kTo, kFrom, 7}, .bytes = 96, .step = 3});
  wave->cycle(2);
  wave->injected(2, 4, 1, tail(0, 0));
  wave->cycle(3);
  wave->packet(3, 4, 1, {.head = {kTo, kFrom, 8}, .control = true});
  wave->close();
  const WaveFile file = read();
  EXPECT_EQ(file.changes("noc.n_1_1.local1.in.flit"),
            (Changes{{0, ""}, {1, "H 0,0>2,1 #7"}, {2, "T 0,0>2,1 #7"}, {3, ""}}));
  EXPECT_EQ(file.changes("noc.n_1_1.local1.in.message"),
            (Changes{{0, ""}, {1, "step 3, 96 bytes"}, {2, ""}, {3, "control"}, {4, ""}}));
}

TEST_F(WaveOfEvents, ABlockedFlitShowsWhyAndTheOutputShowsWhoWaits) {
  auto wave = trace();
  wave->cycle(0);
  wave->blocked(0, 1, kMinusX, 1, kPlusY, systemc::BlockCause::kNoVc);
  wave->blocked(0, 1, kLocal0, 0, kPlusY, systemc::BlockCause::kLostSwitch);
  wave->cycle(1);
  wave->blocked(1, 1, kMinusX, 1, kPlusY, systemc::BlockCause::kNoCredit);
  wave->cycle(2);
  wave->close();
  const WaveFile file = read();
  EXPECT_EQ(file.changes("noc.n_1_0.xm.in.vc1.blocked"),
            (Changes{{0, "no_vc yp"}, {1, "no_credit yp"}, {2, ""}}));
  EXPECT_EQ(file.changes("noc.n_1_0.yp.out.waiting"),
            (Changes{{0, "xm.1 no_vc, local0.0 lost_switch"}, {1, "xm.1 no_credit"}, {2, ""}}));
}

// A control packet has output xp of node 1,0. A head waits for it, then a body for its own flits.
TEST_F(WaveOfEvents, ABlockedFlitShowsWhichPacketHoldsIt) {
  auto wave = trace();
  const auto inject = [&](Cycle t, std::uint16_t tag, bool control) {
    wave->cycle(t);
    wave->packet(t, 1, 0, {.head = {kTo, kFrom, tag}, .control = control});
    wave->injected(t, 1, 0, head(0, tag));
  };
  inject(0, 7, true);
  wave->cycle(1);
  wave->moved(1, 1, kLocal0, 0, kPlusX, head(0, 7));
  wave->packet(1, 1, 1, {.head = {kTo, kFrom, 8}});
  wave->injected(1, 1, 1, head(0, 8));
  wave->cycle(2);
  wave->blocked(2, 1, kLocal0 + 1, 0, kPlusX, systemc::BlockCause::kNoVc);
  wave->moved(2, 1, kLocal0, 0, kPlusX, tail(0, 0));
  wave->cycle(3);
  wave->blocked(3, 1, kLocal0 + 1, 0, kPlusX, systemc::BlockCause::kNoCredit);
  wave->cycle(4);
  wave->moved(4, 1, kLocal0 + 1, 0, kPlusX, head(0, 8));
  wave->cycle(5);
  wave->blocked(5, 1, kLocal0 + 1, 0, kPlusX, systemc::BlockCause::kNoCredit);
  wave->cycle(6);
  wave->close();
  EXPECT_EQ(read().changes("noc.n_1_0.local1.in.vc0.held_by"),
            (Changes{{0, ""}, {2, "control 0,0>2,1 #7"}, {4, ""}}))
      << "from 5 on its own flits ahead are in the way";
}

// Outputs xp and xm offer themselves to input local0, which takes xm. So xp grants nothing, and the
// packet at local1 waits for the one at local0 that requested xp, too.
TEST_F(WaveOfEvents, ARefusedOfferIsHeldByThoseThatRequestedTheSameOutput) {
  config.router.local_vcs = 2;
  config.router.allocator = systemc::AllocatorKind::kOutputFirst;
  auto wave = trace();
  const auto inject = [&](Cycle t, Port local, Vc vc, std::uint16_t tag) {
    wave->packet(t, 1, local, {.head = {kTo, kFrom, tag}});
    wave->injected(t, 1, local, head(vc, tag));
  };
  wave->cycle(0);
  inject(0, 0, 0, 7);
  inject(0, 1, 0, 8);
  wave->cycle(1);
  inject(1, 0, 1, 9);
  wave->cycle(2);
  wave->blocked(2, 1, kLocal0, 0, kPlusX, systemc::BlockCause::kLostSwitch);
  wave->blocked(2, 1, kLocal0 + 1, 0, kPlusX, systemc::BlockCause::kLostSwitch);
  wave->moved(2, 1, kLocal0, 1, kMinusX, head(0, 9));
  wave->cycle(3);
  wave->close();
  const WaveFile file = read();
  EXPECT_EQ(file.changes("noc.n_1_0.local1.in.vc0.held_by"),
            (Changes{{0, ""}, {2, "0,0>2,1 #7"}, {3, ""}}));
  EXPECT_EQ(file.changes("noc.n_1_0.local0.in.vc0.held_by"),
            (Changes{{0, ""}, {2, "0,0>2,1 #9"}, {3, ""}}));
}

TEST_F(WaveOfEvents, AnOutputVcNamesItsOwner) {
  auto wave = trace();
  wave->cycle(0);
  states[1].input[kMinusX][1] = {
      .count = 1, .front = body(1, 3), .active = true, .out_port = kPlusY, .out_vc = 1};
  states[1].output[kPlusY][1] = {.credits = 3, .owned = true};
  wave->moved(0, 1, kMinusX, 1, kPlusY, head(1, 1));
  wave->cycle(1);
  states[1].input[kMinusX][1].active = false;
  states[1].output[kPlusY][1].owned = false;
  wave->cycle(2);
  wave->close();
  const WaveFile file = read();
  EXPECT_EQ(file.changes("noc.n_1_0.yp.out.vc1.owner"), (Changes{{0, ""}, {1, "xm.1"}, {2, ""}}));
  EXPECT_EQ(file.changes("noc.n_1_0.yp.out.vc1.owned"), (Changes{{0, "0"}, {1, "1"}, {2, "0"}}));
}

TEST_F(WaveOfEvents, AGrantPrecedesTheSwitchWhereThatIsAStage) {
  config.router.stages = 4;
  auto wave = trace();
  wave->cycle(0);
  wave->allocated(0, 0, kLocal0, 1, kPlusX, 0);
  wave->cycle(1);
  wave->granted(1, 0, kLocal0, 1, kPlusX, head(0, 1));
  wave->cycle(2);
  wave->moved(2, 0, kLocal0, 1, kPlusX, head(0, 1));
  wave->close();
  const WaveFile file = read();
  const std::string out = "noc.n_0_0.xp.out.";
  EXPECT_EQ(file.changes(out + "vc0.allocated"), (Changes{{0, "local0.1"}, {1, ""}}));
  EXPECT_EQ(file.changes(out + "grant"), (Changes{{0, ""}, {1, "local0.1"}, {2, ""}}));
  EXPECT_EQ(file.changes(out + "from"), (Changes{{0, ""}, {2, "local0.1"}, {3, ""}}));
}

TEST_F(WaveOfEvents, PacketsHaveColours) {
  auto wave = trace();
  const auto move = [&](Cycle t, const systemc::Flit& flit) {
    wave->cycle(t);
    wave->moved(t, 0, kLocal0, 0, kPlusX, flit);
  };
  move(0, head(0, 1));
  move(1, body(0, 9));
  move(2, head(1, 2));
  wave->close();
  FstReader file(scratch / "w.fst");
  std::vector<std::uint32_t> signal;
  for (const auto& name : file.names()) {
    if (name.full == "noc.n_0_0.xp.out.flit") signal.push_back(name.signal);
  }
  const auto changes = file.read(signal).at(0);
  ASSERT_EQ(changes.size(), 4u);
  const auto colour = [&](std::size_t i) {
    const std::string& text = changes[i].value;
    EXPECT_EQ(text.front(), '?');
    return text.substr(1, text.find('?', 1) - 1);
  };
  EXPECT_EQ(colour(0), colour_of(head(0, 1).data));
  EXPECT_EQ(colour(0), colour(1)) << "head and body of one packet";
  EXPECT_NE(colour(0), colour(2)) << "another packet";
}

TEST_F(WaveOfEvents, AWindowHasItsCyclesOnly) {
  auto wave = trace({}, {.begin = 3, .end = 6});
  const auto state = wave->add_text(0, "state");
  wave->set_text(state, 0, "early");
  wave->set_text(state, 5, "later");
  cross(*wave, 0, 9);
  wave->close();
  const WaveFile file = read();
  EXPECT_EQ(file.begin(), 3u);
  EXPECT_EQ(file.end(), 7u);
  // The packet is known although its head came before.
  EXPECT_EQ(file.changes("noc.n_0_0.xp.out.flit"), (Changes{{3, "B 0,0>2,1 #5"}, {7, ""}}));
  EXPECT_EQ(file.changes("noc.n_0_0.nic.state"), (Changes{{3, "early"}, {5, "later"}}));
}

TEST_F(WaveOfEvents, RegistersHoldFromTheStartOfTheirCycle) {
  auto wave = trace();
  wave->cycle(0);
  wave->injected(0, 0, 0, head(0, 5));
  systemc::InputVcState& input = states[0].input[kLocal0][0];
  input = {.count = 1, .front = head(0, 5)};
  wave->cycle(1);
  wave->moved(1, 0, kLocal0, 0, kPlusX, head(1, 5));
  input = {.count = 2, .front = body(0, 1), .active = true, .out_port = kPlusX, .out_vc = 1};
  states[0].output[kPlusX][1] = {.credits = 3, .owned = true};
  states[0].out_pointer[kPlusX] = 5;
  // Nothing happens in cycles 2 to 7, so the registers have had these values since 2.
  wave->cycle(8);
  wave->moved(8, 1, kMinusX, 1, kPlusY, head(1, 5));
  states[0].output[kPlusX][1].credits = 4;
  wave->close();

  const WaveFile file = read();
  const std::string in = "noc.n_0_0.local0.in.vc0.", out = "noc.n_0_0.xp.out.";
  EXPECT_EQ(file.changes(in + "front"),
            (Changes{{0, ""}, {1, "H 0,0>2,1 #5"}, {2, "B 0,0>2,1 #5"}}));
  EXPECT_EQ(file.bits(in + "count[6:0]", 1), 1u);
  EXPECT_EQ(file.bits(in + "count[6:0]", 2), 2u);
  EXPECT_EQ(file.bits(in + "active", 1), 0u);
  EXPECT_EQ(file.bits(in + "active", 2), 1u);
  EXPECT_EQ(file.bits(in + "out_vc[2:0]", 2), 1u);
  EXPECT_EQ(file.changes(out + "vc1.credits[6:0]"),
            (Changes{{0, "0000100"}, {2, "0000011"}, {9, "0000100"}}));
  EXPECT_EQ(file.changes(out + "vc1.owned"), (Changes{{0, "0"}, {2, "1"}}));
  EXPECT_EQ(file.bits(out + "pointer[3:0]", 2), 5u);
}

TEST_F(WaveOfEvents, ARouterAtRestIsReadAgainWhenAFlitArrives) {
  auto wave = trace();
  for (Cycle t = 0; t < 4; ++t) wave->cycle(t);
  EXPECT_EQ(reads, 6);  // each node once
  wave->moved(3, 0, kLocal0, 0, kPlusX, head(0, 1));
  states[1].input[kMinusX][0] = {.count = 1, .front = head(0, 1)};
  wave->cycle(4);
  EXPECT_EQ(reads, 8);  // the sender and the receiver
  wave->close();
  EXPECT_EQ(read().bits("noc.n_1_0.xm.in.vc0.count[6:0]", 4), 1u);
}

TEST_F(WaveOfEvents, ChosenNodesShowTheFlitsThatEnterThem) {
  auto wave = trace({1});
  wave->cycle(0);
  wave->moved(0, 0, kLocal0, 0, kPlusX, head(0, 1));
  wave->moved(0, 4, kLocal0, 0, kPlusX, head(0, 2));
  wave->close();
  const WaveFile file = read();
  EXPECT_EQ(file.text("noc.n_1_0.xm.in.flit", 0), "H 0,0>2,1 #1");
  EXPECT_FALSE(file.has("noc.n_0_0.xp.out.flit"));
  EXPECT_FALSE(file.has("noc.n_1_0.ym.in.flit")) << "the rim has no channels";
}

TEST_F(WaveOfEvents, TextsMayBeToldAheadAndTheLastOneOfACycleCounts) {
  auto wave = trace({0, 1});
  const auto state = wave->add_text(1, "state");
  const auto elsewhere = wave->add_text(2, "state");  // not in the waveform
  wave->set_text(state, 0, "start");
  wave->set_text(elsewhere, 0, "nothing");
  wave->cycle(0);
  wave->set_text(state, 6, "await 2,0 step 3");
  wave->set_text(state, 2, "first");
  wave->cycle(2);
  wave->set_text(state, 2, "second");
  wave->cycle(9);
  wave->set_text(state, 9, "done");
  wave->close();
  EXPECT_EQ(read().changes("noc.n_1_0.nic.state"),
            (Changes{{0, "start"}, {2, "second"}, {6, "await 2,0 step 3"}, {9, "done"}}));
}

TEST_F(WaveOfEvents, WhatIsOutOfPlaceIsRefused) {
  EXPECT_THROW(trace({0, 6}), systemc::ConfigError);
  EXPECT_THROW(trace({3, 3}), systemc::ConfigError);
  EXPECT_THROW(WaveTrace(scratch / "no/w.fst", config, {}, {}), std::runtime_error);
  auto wave = trace();
  EXPECT_THROW(wave->injected(0, 0, 0, head(0, 1)), std::logic_error) << "before any cycle";
  wave->cycle(5);
  EXPECT_THROW(wave->moved(4, 0, kLocal0, 0, kPlusX, head(0, 1)), std::logic_error);
  EXPECT_THROW(wave->cycle(5), std::logic_error);
  EXPECT_THROW(wave->add_text(0, "late"), std::logic_error);
  EXPECT_THROW(wave->set_text(0, 4, "past"), std::logic_error);
  wave.reset();
  EXPECT_EQ(scratch.entries(), 0) << "without close() nothing remains";
}

TEST_F(WaveOfEvents, ARunWithoutACycleIsAWaveformToo) {
  trace()->close();
  EXPECT_EQ(read().text("noc.n_2_1.xm.out.flit", 0), "");
  EXPECT_TRUE(std::filesystem::exists(scratch / "w.gtkw"));
}

TEST_F(WaveOfEvents, ByDefaultItShowsTheFirst64Nodes) {
  EXPECT_EQ(WaveTrace::default_nodes(config), (std::vector<NodeId>{0, 1, 2, 3, 4, 5}));
  config.size = {256, 256, 1};
  EXPECT_EQ(WaveTrace::default_nodes(config).size(), 64u);
  EXPECT_EQ(WaveTrace::default_nodes(config).back(), 63u);
}

TEST_F(WaveOfEvents, TheViewBeginsWithThePathOfTheFirstPacketAlone) {
  auto wave = trace();
  const auto hops = [&](Cycle t, std::uint16_t tag) {
    wave->cycle(t);
    wave->injected(t, 0, 0, head(0, tag));
    wave->cycle(t + 1);
    wave->moved(t + 1, 0, kLocal0, 0, kPlusX, head(0, tag));
    wave->moved(t + 1, 3, kLocal0, 0, kPlusX, head(0, 99));  // somebody else's
    wave->cycle(t + 2);
    wave->moved(t + 2, 5, kMinusY, 0, kLocal0 + 1,
                {systemc::pack({kTo, kFrom, tag}), 0, true, true});
  };
  hops(40, 7);
  hops(50, 7);  // the same tag once more
  wave->close();
  const std::string text = bytes_of(scratch / "w.gtkw");
  const auto begin = text.find("-packet 0,0>2,1 #7\n"), end = text.find("@1000200\n");
  ASSERT_LT(begin, end);
  const std::string flit = "@820\n[color] 3\n+";
  EXPECT_EQ(text.substr(begin, end - begin), "-packet 0,0>2,1 #7\n" + flit +
                                                 "{0,0 inject 0} noc.n_0_0.local0.in.flit\n" +
                                                 flit + "{0,0 xp} noc.n_0_0.xp.out.flit\n" + flit +
                                                 "{2,1 eject 1} noc.n_2_1.local1.out.flit\n");
  EXPECT_THAT(text, HasSubstr("[timestart] 39\n"));
}

// GTKWave drops a row in silence if its name is not in the waveform.
// The order of events within a cycle is undefined.
TEST_F(WaveOfEvents, OfPacketsThatStartAtOnceTheViewShowsTheSameInEachOrder) {
  std::vector<std::string> views;
  for (const std::vector<NodeId>& order : {std::vector<NodeId>{1, 4}, std::vector<NodeId>{4, 1}}) {
    auto wave = trace();
    wave->cycle(3);
    for (const NodeId node : order) {
      wave->injected(3, node, 0, {systemc::pack({kTo, config.address(node), 7}), 0, true, true});
    }
    wave->cycle(4);
    wave->injected(4, 0, 0, head(0, 9));  // on an earlier channel, but later
    wave->close();
    views.push_back(bytes_of(scratch / "w.gtkw"));
  }
  EXPECT_THAT(views.front(), HasSubstr("-packet 1,0>2,1 #7\n"));
  EXPECT_EQ(views.front(), views.back());
}

TEST_F(WaveOfEvents, TheSaveFileNamesSignalsOfTheWaveformAndEachOfThem) {
  config.router.local_vcs = 2;
  auto wave = trace();
  wave->add_text(4, "state");
  wave->add_marker(3, "first arrival");
  wave->cycle(2);
  wave->injected(2, 0, 0, head(0, 9));
  wave->cycle(3);
  wave->moved(3, 0, kLocal0, 0, kPlusX, head(1, 9));
  wave->close();

  const WaveFile file = read();
  std::ifstream save(scratch / "w.gtkw");
  std::map<std::string, int> rows;
  int open = 0;
  for (std::string line; std::getline(save, line);) {
    if (line.starts_with("@80") || line.starts_with("@c0")) ++open;
    if (line.starts_with("@10") || line.starts_with("@14")) --open;
    ASSERT_GE(open, 0);
    if (line.starts_with("+{")) line = line.substr(line.find("} ") + 2);
    if (line.starts_with("noc.")) ++rows[line];
  }
  EXPECT_EQ(open, 0) << "groups open and close";
  for (const auto& [name, count] : rows) EXPECT_TRUE(file.has(name)) << name;
  // Only VCs that had a flit.
  std::size_t of_used_vcs = 0;
  for (const std::string& name : file.names()) {
    const bool of_a_vc = std::count(name.begin(), name.end(), '.') == 5;
    const bool used = name.starts_with("noc.n_0_0.local0.in.vc0.") ||
                      name.starts_with("noc.n_0_0.xp.out.vc1.") ||
                      name.starts_with("noc.n_1_0.xm.in.vc1.");
    of_used_vcs += of_a_vc && used ? 1 : 0;
    EXPECT_EQ(rows.contains(name), !of_a_vc || used) << name;
  }
  EXPECT_EQ(of_used_vcs, 7u + 3u + 7u);

  const std::string text = bytes_of(scratch / "w.gtkw");
  EXPECT_THAT(text, HasSubstr("[dumpfile] \"" + (scratch / "w.fst").string() + "\"\n"));
  EXPECT_THAT(text, HasSubstr("-packet 0,0>2,1 #9\n"));
  EXPECT_THAT(text, HasSubstr("+{0,0 inject 0} noc.n_0_0.local0.in.flit\n"));
  EXPECT_THAT(text, HasSubstr("+{0,0 xp} noc.n_0_0.xp.out.flit\n"));
  EXPECT_THAT(text, HasSubstr("@800200\n-node 0,0\n")) << "the source is unfolded";
  EXPECT_THAT(text, HasSubstr("@c00200\n-node 1,0\n")) << "the others are not";
  EXPECT_THAT(text, HasSubstr("+{1,1 state} noc.n_1_1.nic.state\n"));
  EXPECT_THAT(text, HasSubstr("[markername] Afirst arrival\n"));
  EXPECT_THAT(text, HasSubstr("[timestart] 1\n"));
}

}  // namespace
}  // namespace annelid::waves
