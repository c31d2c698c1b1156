// `annelid deadlock` as a user calls it, and refused networks that deadlock when they run.
#include <gmock/gmock.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(DeadlockCommand, JudgesEveryNetworkOfTheFolder) {
  const std::map<std::string, std::string> proofs = {
      {"west-first", "acyclic"},     {"north-last", "acyclic"},       {"negative-first", "acyclic"},
      {"odd-even", "acyclic"},       {"west-first-broken", ""},       {"adaptive", ""},
      {"adaptive-escape", "escape"}, {"adaptive-escape-shared", "-"}, {"ring", ""},
      {"ring-dateline", "acyclic"},  {"ring-cut-through", ""},        {"ring-bubble", "bubbles"},
      {"request-reply", "acyclic"},  {"request-reply-shared", ""}};
  const Workplace w;
  for (const auto& [name, proof] : proofs) {
    SCOPED_TRACE(name);
    const std::string json = w.path(name + ".json").string();
    const Outcome o =
        w.annelid("deadlock --network scenarios/deadlock/" + name + ".network --json " + json);
    const auto verdict = nlohmann::json::parse(w.text(name + ".json"));
    const bool accepted = proof.size() > 1;
    EXPECT_EQ(o.status, accepted ? 0 : 1) << o.err;
    EXPECT_THAT(o.out, HasSubstr(accepted ? "accepted    packets cannot" : "refused     "));
    EXPECT_EQ(verdict.at("proof"), accepted ? proof : "none");
    EXPECT_EQ(verdict.at("verdict"), accepted       ? "proved"
                                     : proof == "-" ? "not_proved"
                                                    : "deadlock");
    EXPECT_EQ(verdict.at("cycle").empty(), accepted);
    EXPECT_EQ(verdict.at("packets").empty(), accepted || proof == "-");
  }
}

TEST(DeadlockCommand, DrawsTheCycleOfChannels) {
  const Workplace w;
  const Outcome o = w.annelid("deadlock --size 4 --topology torus --vcs 1 --picture " +
                              w.path("ring.svg").string());
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.out, HasSubstr("0,0+x -> 1,0+x -> 2,0+x -> 3,0+x -> 0,0+x"));
  const std::string picture = w.text("ring.svg");
  EXPECT_THAT(picture, StartsWith("<svg "));
  std::size_t red = 0;
  for (std::size_t at = 0; (at = picture.find("url(#red)", at)) != std::string::npos; ++at) ++red;
  EXPECT_EQ(red, 4u);
}

TEST(DeadlockCommand, JudgesWhatItHasWritten) {
  const Workplace w;
  const std::string file = w.path("torus.network").string();
  EXPECT_EQ(w.annelid("deadlock --size 4x4 --topology torus --vcs 1 --write " + file).status, 1);
  EXPECT_EQ(w.annelid("deadlock --network " + file).status, 1);
  EXPECT_EQ(w.annelid("deadlock --size 4x4 --topology torus --vcs 2 --write " + file).status, 0);
  EXPECT_EQ(w.annelid("deadlock --network " + file).status, 0);
}

TEST(DeadlockCommand, TakesTheTablesOfNetworksThatAreTooLarge) {
  const Workplace w;
  const Outcome torus = w.annelid("deadlock --size 128x128 --topology torus");
  EXPECT_EQ(torus.status, 0);
  EXPECT_THAT(torus.out, HasSubstr("by the tables of its dimensions"));
  const Outcome ring = w.annelid("deadlock --size 100x100 --topology torus --vcs 1");
  EXPECT_EQ(ring.status, 1);
  EXPECT_THAT(ring.out, HasSubstr("14,0 +x -> (84 more) -> 99,0 +x -> 0,0 +x"));
  expect_refused(w, w.annelid("deadlock --size 100x100 --picture x.svg"),
                 {"--picture", "a smaller network"});
}

