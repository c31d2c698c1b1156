// Windows, triggers and views of waveforms, as the program's user meets them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "testbench/end_to_end/program.hpp"
#include "waves/fst_reader.hpp"

namespace annelid::end_to_end {
namespace {

const std::string kTraffic =
    "traffic --size 4x4 --load 0.5 --set traffic.warm_up=0 --set traffic.measure=60 --quiet ";

/// The signals that a save file shows, in its order.
std::vector<std::string> rows_of(const std::string& save_file) {
  std::vector<std::string> rows;
  std::istringstream lines(save_file);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("+{")) line = line.substr(line.find("} ") + 2);
    if (line.starts_with("noc.")) rows.push_back(line);
  }
  return rows;
}

/// The name of the channel's flit signal: "noc.n_2_0.xp.out.flit" of a flit log's "2,0" and "+x".
std::string signal_of(std::string node, const std::string& channel) {
  std::replace(node.begin(), node.end(), ',', '_');
  std::string port = channel;
  std::string end = ".out.flit";
  if (channel.starts_with("inj")) {
    port = "local" + channel.substr(3);
    end = ".in.flit";
  } else if (channel.starts_with("ej")) {
    port = "local" + channel.substr(2);
  } else {
    port = std::string(1, channel[1]) + (channel[0] == '+' ? "p" : "m");
  }
  return "noc.n_" + node + "." + port + end;
}

TEST(WaveCommand, ThePathOfEveryMessageIsThatOfTheFlitLog) {
  const Workplace w;
  const std::string wave = w.path("w.fst").string(), log = w.path("log").string();
  const Outcome run = w.annelid(kTraffic + "--out " + w.path("out").string() + " --wave " + wave +
                                " --flit-log " + log);
  ASSERT_EQ(run.status, 0) << run.err;
  // Heads by packet, in the order of cycles: "0,1>3,2 #0". A pair's packets have tags of their own.
  std::map<std::string, std::vector<std::string>> way;
  std::ifstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string cycle, node, channel, vc, kind, data, packet, tag;
    words >> cycle >> node >> channel >> vc >> kind >> data >> packet >> tag;
    if (kind == "H" || kind == "S") way[packet + " #" + tag].push_back(signal_of(node, channel));
  }
  ASSERT_GT(way.size(), 50u);
  const Outcome list = w.annelid("wave --list " + wave);
  ASSERT_EQ(list.status, 0) << list.err;
  std::istringstream messages(list.out);
  std::string line;
  std::getline(messages, line);  // the columns' names
  int checked = 0;
  for (std::size_t expected = 1; std::getline(messages, line); ++expected) {
    std::istringstream words(line);
    std::size_t number = 0, cycle = 0, step = 0;
    std::string packet, tag;
    words >> number >> cycle >> step >> packet >> tag;
    EXPECT_EQ(number, expected);
    ASSERT_TRUE(way.contains(packet + " " + tag)) << line;
    if (number % 10 != 1) continue;  // each costs a run of the program
    ++checked;
    const std::string view = w.path("v.gtkw").string();
    const Outcome made =
        w.annelid("wave --view message:" + std::to_string(number) + " --out " + view + " " + wave);
    ASSERT_EQ(made.status, 0) << made.err;
    std::vector<std::string> channels;
    for (const std::string& row : rows_of(w.text("v.gtkw"))) {
      if (row.ends_with(".flit")) channels.push_back(row);
    }
    EXPECT_EQ(channels, way[packet + " " + tag]) << line;
  }
  EXPECT_GT(checked, 5);
}

