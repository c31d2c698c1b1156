// Names that would be commands, markup or control sequences somewhere: in every drawing, page, save
// file, program and terminal that they reach. Each tries to make a file PWNED.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

const char* const kNames[] = {
    "a`touch PWNED`b",
    "$(touch PWNED)",
    "'; system 'touch PWNED'; '",
    "\"; system \"touch PWNED",
    "[exec touch PWNED]",
    "<script>alert(1)<!--",
    "| touch PWNED",
    "!touch PWNED",
    "a\\",
    "{}\" & a=1 <b>",
    "%s%n @x #",
};

void expect_nothing_happened(const Workplace& w) {
  for (const auto& entry : fs::recursive_directory_iterator(w.path("."))) {
    EXPECT_THAT(entry.path().filename().string(), Not(HasSubstr("PWNED"))) << entry.path();
  }
}

/// A scenario of this name; returns its path.
std::string scenario(const Workplace& w, const std::string& name) {
  std::string toml;
  for (const char c : name)
    toml += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return w.file("s.toml", "name = \"" + toml + "\"\n[network]\nsize = [3, 3]\n");
}

TEST(HostileNames, AreOnlyTextInTheDrawingsOfASweep) {
  const Workplace w;
  for (const char* name : kNames) {
    const Outcome o = w.shell("$A sweep " + scenario(w, name) +
                              " --measure 50 --warm-up 0 --sweep traffic.load=0.1,0.2 --out out");
    EXPECT_EQ(o.status, 0) << name << o.err;
    const std::string svg = w.text("out/curves.svg");
    EXPECT_THAT(svg, Not(HasSubstr("<script>"))) << name;
    EXPECT_THAT(svg, HasSubstr("</svg>")) << name;
    fs::remove(w.path("out/curves.svg"));
    expect_nothing_happened(w);
  }
}

TEST(HostileNames, AreOnlyTextInPagesAndTraces) {
  const Workplace w;
  for (const char* name : kNames) {
    const std::string file = scenario(w, name);
    const Outcome o = w.shell("$A run " + file +
                              " --operation barrier --firmware native --out out "
                              "--timeline t.html --perfetto t.json --flit-log log --wave w.fst");
    ASSERT_EQ(o.status, 0) << name << o.err;
    EXPECT_THAT(o.out, HasSubstr(name));
    EXPECT_THAT(w.text("t.html"), Not(HasSubstr("<script>alert"))) << name;
    EXPECT_EQ(w.result("out")["configuration"]["name"], name);
    const auto trace = nlohmann::json::parse(w.text("t.json"));
    EXPECT_THAT(trace["otherData"]["title"].get<std::string>(), HasSubstr(name));
    EXPECT_EQ(w.shell("$A timeline log --quiet").status, 0);
    expect_nothing_happened(w);
  }
}

TEST(HostileNames, OfAResultAreOnlyTextForTau) {
  const Workplace w;
  ASSERT_EQ(w.shell("$A run --operation broadcast --algorithm edn --size 4x4 --bytes 64 --firmware "
                    "native --quiet --out a && $A run --operation broadcast --algorithm edn --size "
                    "4x4 --bytes 640 --firmware native --quiet --out b")
                .status,
            0);
  const std::string hostile[] = {"a`touch PWNED`b", "x\nsystem 'touch PWNED'\n",
                                 "'\n!touch PWNED\n", "\x1b]0;PWNED\x07\x1b[2J",
                                 "<script>alert(1)"};
  for (const std::string& name : hostile) {
    for (const char* run : {"a", "b"}) {
      auto json = w.result(run);
      json["configuration"]["collective"]["operation"] = name;
      w.file(std::string(run) + "/result.json", json.dump());
    }
    const Outcome o = w.shell("$A tau a b --out tau");
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_THAT(o.out, Not(HasSubstr("\x1b")));
    EXPECT_THAT(w.text("tau/tau.svg"), Not(HasSubstr("<script>")));
    fs::remove_all(w.path("tau"));
    expect_nothing_happened(w);
  }
}

