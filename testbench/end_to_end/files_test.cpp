// What the program does to files, folders and devices that are there already, and what it leaves
// behind when it cannot write.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <utility>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kRun =
    "$A run --operation broadcast --size 4x4 --bytes 64 --firmware native ";

/// All that is in a folder but the outputs of the last command.
std::set<std::string> names_in(const Workplace& w) {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(w.path("."))) {
    names.insert(entry.path().lexically_relative(w.path(".")));
  }
  names.erase("stdout");
  names.erase("stderr");
  return names;
}

TEST(Outputs, LeaveDevicesAndPipesWhatTheyAre) {
  const Workplace w;
  ASSERT_EQ(mkfifo(w.path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(w.shell(kRun + std::string("--quiet --out out --flit-log /dev/null")).status, 0);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  const Outcome o = w.shell("cat pipe & " + std::string(kRun) +
                            "--quiet --out out --flit-log pipe; s=$?; wait; exit $s");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, StartsWith("# collective: edn broadcast"));
  EXPECT_TRUE(fs::is_fifo(w.path("pipe")));
  fs::create_symlink("pipe", w.path("pipe.fst"));
  const Outcome refused = w.shell(kRun + std::string("--out wave --wave pipe.fst"));
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("--wave"), HasSubstr("a pipe")));
}

TEST(Outputs, LeaveWhatOthersPutBesideThem) {
  const Workplace w;
  w.file("log.tmp", "mine");
  w.file("victim", "precious");
  fs::create_symlink("victim", w.path("log2.tmp"));
  fs::create_directories(w.path("out/points.tmp"));
  fs::create_directories(w.path("out/runs.tmp"));
  w.file("out/points.tmp/0", "mine");
  EXPECT_EQ(w.shell(kRun + std::string("--quiet --out out --flit-log log")).status, 0);
  EXPECT_EQ(w.shell(kRun + std::string("--quiet --out out --flit-log log2")).status, 0);
  EXPECT_EQ(w.shell("$A sweep --out out --quiet --no-plots --size 2x2 --measure 50 --warm-up 0 "
                    "--sweep router.vcs=1")
                .status,
            0);
  EXPECT_EQ(w.text("log.tmp"), "mine");
  EXPECT_EQ(w.text("victim"), "precious");
  EXPECT_EQ(w.text("out/points.tmp/0"), "mine");
  EXPECT_THAT(names_in(w), ElementsAre("log", "log.tmp", "log2", "log2.tmp", "out",
                                       "out/points.tmp", "out/points.tmp/0", "out/result.json",
                                       "out/runs.tmp", "out/sweep.csv", "victim"));
}

TEST(Outputs, OfTwoRunsInOneFileAreThoseOfOneOfThem) {
  const Workplace w;
  EXPECT_EQ(w.shell(kRun + std::string("--quiet --out a --flit-log one")).status, 0);
  EXPECT_EQ(w.shell(kRun + std::string("--quiet --out b --root 3,3 --flit-log other")).status, 0);
  for (int i = 0; i < 10; ++i) {
    const Outcome o =
        w.shell(kRun + std::string("--quiet --out a --flit-log both & ") + kRun +
                "--quiet --out b --root 3,3 --flit-log both; s=$?; wait $! && exit $s");
    EXPECT_EQ(o.status, 0) << o.err;
    const std::string both = w.text("both");
    EXPECT_TRUE(both == w.text("one") || both == w.text("other"));
  }
}

struct TwoUses {
  const char* command;
  const char* refused;  ///< the beginning of the error
};