TEST(DeadlockCommand, RefusesWhatIsNoNetwork) {
  const Workplace w;
  const std::string file = w.file("bad.network", "node a\nnode b\nchanel ab a b\n");
  expect_refused(w, w.annelid("deadlock --network " + file),
                 {"bad.network:3: line: found \"chanel\"", "did you mean \"channel\"?"});
  expect_refused(w, w.annelid("deadlock --network " + file + " --vcs 2"), {"--vcs", "--network"});
  expect_refused(w, w.annelid("deadlock --network none.network"), {"none.network"});
  expect_refused(w, w.annelid("deadlock --topology ideal"), {"--topology", "with routers"});
}

/// The number of a node "2,1" or "2,1,0", or of a switch "2,1/x" in it.
int number(const std::string& node, const std::vector<int>& size) {
  std::istringstream words(node);
  int sum = 0, unit = 1, coordinate = 0;
  for (const int nodes : size) {
    words >> coordinate;
    words.ignore(1);
    sum += unit * coordinate;
    unit *= nodes;
  }
  return sum;
}

/// A trace in which the packets of a refusal are sent, all in the same cycle, and are long.
std::string trace_of(const nlohmann::json& verdict, const std::vector<int>& size) {
  std::string text = "id,cycle,source,destination,bytes,after\n";
  int id = 0;
  for (const auto& packet : verdict.at("packets")) {
    const std::string from = packet.at("way").at(0).get<std::string>().substr(1);
    text += std::to_string(id++) + ",0," + std::to_string(number(from, size)) + "," +
            std::to_string(number(packet.at("to"), size)) + ",2000,\n";
  }
  return text;
}

// The packets that a refusal names are sent, and wait for each other for ever. A node sends one
// packet after the other, so where it needs two at a time, other traffic fills the ring.
TEST(DeadlockCommand, ThePacketsOfARefusalDeadlockInARun) {
  struct Refused {
    const char* network;
    std::vector<int> size;
    const char* traffic = nullptr;  // in place of the packets
  };
  const std::vector<Refused> list = {
      {"--size 4 --topology torus --vcs 1", {4}},
      {"--size 8 --topology torus --vcs 1", {8}},
      {"--size 8 --topology torus --vcs 2 --classes plh --local-ports 2 --local-vcs 2",
       {8},
       "--pattern tornado --load 1 --flits 64"},
      {"--size 9 --topology torus --vcs 1 --router one-port --local-ports 1", {9}},
      {"--size 6x6 --topology torus --vcs 1", {6, 6}},
      {"--size 6x6 --topology torus --vcs 1 --routing yx", {6, 6}},
      {"--size 4x8 --topology mesh,torus --vcs 1", {4, 8}},
      {"--size 8x3 --topology torus --vcs 2 --classes plh",
       {8, 3},
       "--pattern uniform --load 1 --flits 64"},
      {"--size 5x5 --topology torus --vcs 1 --router one-port --local-ports 1", {5, 5}},
      {"--size 5x5x5 --topology torus --vcs 1", {5, 5, 5}},
  };
  const Workplace w;
  for (const Refused& one : list) {
    SCOPED_TRACE(one.network);
    const std::string network = one.network;
    const Outcome judged =
        w.annelid("deadlock " + network + " --json " + w.path("verdict.json").string());
    EXPECT_EQ(judged.status, 1) << judged.err;
    EXPECT_THAT(judged.out, HasSubstr("refused     packets can deadlock"));
    const auto verdict = nlohmann::json::parse(w.text("verdict.json"));
    const std::string sent = one.traffic != nullptr
                                 ? one.traffic
                                 : "--trace " + w.file("trace.csv", trace_of(verdict, one.size));
    const std::string run = "traffic " + network + " --out " + w.path("out").string() + " " + sent;
    EXPECT_EQ(w.annelid(run).status, 2) << "refused before the run";
    const Outcome ran = w.annelid(run + " --allow-deadlock true");
    EXPECT_EQ(ran.status, 1) << judged.out;
    EXPECT_THAT(ran.err, HasSubstr("packets wait on each other for ever"));
  }
}

}  // namespace
}  // namespace annelid::end_to_end
