// `annelid merge` of shards that somebody else has written: they say which study it is, and nothing
// else. What they say of it cannot run another command, or write outside of the results' folder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <sstream>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using nlohmann::json;

/// The only shard of a small sweep, in the folder "shard-1-of-1".
class Shard {
 public:
  Shard() {
    const Outcome o = workplace.shell("$A " + kStudy + "--quiet --shard 1/1 --out shard-1-of-1");
    EXPECT_EQ(o.status, 0) << o.err;
    good = json::parse(workplace.text("shard-1-of-1/part.json"));
  }

  /// Merges the shard with this text in its part.json, from the folder in which it was started.
  [[nodiscard]] Outcome merged(const std::string& part) const {
    workplace.file("shard-1-of-1/part.json", part);
    return workplace.shell("$A merge shard-1-of-1 --out merged");
  }
  [[nodiscard]] Outcome merged(const std::function<void(json&)>& change) const {
    json part = good;
    change(part);
    return merged(part.dump());
  }

  const std::string kStudy =
      "sweep --size 2x2 --measure 200 --warm-up 50 --no-plots --sweep traffic.load=0.1 ";
  Workplace workplace;
  json good;
};

TEST(HostileShards, AreMergedIfTheyNameTheirStudy) {
  const Shard shard;
  const Outcome o = shard.merged([](json&) {});
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, ::testing::HasSubstr("1 points, 0 simulated, 1 kept"));
  const json expected = {{"--size", "2x2"},
                         {"--measure", "200"},
                         {"--warm-up", "50"},
                         {"--no-plots"},
                         {"--sweep", "traffic.load=0.1"}};
  EXPECT_EQ(shard.good.at("options"), expected);
  EXPECT_EQ(shard.good.at("study"), "sweep");
}

TEST(HostileShards, RunNoOtherCommandAndNoOtherOption) {
  const Shard shard;
  const Workplace& w = shard.workplace;
  w.file("victim", "precious");
  const std::string victim = w.path("victim").string();
  const auto refused = [&](const std::function<void(json&)>& change,
                           const std::vector<std::string>& parts) {
    expect_refused(w, shard.merged(change), parts);
    EXPECT_EQ(w.text("victim"), "precious");
    EXPECT_FALSE(std::filesystem::exists(w.path("merged")));
  };
  for (const std::string command : {"run", "firmware", "traffic", "merge", "swep", ""}) {
    refused([&](json& part) { part["study"] = command; },
            {"part.json: found the command \"" + command + "\"", "check, sweep, tune, reproduce"});
  }
  const std::vector<json> options = {{"--flit-log", victim},
                                     {"--document", victim},
                                     {"--out", victim},
                                     {"--engine", "slurm"},
                                     {"--quiet"},
                                     {"--jobs", "1000"},
                                     {"-h"},
                                     {"--"},
                                     {""},
                                     {"scenario", victim},
                                     {"--out=" + victim}};
  for (const json& option : options) {
    refused([&](json& part) { part["options"].push_back(option); },
            {"part.json: found the option \"" + option[0].get<std::string>() + "\"",
             "one that belongs to a study of annelid sweep"});
  }
  // A value takes no word of the next option's, and an input is none.
  refused([&](json& part) { part["options"].push_back({"--seed"}); },
          {"part.json: found --seed without a value, expected one"});
  refused(
      [&](json& part) {
        part["options"].push_back({"--no-plots", "--document"});
      },
      {"part.json: found --no-plots with a value, expected none"});
  refused([&](json& part) { part["inputs"] = {"--document=" + victim}; },
          {"part.json: found the input \"--document=", "begins with no dash"});
}

TEST(HostileShards, SayNotWhereTheStudyRunsOrWrites) {
  const Shard shard;
  const Workplace& w = shard.workplace;
  expect_refused(w, shard.merged([](json& part) { part["started_in"] = "/"; }),
                 {"found a study that began in /", "start annelid merge where the shards were"});
  expect_refused(w, shard.merged([](json& part) { part["results"] = "/tmp"; }),
                 {"part.json: found an unknown key \"results\""});
  // Without --out, the results go to the folder around the shards' folders, whatever they say.
  w.file("shard-1-of-1/part.json", shard.good.dump());
  std::filesystem::create_directory(w.path("around"));
  std::filesystem::rename(w.path("shard-1-of-1"), w.path("around/shard-1-of-1"));
  EXPECT_EQ(w.shell("$A merge around/shard-1-of-1").status, 0);
  EXPECT_TRUE(std::filesystem::exists(w.path("around/sweep.csv")));
  std::filesystem::rename(w.path("around/shard-1-of-1"), w.path("around/other"));
  expect_refused(w, w.shell("$A merge around/other"), {"--out: found nothing"});
}