TEST(Files, HaveOneUseInACommand) {
  const Workplace w;
  ASSERT_EQ(w.shell(kRun + std::string("--quiet --out made --wave d1.fst --flit-log log")).status,
            0);
  w.file("target", "precious");
  w.file("scn.toml", "[network]\nsize = [2, 2]\n");
  w.file("tr.csv", "id,cycle,source,destination,bytes,after\n0,0,0,1,8,\n");
  fs::create_symlink("target", w.path("link"));
  fs::create_symlink("later", w.path("ahead"));
  fs::create_directory(w.path("sub"));
  fs::create_directory(w.path("rtl"));
  w.file("rtl/router.sv", "module router; endmodule");
  const std::set<std::string> before = names_in(w);
  const TwoUses kUses[] = {
      {"wave --view nics --out d1.fst d1.fst",
       "--out: found \"d1.fst\", which is read as the wave"},
      {"run --flit-log s2 --trace s2", "--trace: found \"s2\", which --flit-log writes, expected"},
      {"run --trace s1 --profile=sub/../s1",
       "--profile: found \"sub/../s1\", which --trace writes"},
      {"run --trace ahead --profile=later", "--profile: found \"later\", which --trace writes"},
      {"traffic --packets pa --flit-log pa", "--packets: found \"pa\", which --flit-log writes"},
      {"run --out rr --flit-log rr/result.json",
       "--flit-log: found \"rr/result.json\", which --out"},
      {"run --out rr --flit-log rr/.annelid.lock", "--flit-log: found \"rr/.annelid.lock\", which"},
      {"run --wave x.fst --flit-log x.gtkw", "--flit-log: found \"x.gtkw\", which --wave writes"},
      {"run --payload target --flit-log target",
       "--flit-log: found \"target\", which is read as "
       "--payload, expected another file"},
      {"run --payload target --flit-log link", "--flit-log: found \"link\", which is read as"},
      {"run --payload link --flit-log ./target",
       "--flit-log: found \"./target\", which is read as"},
      {"traffic scn.toml --flit-log scn.toml",
       "--flit-log: found \"scn.toml\", which is read as the "
       "scenario"},
      {"traffic --trace tr.csv --packets tr.csv",
       "--packets: found \"tr.csv\", which is read as "
       "--trace"},
      {"cost scn.toml --json scn.toml",
       "--json: found \"scn.toml\", which is read as the scenario"},
      {"cost --rtl-dir rtl --json rtl/router.sv", "--json: found \"rtl/router.sv\", which is read"},
      {"cost --rtl-dir rtl --keep rtl", "--keep: found \"rtl\", which is read as --rtl-dir"},
      {"timeline log.json --html log.html --perfetto log.json",
       "--perfetto: found \"log.json\", which is read as FLITLOG"},
  };
  for (const TwoUses& u : kUses) {
    const Outcome o = w.shell(std::string("$A ") + u.command);
    EXPECT_EQ(o.status, 2) << u.command;
    EXPECT_THAT(o.err, StartsWith(std::string("annelid: ") + u.refused)) << u.command;
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
  }
  EXPECT_EQ(w.text("target"), "precious");
  std::set<std::string> after = names_in(w);
  after.erase("log.html");
  after.erase("log.json");
  EXPECT_EQ(after, before);
}

TEST(Files, OfAStudyReplaceNoInput) {
  const Workplace w;
  const std::string scenario = "[network]\nsize = [2, 2]\n[sweep]\n\"router.vcs\" = [1]\n";
  w.file("sweep.csv", scenario);
  const Outcome sweep = w.shell("$A sweep sweep.csv --out .");
  EXPECT_EQ(sweep.status, 2);
  EXPECT_THAT(sweep.err, HasSubstr("--out: found \"./sweep.csv\", which is read as the scenario"));
  EXPECT_EQ(w.text("sweep.csv"), scenario);
  const std::string tuning = "[network]\nsize = [2, 2]\n[tune]\noperation = \"broadcast\"\n";
  w.file("tune.json", tuning);
  const Outcome tune = w.shell("$A tune tune.json --out .");
  EXPECT_EQ(tune.status, 2);
  EXPECT_THAT(tune.err, HasSubstr("--out: found \"./tune.json\", which is read as the scenario"));
  EXPECT_EQ(w.text("tune.json"), tuning);
  w.file("tau.csv", "8 1\n16 2\n32 3\n");
  const Outcome tau = w.shell("$A tau tau.csv --nodes 4 --out .");
  EXPECT_EQ(tau.status, 2);
  EXPECT_THAT(tau.err, HasSubstr("--out: found \"./tau.csv\", which is read as RESULT"));
  w.file("check.csv", "ELF");
  const Outcome check = w.shell("$A check --quick --firmware check.csv --out .");
  EXPECT_EQ(check.status, 2);
  EXPECT_THAT(check.err, HasSubstr("--out: found \"./check.csv\", which is read as --firmware"));
  const Outcome reproduce = w.shell("$A reproduce fig3.15 --out d --document d/fig3.15.md");
  EXPECT_EQ(reproduce.status, 2);
  EXPECT_THAT(reproduce.err, HasSubstr("found \"d/fig3.15.md\", which --document writes"));
}

