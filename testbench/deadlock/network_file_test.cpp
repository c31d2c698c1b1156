// Files with networks: what they mean, and the errors of files that are none.
#include "deadlock/network_file.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "base/input_error.hpp"
#include "deadlock/judge.hpp"
#include "deadlock/of_network.hpp"
#include "testbench/deadlock/network_of_text.hpp"

namespace annelid::deadlock {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kLine = "node a 0 0\nnode b 1 0\nchannel ab a b 2\nchannel ba b a\n";

std::vector<std::uint32_t> next(const Network& network, std::uint32_t held, Packet packet) {
  std::vector<Choice> choices;
  network.next(held, packet, choices);
  std::vector<std::uint32_t> vcs;
  for (const Choice& choice : choices) vcs.push_back(choice.vc);
  return vcs;
}

TEST(NetworkFile, TheRouteThatSaysMostOfAPacketCounts) {
  const Network network = network_of_text(
      "node a\nnode b\nnode c\nchannel ab a b 3\nchannel bc b c\nclass one two\n"
      "route @a *: ab.0\nroute @a c: ab.1\nroute @a c two: ab.2 # the last\nroute ab c: bc\n");
  const std::uint32_t at_a = network.vcs();
  EXPECT_THAT(next(network, at_a, {1, 0}), ElementsAre(0u));
  EXPECT_THAT(next(network, at_a, {2, 0}), ElementsAre(1u));
  EXPECT_THAT(next(network, at_a, {2, 1}), ElementsAre(2u));
  EXPECT_THAT(next(network, 2, {2, 1}), ElementsAre(3u)) << "all VCs of ab";
  EXPECT_EQ(network.place_name(1), "ab.1");
  EXPECT_EQ(network.place_name(3), "bc");
}

TEST(NetworkFile, WhatIsWrittenIsReadAsTheSame) {
  systemc::NetworkConfig config{{4, 3, 1}, {.local_ports = 1, .vcs = 2}};
  config.router.torus = {true, false};
  config.router.control_vc = true;
  const Network network = of_network(config);
  const States states(network);
  const std::string text = network_text(network, states);
  const Network again = network_of_text(text);
  const States same(again);
  EXPECT_EQ(network_text(again, same), text);
  EXPECT_EQ(same.count(), states.count());
  EXPECT_EQ(judge(again, same).dependencies, judge(network, states).dependencies);
}

struct Bad {
  const char* text;
  std::vector<std::string> parts;
};

TEST(NetworkFile, ErrorsNameTheLineAndTheReason) {
  const std::vector<Bad> files = {
      {"", {":1: end: found no route"}},
      {"nod a\n", {":1: line: found \"nod\"", "did you mean \"node\"?"}},
      {"node a b\n", {":1: node: found one coordinate"}},
      {"node a 1 x\n", {":1: node: found \"x\", expected a number"}},
      {"node a\n\nnode a\n", {":3: node: found \"a\" again"}},
      {"node a.b\n", {":1: node: found \"a.b\", expected a name without"}},
      {"node a\nchannel aa a a\n", {":2: channel: found \"a\" at both ends"}},
      {"node abcd\nchannel c abcd abce\n", {":2: channel: found \"abce\"", "did you mean"}},
      {"node a\nnode b\nchannel ab a b 0\n",
       {":3: channel: found \"0\", expected an integer, 1..64"}},
      {"switching worm\n", {":1: switching: found \"worm\"", "wormhole, shared, cut-through"}},
      {"switching shared\nswitching shared\n", {":2: switching: found a second one", "line 1"}},
      {"class a b\nanswer a b\nanswer b a\n",
       {":3: answer: found a b that is an answer to itself"}},
      {"class a b\nanswer a b\nanswer a b\n", {":3: answer: found a second answer"}},
  };
  const std::vector<Bad> lines = {
      {"route @a b ab\n", {":5: route: found no \":\""}},
      {"route @a b:\n", {":5: route: found nothing after the \":\""}},
      {"route @a b: ab.2\n", {":5: route: found \"ab.2\", expected ab.0 to ab.1"}},
      {"route @a b: ac\n", {":5: route: found \"ac\"", "did you mean \"ab\"?"}},
      {"route @a a: ab\n", {":5: route: found a, where such packets are"}},
      {"route @b a: ab\n", {":5: route: found ab, which starts at a", "that starts at b"}},
      {"route @a b one: ab\n", {":5: route: found \"one\", expected a class"}},
      {"route @a b: ab ab.1\n", {":5: route: found \"ab.1\" again"}},
      {"route @a b: ab.0\nroute @a b: ab.1\n", {":6: route: found the same as line 5"}},
      {"route @a b: ab\nnode c\n", {":6: node: found it below a route"}},
      {"route ba b: ab\n", {":6: end: found no route from a node"}},
      {"bubble ring ab.0 ba\nroute @a b: ab\n", {":5: bubble: found a ring with bubbles and"}},
      {"bubble ring ab ba\n", {":5: bubble: found \"ab\", expected one virtual channel"}},
      {"bubble ring ab.0 ab.1\n",
       {":5: bubble: found ab after ab, expected a channel that starts"}},
  };
  const auto expect_refused = [](const std::string& text, const std::vector<std::string>& parts) {
    try {
      (void)network_of_text(text);
      ADD_FAILURE() << "accepted:\n" << text;
    } catch (const InputError& error) {
      for (const std::string& part : parts) EXPECT_THAT(error.what(), HasSubstr(part)) << text;
    }
  };
  for (const Bad& file : files) expect_refused(file.text, file.parts);
  for (const Bad& line : lines) expect_refused(kLine + line.text, line.parts);
}

}  // namespace
}  // namespace annelid::deadlock