// GTKWave drops a row in silence if its name is not in the waveform.
TEST(WaveCommand, ViewsNameSignalsOfTheWaveform) {
  const Workplace w;
  const std::string wave = w.path("w.fst").string();
  const Outcome run = w.run("--quiet --wave " + wave);
  ASSERT_EQ(run.status, 0) << run.err;
  std::set<std::string> names;
  const waves::FstReader file(wave);
  for (const auto& name : file.names()) names.insert(name.full);
  for (const char* view : {"message:17", "router:2,0", "step:3", "nics"}) {
    const Outcome o = w.annelid(std::string("wave --view ") + view + " --out " +
                                w.path("v.gtkw").string() + " " + wave);
    ASSERT_EQ(o.status, 0) << o.err;
    const auto rows = rows_of(w.text("v.gtkw"));
    EXPECT_GT(rows.size(), 5u) << view;
    for (const std::string& row : rows) EXPECT_TRUE(names.contains(row)) << row;
  }
  EXPECT_NE(w.text("v.gtkw").find("[markername] Dstep 4"), std::string::npos);
}

/// The names that a save file gives to its signals.
std::map<std::string, std::string> names_of(const std::string& save_file) {
  std::map<std::string, std::string> names;
  std::istringstream lines(save_file);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("+{")) continue;
    const std::size_t end = line.find("} ");
    names[line.substr(end + 2)] = line.substr(2, end - 2);
  }
  return names;
}

// Two channels of a view, or two VCs of a port, are told apart by their names alone.
TEST(WaveCommand, RowsHaveTheSameNamesInAllViewsAndShowVcsThatHeldAFlit) {
  const Workplace w;
  const std::string wave = w.path("w.fst").string();
  const Outcome run = w.annelid(kTraffic +
                                "--vcs 3 --set router.local_vcs=2 --control-vc true "
                                "--out " +
                                w.path("out").string() + " --wave " + wave);
  ASSERT_EQ(run.status, 0) << run.err;
  waves::FstReader file(wave);
  std::map<std::string, std::uint32_t> signals;
  for (const auto& name : file.names()) signals[name.full] = name.signal;
  const auto held_a_flit = [&](const std::string& vc) {
    const bool input = vc.find(".in.") != std::string::npos;
    const auto changes = file.read({signals.at(vc + (input ? "front" : "owner"))});
    return std::any_of(changes[0].begin(), changes[0].end(),
                       [](const auto& change) { return !change.value.empty(); });
  };

  const auto own = names_of(w.text("w.gtkw"));
  std::map<std::string, std::uint32_t> signal_of_name;
  std::set<std::string> vcs;
  const auto check = [&](const std::map<std::string, std::string>& names, const std::string& view) {
    EXPECT_GT(names.size(), 10u) << view;
    for (const auto& [signal, name] : names) {
      ASSERT_TRUE(own.contains(signal)) << view << " " << signal;
      EXPECT_EQ(name, own.at(signal)) << view;
      const auto [known, is_new] = signal_of_name.emplace(name, signals.at(signal));
      EXPECT_EQ(known->second, signals.at(signal)) << view << ": two rows are called " << name;
      const std::size_t vc = signal.find(".vc");
      if (vc == std::string::npos || signal.find('.', vc + 1) == std::string::npos) continue;
      if (vcs.insert(signal.substr(0, signal.find('.', vc + 1) + 1)).second) {
        EXPECT_TRUE(held_a_flit(signal.substr(0, signal.find('.', vc + 1) + 1))) << signal;
      }
    }
  };
  check(own, "the run's");
  for (const char* view : {"message:17", "router:1,1", "router:2,0"}) {
    const Outcome o = w.annelid(std::string("wave --view ") + view + " --out " +
                                w.path("v.gtkw").string() + " " + wave);
    ASSERT_EQ(o.status, 0) << o.err;
    check(names_of(w.text("v.gtkw")), view);
  }
  EXPECT_GT(vcs.size(), 100u);
}

TEST(WaveCommand, RefusesAWindowBehindTheEnd) {
  const Workplace w;
  const std::string wave = w.path("w.fst").string();
  ASSERT_EQ(w.annelid(kTraffic + "--out " + w.path("out").string() + " --wave " + wave).status, 0);
  const Outcome o = w.annelid("wave --view router:2,0 --window 90000:90010 --out " +
                              w.path("v.gtkw").string() + " " + wave);
  EXPECT_EQ(o.status, 2);
  EXPECT_NE(
      o.err.find("--window: found 90000:90010, expected cycles of the waveform, which ends in"),
      std::string::npos)
      << o.err;
  EXPECT_FALSE(std::filesystem::exists(w.path("v.gtkw")));
}