TEST(Files, ThatAreDevicesMayHaveSeveralUses) {
  const Workplace w;
  EXPECT_EQ(w.shell("$A run --operation broadcast --size 2x2 --quiet --out out --trace /dev/null "
                    "--flit-log /dev/null --profile=/dev/null --payload /dev/null")
                .status,
            0);
  const Outcome o = w.shell(
      "$A run --operation broadcast --size 2x2 --quiet --out out --bytes 8 --trace "
      "/dev/stdout --flit-log /dev/stdout");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("# collective"));
}

// Whoever reads texts reads them in one way: a byte order mark is no part of them, and UTF-16 is
// refused by name.
TEST(ByteOrderMarks, AreNoPartOfAnyText) {
  const Workplace w;
  (void)w.file("trace", "id,cycle,source,destination,bytes,after\na,0,0,1,8,\n");
  (void)w.file("counts", "8,0\n16,8\n");
  (void)w.file("scenario", "[network]\nsize = [2, 1]\n");
  (void)w.file("times", "bytes,cycles\n8,100\n64,156\n512,604\n");
  ASSERT_EQ(
      w.shell("$A run --size 2x1 --bytes 8 --firmware native --quiet --out run --flit-log log")
          .status,
      0);
  fs::rename(w.path("run/result.json"), w.path("result"));
  const std::string run =
      "$A run --quiet --size 2 --firmware native --operation all-to-all --counts FILE";
  for (const auto& [file, command] :
       {std::pair{"trace", std::string("$A traffic --quiet --size 2x1 --trace FILE")},
        std::pair{"counts", run}, std::pair{"scenario", std::string("$A run --quiet FILE")},
        std::pair{"times", std::string("$A tau FILE")},
        std::pair{"result", std::string("$A tau FILE || echo $?")},  // of one length only
        std::pair{"log", std::string("$A timeline --quiet FILE --html page.html")}}) {
    std::string with = command;
    with.replace(with.find("FILE"), 4, file);
    const auto outcome = [&] { return w.shell(with); };
    const std::string text = w.text(file);
    const Outcome plain = outcome();
    (void)w.file(file, "\xef\xbb\xbf" + text);
    const Outcome marked = outcome();
    EXPECT_EQ(plain.status, 0) << plain.err;
    EXPECT_EQ(plain.out, marked.out) << file;
    EXPECT_EQ(plain.err, marked.err) << file;
    EXPECT_EQ(plain.status, marked.status) << file;
    (void)w.file(file, "\xff\xfe" + text);
    EXPECT_THAT(outcome().err, HasSubstr("found a text in UTF-16, expected one in UTF-8"));
    (void)w.file(file, text);
  }
}

TEST(ResultFolders, AreForOneCommandAtATime) {
  const Workplace w;
  ASSERT_EQ(mkfifo(w.path("pipe").c_str(), 0600), 0);
  // The first command waits until its log is read, and holds the folder meanwhile.
  const std::string command =
      kRun + std::string("--quiet --out out --flit-log pipe & ") +
      "for i in $(seq 500); do [ -e out/.annelid.lock ] && break; sleep 0.01; done; " + kRun +
      "--out out; s=$?; "
      "$A sweep --out out --size 2x2 --sweep router.vcs=1; t=$?; "
      "$A tune --out out --size 2x2 --bytes 8 --operation broadcast; u=$?; "
      "$A reproduce table5.1 --out out; v=$?; cat pipe >/dev/null; wait; exit $s$t$u$v";
  const Outcome o = w.shell("(" + command + "); echo $?");
  EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 4) << o.err;
  for (std::size_t at = 0, line = 0; line < 4; ++line, at = o.err.find('\n', at) + 1) {
    EXPECT_THAT(o.err.substr(at), StartsWith("annelid: --out: found \"out\", which another annelid "
                                             "is using, expected"));
  }
  EXPECT_EQ(o.out, std::to_string(2222 % 256) + "\n");
  EXPECT_EQ(w.shell(kRun + std::string("--quiet --out out")).status, 0);
}