TEST(HostileNames, ThatCannotBeAFoldersAreRefused) {
  const Workplace w;
  for (const char* name : {"../../evil", "/tmp/evil", "..", ".", "", "a\\u001b[2J", "a\\nb"}) {
    const std::string file =
        w.file("s.toml", std::string("name = \"") + name + "\"\n[network]\nsize = [3, 3]\n");
    for (const char* command : {"run ", "traffic ", "sweep --no-plots "}) {
      const Outcome o = w.shell(std::string("$A ") + command + file);
      EXPECT_EQ(o.status, 2) << command << name;
      EXPECT_THAT(o.err, HasSubstr("s.toml:1: name: found"));
      EXPECT_THAT(o.err, Not(HasSubstr("\x1b")));
    }
  }
  const std::string bad = w.file("a\xff.toml", "[network]\nsize = [3, 3]\n");
  const Outcome o = w.shell("$A run " + shell_word(bad));
  EXPECT_EQ(o.status, 2);
  EXPECT_THAT(o.err, HasSubstr("a\\xff\", which is no UTF-8"));
}

TEST(HostileNames, DoNotReachTheTerminalAsTheyAre) {
  const Workplace w;
  const std::string esc = "\x1b[2J\x07";
  const std::string quoted = shell_word(esc);
  for (const std::string& arguments :
       {"run " + quoted, "run --algorithm " + quoted, "run " + quoted + " " + quoted,
        "tau " + quoted, "timeline " + quoted, "wave --list " + quoted, "schedule --root " + quoted,
        "run --operation barrier --size 2x2 --firmware native --out out" + quoted +
            " --flit-log log" + quoted,
        "cost --rtl-dir " + quoted, "reproduce " + quoted, "firmware run " + quoted}) {
    const Outcome o = w.shell("$A " + arguments);
    EXPECT_THAT(o.out + o.err, Not(HasSubstr("\x1b"))) << arguments;
    EXPECT_THAT(o.out + o.err, HasSubstr("\\x1b[2J")) << arguments;
  }
  // A log that somebody else has made.
  ASSERT_EQ(w.shell("$A run --operation barrier --size 2x2 --firmware native --quiet --out out "
                    "--flit-log log")
                .status,
            0);
  std::string log = w.text("log");
  w.file("log", log.replace(0, 2, "# " + esc));
  EXPECT_THAT(w.shell("$A timeline log").out, Not(HasSubstr("\x1b")));
}

TEST(HostileNames, HaveNoColoursOfTheProgramsOwn) {
  const Workplace w;
  const std::string file = w.file("e.toml",
                                  "[network]\nsize = [2, 2]\n[collective]\n"
                                  "algorithm = \"a\\u001b[31mX\"\n");
  const Outcome o = w.shell("$A run " + file);
  expect_refused(w, o, {"e.toml:4: collective.algorithm: found \"a\\x1b[31mX\""});
  EXPECT_THAT(o.err, Not(HasSubstr("\x1b")));
}

TEST(HostileNames, ForgeNoLinesAndEndNoMessages) {
  const Workplace w;
  const std::string begin = "[network]\nsize = [2, 2]\n";
  const std::string forged = "a\\n  held   bytes: all are equal";
  const std::string shown = "a\\x0a  held   bytes: all are equal";
  expect_refused(w, w.shell("$A run " + w.file("n.toml", "name = \"" + forged + "\"\n" + begin)),
                 {"n.toml:1: name: found \"" + shown + "\", with a control character"});
  expect_refused(w, w.shell("$A run " + w.file("k.toml", begin + "\"" + forged + "\" = 1\n")),
                 {"k.toml:3: network." + shown + ": found an unknown key"});
  expect_refused(w, w.shell("$A run " + w.file("z.toml", "name = \"a\\u0000b\"\n" + begin)),
                 {"z.toml:1: name: found \"a\\x00b\", with a control character, expected 1 to"});
  expect_refused(w,
                 w.shell("$A traffic --trace " + w.file("t.csv", std::string("a\0b\033[31m", 8))),
                 {"t.csv:1: titles: found \"a\\x00b\\x1b[31m\", expected \"id,cycle"});
  w.file("p\nheld", "text");
  const Outcome o = w.shell(
      "$A run --operation broadcast --size 2x2 --firmware native --out 'o\nheld' --payload "
      "'p\nheld' --flit-log 'l\nheld' --timeline 't\nheld.html'");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, Not(HasSubstr("\nheld")));
  for (const char* text :
       {"p\\x0aheld (", "o\\x0aheld/result.json", "l\\x0aheld", "t\\x0aheld.html"}) {
    EXPECT_THAT(o.out, HasSubstr(text));
  }
}

