// The page's data, decoded again, and what a page must not have. What a browser makes of it:
// page_test.py.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "testbench/parameter_name.hpp"
#include "testbench/systemc/names.hpp"
#include "testbench/timeline/recorded_run.hpp"
#include "timeline/page.hpp"

namespace annelid::timeline {
namespace {

using Json = nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

class PageData : public ::testing::TestWithParam<systemc::NetworkConfig> {};

TEST_P(PageData, HoldsEveryJourney) {
  RecordedNetwork network(GetParam(), {.load = 0.6, .sink_stall = 0.3, .packets = 10});
  network.finish();
  RecordedRun run = network.run();
  run.title = "</script><b>&";
  const std::string text = page_data(run);
  EXPECT_THAT(text, Not(HasSubstr("<")));
  const Json data = Json::parse(text);
  EXPECT_EQ(data["title"], run.title);
  ASSERT_EQ(data["packets"].size(), run.journeys.size());
  for (std::size_t i = 0; i < run.journeys.size(); ++i) {
    const Json& packet = data["packets"][i];
    const Journey& j = run.journeys[i];
    EXPECT_EQ(packet[0], j.from(run.network));
    EXPECT_EQ(packet[1], j.to(run.network));
    EXPECT_EQ(packet[2], j.info.head.tag);
    EXPECT_EQ(packet[5], 2);
    ASSERT_EQ(packet.size(), 6 + j.hops.size());
    Cycle head = data["begin"];
    for (std::size_t h = 0; h < j.hops.size(); ++h) {
      const Json& code = packet[6 + h];
      const Hop& hop = j.hops[h];
      EXPECT_EQ(code[0], hop.node);
      EXPECT_EQ(code[1], hop.channel);
      EXPECT_EQ(code[2], hop.vc);
      head += code[3].get<Cycle>();
      EXPECT_EQ(head, hop.head());
      const Json lengths = code[4].is_array() ? code[4] : Json::array({code[4]});
      std::vector<Burst> bursts;
      Cycle at = head;
      for (std::size_t b = 0; b < lengths.size(); ++b) {
        if (b % 2 == 0) bursts.push_back({at, lengths[b]});
        at += lengths[b].get<Cycle>();
      }
      EXPECT_EQ(bursts, hop.bursts);
      std::vector<Wait> waits;
      for (std::size_t w = 0; code.size() > 5 && w < code[5].size(); w += 3) {
        waits.push_back({static_cast<WaitCause>(code[5][w].get<int>()),
                         static_cast<JourneyId>(code[5][w + 1].get<std::int64_t>()),
                         code[5][w + 2]});
      }
      EXPECT_EQ(waits, hop.waits);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Page, PageData, ::testing::ValuesIn(networks()), test::ParameterName());

TEST(Page, OfAPartOfARunNamesPacketsByTheirNumbersInIt) {
  RecordedNetwork network(networks()[0], {.load = 0.6, .packets = 30});
  JourneyRecorder recorder(networks()[0], {.window = {100, 150}});
  network.watch({&recorder});
  network.finish();
  const RecordedRun run = recorder.take();
  const Json data = Json::parse(page_data(run));
  EXPECT_EQ(data["window"], Json({100, 150}));
  ASSERT_EQ(data["numbers"].size(), run.journeys.size());
  ASSERT_GT(run.journeys.size(), 10u);
  for (std::size_t i = 0; i < run.journeys.size(); ++i) {
    EXPECT_EQ(data["numbers"][i], run.journeys[i].number);
  }
  EXPECT_GT(data["numbers"][0], 1);
}

TEST(Page, OfTooManyPacketsHoldsLoadsAndOfADeadlockWhatIsInIt) {
  RecordedNetwork network(networks()[0], {.load = 0.6, .packets = 50});
  JourneyRecorder recorder(networks()[0], {.most_packets = 100});
  network.watch({&recorder});
  network.pass(150);
  RecordedRun run = recorder.take();
  ASSERT_TRUE(run.loads);
  Json data = Json::parse(page_data(run));
  EXPECT_EQ(data["packets"].size(), 0u);
  std::uint64_t flits = 0;
  for (const Json& channel : data["loads"]["channels"]) {
    const std::string letters = channel[3];
    flits += channel[2].get<std::uint64_t>();
    const auto& parts = run.loads->flits(channel[0], channel[1]);
    ASSERT_EQ(letters.size(), parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      EXPECT_EQ(letters[i] == 'A', parts[i] == 0);
      EXPECT_EQ(letters[i] == '/', parts[i] == run.loads->width());
    }
  }
  EXPECT_GT(flits, 1000u);
  EXPECT_EQ(data["loads"]["messages"], run.loads->messages());

  ASSERT_GT(run.journeys.size(), 2u) << "packets that are under way";
  run.stall.stops = {{1, 0, 0}, {2, 1, 0}};
  data = Json::parse(page_data(run));
  EXPECT_EQ(data["packets"].size(), run.journeys.size());
  EXPECT_EQ(data["stall"]["stops"], Json({{1, 0, 0}, {2, 1, 0}}));
}

TEST(Page, HoldsTheTimesOfCoresAndTheTreesOfMessages) {
  RecordedNetwork network(networks()[0], {.load = 0.5, .packets = 1});
  network.finish();
  RecordedRun run = network.run();
  run.begin = 0;
  run.cores = {{{0, 5}, {9, 12}}, {}};
  run.trees.assign(run.journeys.size(), 1);
  run.trees[1] = 2;
  const Json data = Json::parse(page_data(run));
  EXPECT_EQ(data["cores"], Json({{0, 5, 4, 3}, Json::array()}));
  EXPECT_EQ(data["trees"].get<std::string>().substr(0, 3), "121");
}

TEST(Page, NeedsNothingFromElsewhereAndKeepsTheTitleApart) {
  RecordedRun run = JourneyRecorder(networks()[0]).take();
  run.title = "@DATA@ </title><script>";
  const std::string html = page(run);
  EXPECT_THAT(html, HasSubstr("<title>@DATA@ &lt;/title&gt;&lt;script&gt;</title>"));
  for (const char* text :
       {"http:", "https:", "src=", "@import", "url(", "fetch(", "@STYLE@", "@SCRIPT@"}) {
    EXPECT_THAT(html, Not(HasSubstr(text)));
  }
}

}  // namespace
}  // namespace annelid::timeline