TEST(ResultFolders, AreNotLeftEmptyByWhatIsRefused) {
  const Workplace w;
  const Outcome o = w.shell(kRun + std::string("--parameter 31 --out deep/folder"));
  EXPECT_EQ(o.status, 2);
  EXPECT_THAT(o.err, AllOf(HasSubstr("--parameter: found 31"), HasSubstr("\"edn\"")));
  EXPECT_EQ(w.shell(kRun + std::string("--cycle-limit 5 --out deep/folder")).status, 1);
  EXPECT_EQ(w.shell(kRun + std::string("--flit-log /proc/x --out deep/folder")).status, 2);
  EXPECT_EQ(names_in(w).size(), 0u);
}

TEST(FullDevices, AreAFailureOfTheProgram) {
  const Workplace w;
  for (const char* arguments : {"--help", "--version", "run --help", "schedule --list",
                                "schedule --size 4x4", "reproduce list"}) {
    const Outcome o = w.shell(std::string("$A ") + arguments + " >/dev/full");
    EXPECT_EQ(o.status, 1) << arguments;
    EXPECT_THAT(o.err, HasSubstr("standard output cannot be written: No space left on device"))
        << arguments;
  }
  EXPECT_EQ(w.shell(kRun + std::string("--out out >/dev/full")).status, 1);
  const Outcome log = w.shell(kRun + std::string("--quiet --out out --flit-log /dev/full"));
  EXPECT_EQ(log.status, 1);
  EXPECT_THAT(log.err, HasSubstr("--flit-log: \"/dev/full\" cannot be written: No space left"));
}

TEST(FullDevices, LeaveNoPartOfAFile) {
  const Workplace w;
  w.file("log", "old");
  const Outcome o =
      w.shell("ulimit -f 1; " + std::string(kRun) + "--quiet --out out --flit-log log");
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, HasSubstr("File too large"));
  EXPECT_EQ(w.text("log"), "old");
  EXPECT_THAT(names_in(w), ElementsAre("log"));
}

TEST(Names, ThatAreTooLongAreNamedInOneLine) {
  const Workplace w;
  const std::string name(300, 'x');
  for (const std::string& arguments :
       {"run " + name, "run --operation broadcast --size 2x2 --out " + name,
        "run --operation broadcast --size 2x2 --payload " + name,
        "run --operation broadcast --size 2x2 --firmware " + name,
        "run --operation broadcast --size 2x2 --flit-log " + name,
        "run --operation broadcast --size 2x2 --timeline " + name + ".html",
        "run --operation broadcast --size 2x2 --perfetto " + name + ".json",
        "traffic --trace " + name, "traffic --packets " + name, "firmware run " + name,
        "wave --list " + name, "timeline " + name, "tau " + name, "sweep " + name, "tune " + name,
        "cost " + name, "schedule --size 4x4 --svg " + name}) {
    const Outcome o = w.shell("$A " + arguments);
    EXPECT_EQ(o.status, 2) << arguments << "\n" << o.err;
    EXPECT_THAT(o.err, HasSubstr(name));
    EXPECT_THAT(o.err, ::testing::Not(HasSubstr("filesystem error")));
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
  }
  EXPECT_EQ(names_in(w).size(), 0u);
}

TEST(LongArguments, AreQuotedAsExcerpts) {
  const Workplace w;
  for (const char* command : {"check --jobs $L", "check --jobs 9999$L", "run --bytes $L", "run $L",
                              "run --$L", "$L", "cost --time-limit $L"}) {
    const Outcome o =
        w.shell("L=$(head -c 120000 /dev/zero | tr '\\0' x); $A " + std::string(command));
    expect_refused(w, o, {" bytes] xxx"});
    EXPECT_LT(o.err.size(), 8200u) << command;
  }
}

TEST(Memory, ThatRunsOutIsAFailureInPlainWords) {
  const Workplace w;
  const Outcome o =
      w.shell("ulimit -v 300000; $A schedule --operation all-to-all --size 48x48 --quiet");
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, StartsWith("annelid: out of memory"));
  EXPECT_EQ(names_in(w).size(), 0u);
}

}  // namespace
}  // namespace annelid::end_to_end