TEST(Verdicts, HaveColoursOnATerminalOnly) {
  const Workplace w;
  if (w.shell("command -v script").status != 0) GTEST_SKIP() << "no script(1), which has terminals";
  const Outcome o = w.shell(
      "script -qec \"$A run --operation barrier --size 2x2 --firmware native --out out\" "
      "/dev/null");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("\x1b[32mheld   \x1b[0m"));
}

TEST(HostileNames, ThatAreNoUtf8LoseNoResult) {
  const Workplace w;
  const std::string payload = w.file("p\xff", "text");
  const Outcome o = w.shell(
      "$A run --operation broadcast --size 2x2 --firmware native --out out "
      "--payload " +
      shell_word(payload));
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(w.result("out")["passed"]);
}

TEST(HostileNames, AreThoseOfFilesForGtkwave) {
  const Workplace w;
  const std::string name = "it's `touch PWNED` $(touch PWNED) [exec touch PWNED] {x} ;";
  fs::create_directory(w.path(name));
  ASSERT_EQ(w.shell("$A traffic --size 2x2 --measure 50 --warm-up 0 --quiet --out out --wave " +
                    shell_word(name + "/w.fst"))
                .status,
            0);
  const Outcome o =
      w.shell("timeout 60 " + std::string(ANNELID_SOURCE_DIR) + "/scripts/wave-picture " +
              shell_word(name + "/w.gtkw") + " picture.png");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, ::testing::StartsWith("rows "));
  for (const auto& entry : fs::recursive_directory_iterator(w.path("."))) {
    EXPECT_NE(entry.path().filename(), "PWNED");
  }
  for (const char* bad : {"a\"b.fst", "a\nb.fst"}) {
    const Outcome refused = w.shell("$A traffic --size 2x2 --out out2 --wave " + shell_word(bad));
    EXPECT_EQ(refused.status, 2);
    EXPECT_THAT(refused.err, HasSubstr("without quotes and control characters"));
  }
}

TEST(TomlThatIsNestedDeeply, IsRefused) {
  const Workplace w;
  std::string key = "a";
  for (int i = 1; i < 30'000; ++i) key += ".a";
  const std::string lists = std::string(200, '[') + std::string(200, ']');
  const std::string texts[] = {key + " = 1\n", "[" + key + "]\nb = 1\n", "x = {" + key + " = 1}\n",
                               "x = " + lists + "\n"};
  for (const std::string& text : texts) {
    const std::string file = w.file("deep.toml", "\n" + text);
    for (const char* command : {"run ", "traffic ", "tune ", "cost ", "sweep "}) {
      const Outcome o = w.shell(std::string("$A ") + command + file);
      expect_refused(w, o, {"deep.toml:2: found ", "more than 16", "expected a scenario in TOML"});
    }
  }
}

TEST(JsonThatIsNestedDeeply, IsRefused) {
  const Workplace w;
  w.file("deep.json", std::string(200'000, '[') + std::string(200'000, ']'));
  const Outcome o = w.shell("$A tau deep.json");
  EXPECT_EQ(o.status, 2);
  EXPECT_THAT(o.err, HasSubstr("deep.json: found lists in lists"));
}

}  // namespace
}  // namespace annelid::end_to_end