TEST(HostileShards, BringNoLinksThatResultsWouldFollow) {
  const Shard shard;
  const Workplace& w = shard.workplace;
  w.file("victim", "precious");
  std::filesystem::create_directory(w.path("merged"));
  std::filesystem::create_symlink(w.path("victim"), w.path("merged/sweep.csv"));
  expect_refused(w, shard.merged([](json&) {}), {"found the symbolic link \"sweep.csv\""});
  EXPECT_EQ(w.text("victim"), "precious");
}

TEST(HostileShards, AreOneClearErrorWhateverTheirTextIs) {
  const Shard shard;
  const Workplace& w = shard.workplace;
  const auto refused = [&](const std::string& text, const std::string& part) {
    expect_refused(w, shard.merged(text), {part});
    EXPECT_THAT(w.text("stderr"), ::testing::Not(::testing::HasSubstr("json.exception")));
  };
  refused("", "part.json:1: found no JSON");
  refused("{\n\"shard\": oops}", "part.json:2: found no JSON");
  refused("[1]", "part.json: found no JSON object");
  refused("{\"shard\": 1e999}", "part.json: found a number that is too large");
  refused("{\"shard\": \"\xff\"}", "part.json:1: found no JSON");
  refused(std::string(1000, '['), "part.json: found lists in lists");
  for (const auto& [key, value] : shard.good.items()) {
    json part = shard.good;
    part.erase(key);
    refused(part.dump(), "part.json: " + key + ": found nothing, expected a");
    part[key] = 7;
    refused(part.dump(), "part.json: " + key + ": found 7, expected a");
    part[key] = json::array({json::array({"a", "b", "c"})});
    refused(part.dump(), "part.json: " + key + ": found ");
  }
}

TEST(HostileShards, InFoldersThatCannotBeReadAreRefused) {
  const Workplace w;
  std::filesystem::create_directory(w.path("loop"));
  std::filesystem::create_symlink("part.json", w.path("loop/part.json"));
  for (const std::string& folder : {std::string("loop"), std::string(300, 'x')}) {
    expect_refused(w, w.shell("$A merge --out merged " + folder),
                   {folder + ": found no part.json: ", "expected the folder of a shard"});
  }
  expect_refused(w, w.shell("$A merge --out merged ''"), {"annelid merge: found a folder without"});
}

/// The options of a command with a file or a folder, and what its help says they are.
std::vector<std::string> file_options(const Workplace& w, const std::string& command) {
  std::istringstream help(w.annelid(command + " --help").out);
  std::vector<std::string> found;
  for (std::string line; std::getline(help, line);) {
    std::istringstream words(line);
    std::string name, type;
    words >> name >> type;
    if (name.starts_with("--") && (type.starts_with("FILE") || type == "DIR")) {
      found.push_back(name);
    }
  }
  return found;
}

// A new option of a study that writes a file must be one that merge refuses (cli/study_words.cpp).
TEST(HostileShards, NameNoFilesButThoseThatAStudyReads) {
  const Shard shard;
  for (const std::string command : {"check", "sweep", "tune", "reproduce"}) {
    std::vector<std::string> taken;
    for (const std::string& option : file_options(shard.workplace, command)) {
      const Outcome o = shard.merged([&](json& part) {
        part["study"] = command;
        part["options"] = json::array({{option, "/nowhere/at/all"}});
      });
      if (o.err.find("found the option") == std::string::npos) taken.push_back(option);
    }
    const std::vector<std::string> reads =
        command == "sweep" ? std::vector<std::string>{"--trace"} : std::vector<std::string>{};
    EXPECT_EQ(taken, reads) << command;
  }
}

}  // namespace
}  // namespace annelid::end_to_end