TEST(WaveCommand, ListsTheMessagesOfOnePortRouters) {
  const Workplace w;
  const std::string wave = w.path("w.fst").string();
  const Outcome run = w.annelid(
      "run --operation broadcast --size 3x3 --router one-port --firmware native --quiet --out " +
      w.path("out").string() + " --wave " + wave);
  ASSERT_EQ(run.status, 0) << run.err;
  const Outcome list = w.annelid("wave --list " + wave);
  EXPECT_EQ(std::count(list.out.begin(), list.out.end(), '\n'), 9) << list.out;
  const Outcome view =
      w.annelid("wave --view message:3 --out " + w.path("v.gtkw").string() + " " + wave);
  ASSERT_EQ(view.status, 0) << view.err;
  EXPECT_NE(w.text("v.gtkw").find(" inject 0} noc.n_"), std::string::npos);
}

TEST(WaveCommand, NicsShowCallStepAndFunction) {
  const Workplace w;
  const std::string wave = w.path("w.fst").string();
  ASSERT_EQ(w.run("--quiet --wave-nodes 2 --wave " + wave).status, 0);
  waves::FstReader file(wave);
  std::map<std::string, std::set<std::string>> values;
  for (const auto& name : file.names()) {
    if (!name.full.starts_with("noc.n_2_0.nic.")) continue;
    const auto changes = file.read({name.signal});
    for (const auto& change : changes.at(0)) {
      values[name.full.substr(14)].insert(change.value);
    }
  }
  EXPECT_TRUE(values["collective"].contains("edn broadcast from node 2,0 of the 8x8 mesh"));
  EXPECT_TRUE(values["step"].contains("1"));  // the root's first message
  const auto some = [&](const std::string& row, const std::string& part) {
    return std::any_of(values[row].begin(), values[row].end(), [&](const std::string& value) {
      return value.find(part) != std::string::npos;
    });
  };
  EXPECT_TRUE(some("function", "main"));
  EXPECT_TRUE(some("function", "asleep"));
  EXPECT_TRUE(some("match", "send to "));
  EXPECT_GT(values["pc[31:0]"].size(), 100u);
  EXPECT_TRUE(some("firmware", "finished"));
  EXPECT_TRUE(values["send0_engine"].contains("data") || values["send1_engine"].contains("data"));
}

TEST(WaveCommand, AWaveformMayWaitForItsTrigger) {
  const Workplace w;
  const std::string wave = w.path("w.fst").string();
  const Outcome never = w.run("--wave " + wave + " --wave-trigger failure");
  EXPECT_EQ(never.status, 0) << never.err;
  EXPECT_NE(never.out.find("waveform  none: failure did not happen"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(wave));

  const Outcome tag =
      w.run("--quiet --wave " + wave + " --wave-trigger tag:1 --wave-before 20 --wave-after 30");
  EXPECT_EQ(tag.status, 0) << tag.err;
  const waves::FstReader file(wave);
  EXPECT_GE(file.end() - file.begin(), 50u);
  EXPECT_LE(file.end() - file.begin(), 61u);
}

TEST(WaveCommand, ADeadlockTriggersAndItsViewIsTheCircle) {
  const Workplace w;
  const std::string wave = w.path("w.fst").string();
  const Outcome run = w.annelid(
      "traffic --size 8 --topology torus --vcs 1 --allow-deadlock true --pattern tornado --load "
      "0.9 "
      "--set traffic.warm_up=0 --quiet --out " +
      w.path("out").string() + " --wave " + wave + " --wave-trigger failure --wave-before 2000");
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(run.err.ends_with("\n") && !run.err.ends_with("\n\n")) << run.err;
  const Outcome view =
      w.annelid("wave --view deadlock --out " + w.path("v.gtkw").string() + " " + wave);
  ASSERT_EQ(view.status, 0) << view.err;
  // All of the ring's channels in one direction.
  std::set<std::string> channels;
  for (const std::string& row : rows_of(w.text("v.gtkw"))) {
    if (row.ends_with(".out.flit")) channels.insert(row.substr(row.find(".x")));
  }
  EXPECT_EQ(channels.size(), 1u);
  EXPECT_EQ(rows_of(w.text("v.gtkw")).size(), 32u);
  EXPECT_THAT(w.text("v.gtkw"),
              ::testing::HasSubstr("+{0,0 xm vc0 held by} noc.n_0_0.xm.in.vc0.held_by\n"));
}

struct BadWave {
  const char* name;
  const char* arguments;
  std::vector<std::string> parts;
};

class WaveArgumentsOf : public ::testing::TestWithParam<BadWave> {};

TEST_P(WaveArgumentsOf, AreRefused) {
  const Workplace w;
  const std::string wave = w.path("w.fst").string();
  const Outcome run = w.annelid(kTraffic + "--out " + w.path("out").string() + " --wave " + wave);
  ASSERT_EQ(run.status, 0) << run.err;
  std::string arguments = GetParam().arguments;
  if (const auto at = arguments.find("WAVE"); at != std::string::npos) {
    arguments.replace(at, 4, wave);
  }
  const Outcome o = w.annelid("wave " + arguments);
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.out, "");
  for (const std::string& part : GetParam().parts) {
    EXPECT_NE(o.err.find(part), std::string::npos) << o.err;
  }
}

