// Programs for the nodes that receive from any node (docs/internals/nic/open-messages.md), and
// the race of CCL that comes of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/end_to_end/kit_programs.hpp"
#include "waves/wave_contents.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

const std::string kInOrder =
    "2,0: received before the broadcast: from a, which sent it before the broadcast\n"
    "2,0: received after the broadcast: from b, which sent it after the broadcast\n";
const std::string kReversed =
    "2,0: received before the broadcast: from b, which sent it after the broadcast\n"
    "2,0: received after the broadcast: from a, which sent it before the broadcast\n";

struct Race {
  const char* name;
  const char* options;
  const std::string& printed;
};
class CclRace : public ::testing::TestWithParam<Race> {};
INSTANTIATE_TEST_SUITE_P(, CclRace,
                         ::testing::Values(Race{"BarrierMode", "", kInOrder},
                                           Race{"NonBarrierMode", "--mode non-barrier", kReversed},
                                           Race{"NonBarrierModeWithoutEagerMessages",
                                                "--mode non-barrier --eager-bytes 0", kInOrder},
                                           Race{"DevelopMode", "--develop", kInOrder}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST_P(CclRace, IsThereInNonBarrierModeOnly) {
  const Workplace w;
  const std::string elf = built(w, kExamples + "race.c");
  const Outcome o =
      w.annelid("firmware run " + elf + " --quiet --size 3x1 " + std::string(GetParam().options));
  EXPECT_EQ(o.status, 0) << o.out << o.err;
  EXPECT_EQ(o.out, GetParam().printed);
}

// Whether a is late enough decides.
TEST(CclRaces, EndAsTheSkewWants) {
  const Workplace w;
  const std::string elf = built(w, kExamples + "race.c");
  for (const auto& [skew, printed] : {std::pair("0", kInOrder), std::pair("100000", kReversed)}) {
    const Outcome o =
        w.annelid("firmware run " + elf + " --quiet --size 3x1 --mode non-barrier -- " + skew);
    EXPECT_EQ(o.status, 0) << o.out << o.err;
    EXPECT_EQ(o.out, printed) << skew;
  }
}

TEST(CclRaces, AreThereInNativeProgramsToo) {
  const Workplace w;
  const std::string so = w.path("race.so").string();
  EXPECT_EQ(w.annelid("firmware build --native " + kExamples + "race.c -o " + so).status, 0);
  EXPECT_EQ(w.annelid("firmware run --native " + so + " --quiet --size 3x1").out, kInOrder);
  EXPECT_EQ(w.annelid("firmware run --native " + so + " --quiet --size 3x1 --mode non-barrier").out,
            kReversed);
}

TEST(OpenReceives, ThatAreRefusedSayNothingInTheEnvelope) {
  const Workplace w;
  const std::string elf = built_text(
      w, "refused.c",
      "#include <ccl.h>\n"
      "int main(void) {\n"
      "  struct nic_envelope envelope = {77, 78, 79};\n"
      "  unsigned value = 5, room[4];\n"
      "  if (mypid == 0) return bsend(1, &value, sizeof value, 3);\n"
      "  if (brecv(CCL_ANY, room, sizeof room, CCL_ANY, &envelope) != 0) return 1;\n"
      "  if (envelope.from != 0 || envelope.tag != 3 || envelope.bytes != sizeof value) return 2;\n"
      "  envelope.from = 77;\n"
      "  if (brecv(9, &value, sizeof value, CCL_ANY, &envelope) != NIC_BAD_ARGUMENT) return 3;\n"
      "  return envelope.from == 77 ? 0 : 4;\n"
      "}\n");
  const Outcome o = w.annelid("firmware run " + elf + " --quiet --size 2x1");
  EXPECT_EQ(o.status, 0) << o.out << o.err;
}

/// The texts that a row shows, in order.
std::vector<std::string> texts_of(waves::WaveContents& wave, const std::string& row) {
  std::vector<std::string> texts;
  for (const auto& change : wave.changes(row)) {
    if (!change.value.empty()) texts.push_back(change.value);
  }
  return texts;
}

TEST(CclRaces, AreSeenInTheWaveform) {
  const Workplace w;
  const std::string elf = built(w, kExamples + "race.c");
  for (const bool reversed : {false, true}) {
    const Outcome o =
        w.annelid("firmware run " + elf + " --quiet --size 3x1 --wave " +
                  w.path("race.fst").string() + (reversed ? " --mode non-barrier" : ""));
    ASSERT_EQ(o.status, 0) << o.err;
    waves::WaveContents wave(w.path("race.fst"));
    std::vector<std::string> open;
    for (const std::string& text : texts_of(wave, "noc.n_2_0.nic.match")) {
      if (text.find("open") != std::string::npos) open.push_back(text);
    }
    const std::string a = "open receive: granted to 0,0 #10",
                      b = "open receive: granted to 1,0 #11";
    ASSERT_EQ(open.size(), 2U);
    EXPECT_THAT(open[0], HasSubstr(reversed ? b : a));
    EXPECT_THAT(open[1], HasSubstr(reversed ? a : b));
    EXPECT_THAT(texts_of(wave, "noc.n_2_0.nic.match"),
                Contains(HasSubstr(reversed ? "request of 1,0 #11" : "request of 0,0 #10")));
    EXPECT_THAT(texts_of(wave, "noc.n_1_0.nic.send"), Contains("to 2,0 #11, 4 bytes"));
    EXPECT_THAT(
        texts_of(wave, "noc.n_2_0.nic.firmware"),
        Contains("received after the broadcast: from " +
                 std::string(reversed ? "a, which sent it before" : "b, which sent it after") +
                 " the broadcast"));
  }
}

// Node 0 serves the others in the order of their requests; collectives and ordinary messages under
// way at the same time are never taken by mistake.
TEST(OpenPrograms, AServerTakesWhatComesFirst) {
  const Workplace w;
  const std::string elf = built_text(
      w, "server.c",
      "#include <ccl.h>\n"
      "#include <stdio.h>\n"
      "int main(void) {\n"
      "  unsigned sum = 0, mine = mypid, got, all;\n"
      "  struct nic_envelope from = {0, 0, 0};\n"
      "  if (mypid == 0) {\n"
      "    for (unsigned i = 1; i < nic_nodes(); ++i) {\n"
      "      if (brecv(CCL_ANY, &got, sizeof got, i % 2 ? CCL_ANY : 7, &from) != 0) return 1;\n"
      "      if (got != from.from || from.tag != 7 || from.bytes != 4) return 2;\n"
      "      if (nic_send(from.from, &got, sizeof got, 7) != 0) return 3;\n"
      "      sum += got;\n"
      "    }\n"
      "    printf(\"%u\\n\", sum);\n"
      "  } else {\n"
      "    if (bsend(0, &mine, sizeof mine, 7) != 0) return 4;\n"
      "    if (nic_receive(0, &got, sizeof got, 7) != 0 || got != mypid) return 5;\n"
      "  }\n"
      "  return combine(ALL, &sum_uint32, &mine, &all, 1) == 0 && all == 15 ? 0 : 6;\n"
      "}\n");
  for (const char* options : {"", " --eager-bytes 0", " --control-vc true"}) {
    const Outcome o = w.annelid("firmware run " + elf + " --quiet --size 3x2" + options);
    EXPECT_EQ(o.status, 0) << o.out << o.err;
    EXPECT_EQ(o.out, "0,0: 15\n") << options;
  }
}

TEST(OpenPrograms, WrongArgumentsAreRefused) {
  const Workplace w;
  const std::string elf =
      built_text(w, "wrong.c",
                 "#include <nic.h>\n"
                 "int main(void) {\n"
                 "  unsigned x = 0;\n"
                 "  if (nic_send_open(2, &x, 4, 0) != NIC_BAD_ARGUMENT) return 1;\n"
                 "  if (nic_send_open(0, &x, 4, 0x10000) != NIC_BAD_ARGUMENT) return 2;\n"
                 "  if (nic_receive_open(2, &x, 4, 0, 0) != NIC_BAD_ARGUMENT) return 3;\n"
                 "  return nic_receive_open(0, &x, 4, 0x10000, 0) == NIC_BAD_ARGUMENT ? 0 : 4;\n"
                 "}\n");
  EXPECT_EQ(w.annelid("firmware run " + elf + " --quiet --size 2x1").status, 0);
}

TEST(OpenPrograms, WhoWaitsForWhomIsSaid) {
  const Workplace w;
  const std::string elf = built_text(w, "waits.c",
                                     "#include <nic.h>\n"
                                     "int main(void) {\n"
                                     "  unsigned x = 0;\n"
                                     "  if (nic_node() == 0) return nic_send_open(1, &x, 4, 5);\n"
                                     "  return nic_receive_open(NIC_ANY, &x, 4, 6, 0);\n"
                                     "}\n");
  const Outcome o = w.annelid("firmware run " + elf + " --size 2x1");
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.out + o.err, AllOf(HasSubstr("no node has requested it"),
                                   HasSubstr("requested, and no receive there takes it")));
}

}  // namespace
}  // namespace annelid::end_to_end
