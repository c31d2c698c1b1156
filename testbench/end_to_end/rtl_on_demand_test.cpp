// Rationale: --rtl takes any router, also one that the build has not Verilated. It is made once,
// whoever asks for it, and a file of the cache that is not whole is not loaded.
#include <gmock/gmock.h>

#include <filesystem>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// A small router, which no row of rtl/configurations.txt serves.
constexpr const char* kTraffic =
    "traffic --size 5 --local-ports 1 --depth 3 --load 0.2 --warm-up 50 --measure 200 --quiet";

/// A workplace whose cache is empty, and whose Verilator is a script.
class RtlOnDemand : public testing::Test {
 protected:
  RtlOnDemand() {
    std::filesystem::create_directory(w_.path("bin"));
    verilator("echo call >> '" + w_.path("calls.txt").string() +
              "'; PATH=${PATH#*:} exec verilator \"$@\"");
  }

  void verilator(const std::string& command) const {
    w_.file("bin/verilator", "#!/bin/sh\n" + command + "\n");
    std::filesystem::permissions(w_.path("bin/verilator"), std::filesystem::perms::owner_all);
  }
  [[nodiscard]] Outcome shell(const std::string& command, const std::string& path) const {
    return w_.shell("export ANNELID_CACHE_DIR=cache; PATH=" + path + "; " + command);
  }
  /// A run that writes NAME.log.
  static std::string run(const std::string& name, const std::string& more = " --rtl all") {
    return std::string("$A ") + kTraffic + more + " --out " + name + " --flit-log " + name + ".log";
  }

  Workplace w_;
};

TEST_F(RtlOnDemand, ARouterIsMadeOnceAndGivesTheFlitsOfTheModel) {
  const Outcome both = shell(run("model", "") + " && { " + run("a") + " & " + run("b") +
                                 "; one=$?; wait $!; exit $(($one + $?)); }",
                             "$PWD/bin:$PATH");
  ASSERT_EQ(both.status, 0) << both.err;
  EXPECT_EQ(w_.text("calls.txt"), "call\n");
  EXPECT_THAT(w_.text("model.log"), HasSubstr("\n"));
  EXPECT_EQ(w_.text("a.log"), w_.text("model.log"));
  EXPECT_EQ(w_.text("b.log"), w_.text("model.log"));

  const Outcome kept = shell(run("c"), "/nonexistent");
  EXPECT_EQ(kept.status, 0) << "needs no Verilator: " << kept.err;
  EXPECT_EQ(w_.text("c.log"), w_.text("model.log"));

  verilator("echo broken tool; exit 3");
  const Outcome damaged = shell(
      "for file in cache/rtl/*.so; do printf x >> $file; done; " + run("d"), "$PWD/bin:$PATH");
  EXPECT_EQ(damaged.status, 1) << "a file that is not whole is made again";
  EXPECT_THAT(damaged.err,
              AllOf(HasSubstr("--rtl: Verilator failed with status 3"), HasSubstr("broken tool")));
}

TEST_F(RtlOnDemand, WithoutVerilatorTheRouterIsNamed) {
  const Outcome o = shell(run("a"), "/nonexistent");
  expect_refused(w_, o, {"--rtl: found ", "Debian's package verilator"});
  EXPECT_FALSE(std::filesystem::exists(w_.path("a")));
}

TEST_F(RtlOnDemand, NothingIsMadeForNodesThatDoNotExist) {
  const Outcome o = shell(run("a", " --rtl 5"), "$PWD/bin:$PATH");
  expect_refused(w_, o, {"--rtl: found \"5\""});
  EXPECT_FALSE(std::filesystem::exists(w_.path("calls.txt")));
}

}  // namespace
}  // namespace annelid::end_to_end