TEST(WaveCommand, ListsNothingOfADamagedFile) {
  const Workplace w;
  const std::string wave = w.path("a.fst").string();
  ASSERT_EQ(w.annelid("run --size 2x2 --bytes 64 --firmware native --quiet --wave " + wave).status,
            0);
  std::string bytes = w.text("a.fst");
  bytes[340] ^= 1;  // in the first block of changes: the time at which it begins
  w.file("a.fst", bytes);
  const Outcome o = w.annelid("wave --list " + wave);
  EXPECT_EQ(o.status, 2);
  EXPECT_EQ(o.out, "");
  EXPECT_NE(o.err.find("damaged FST file"), std::string::npos) << o.err;
}

INSTANTIATE_TEST_SUITE_P(
    Bad, WaveArgumentsOf,
    ::testing::Values(
        BadWave{"NoFile", "--list /no/such.fst", {"/no/such.fst: found no such file"}},
        BadWave{"Folder", "--list docs", {"docs: found a folder"}},
        BadWave{"NoWaveform", "--list README.md", {"README.md", "no FST file"}},
        BadWave{"NothingToDo", "WAVE", {"neither --view nor --list", "one of them"}},
        BadWave{"Both", "--list --view nics WAVE", {"--view and --list", "one of them"}},
        BadWave{"UnknownView", "--view colours WAVE", {"\"colours\"", "message:N"}},
        BadWave{"MistypedView", "--view dedlock WAVE", {"did you mean \"deadlock\"?"}},
        BadWave{"OutOfAList", "--list --out v.gtkw WAVE", {"--out", "beside --list"}},
        BadWave{"WindowOfAList", "--list --window 3:9 WAVE", {"--window", "beside --list"}},
        BadWave{"NoNumber", "--view message:x WAVE", {"\"message:x\"", "message:N"}},
        BadWave{"NoSuchMessage", "--view message:99999 WAVE", {"message 99999", "1 to ", "--list"}},
        BadWave{"NoSuchNode", "--view router:9,9 WAVE", {"router 9,9", "router:2,0"}},
        BadWave{"NoSuchStep", "--view step:3 WAVE", {"step 3", "expected"}},
        BadWave{"NoDeadlock", "--view deadlock WAVE", {"circle", "deadlock"}},
        BadWave{"BadWindow", "--view nics --window 9:3 WAVE", {"--window", "\"9:3\"", "100:250"}},
        BadWave{
            "UnwritableView", "--view nics --out /proc/v.gtkw WAVE", {"--out", "/proc/v.gtkw"}}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace annelid::end_to_end
