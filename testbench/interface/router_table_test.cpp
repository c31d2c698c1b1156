// interface/router.toml is the one declaration of the router's parameters. What stands beside it
// must agree: the files of rtl/, which the repository keeps so that rtl/ needs no build, the table
// of the specification, the limits of the RTL's package, and the defaults of RouterConfig.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>

#include "systemc/network/rtl_parameters.hpp"

namespace annelid::systemc {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}
std::string source(const std::string& name) { return text_of(ANNELID_SOURCE_DIR "/" + name); }

TEST(RouterTable, RtlHasTheFilesThatTheTableGives) {
  for (const std::string name :
       {"router_parameters.svh", "router_pass_through.svh", "router_ranges.svh"}) {
    EXPECT_EQ(source("rtl/" + name), text_of(ANNELID_GENERATED_RTL "/" + name))
        << "cmake --build build/release --target router_files brings rtl/" << name << " up to date";
  }
}

/// "`Arbiters` (0 round-robin, 1 matrix)", or what says it better.
std::string rtl_column(const Parameter& p) {
  if (p.is_module) return "module `all_port_router`, `one_port_router`";
  return "`" + std::string(p.rtl) + "`";
}

TEST(RouterTable, TheSpecificationHasTheSameTable) {
  std::string table =
      "| name | meaning | range | default | parameter in the RTL |\n|---|---|---|---|---|\n";
  for (const Parameter& p : parameters::kAll) {
    table += "| " + std::string(p.symbol) + " | " + p.meaning + " | " + p.range_text + " | " +
             p.specified_default + " | " + rtl_column(p) + " |\n";
  }
  const std::string document = source("docs/internals/microarchitecture.md");
  const auto begin = document.find("| name | meaning | range |");
  ASSERT_NE(begin, std::string::npos);
  EXPECT_EQ(document.substr(begin, document.find("\n\n", begin) + 1 - begin), table);
}

TEST(RouterTable, TheRtlsPackageHasTheSameLimits) {
  const std::string package = source("rtl/noc_pkg.sv");
  const auto limit = [&](const std::string& name) {
    std::smatch found;
    const std::regex line("localparam int " + name + " = (\\d+);");
    return std::regex_search(package, found, line) ? std::stoi(found[1]) : -1;
  };
  EXPECT_EQ(limit("MaxDims"), parameters::kDims.high);
  EXPECT_EQ(limit("MaxVcs"), parameters::kVcs.high);
  EXPECT_EQ(limit("MaxVcs"), parameters::kLocalVcs.high);
  EXPECT_EQ(limit("MaxDepth"), parameters::kDepth.high);
}

TEST(RouterTable, RouterConfigHasTheDefaults) {
  std::size_t parameters = 0;
  for (const RtlParameter& p : rtl_parameters({})) {
    EXPECT_EQ(p.code, p.parameter.otherwise) << p.parameter.field;
    ++parameters;
  }
  EXPECT_EQ(parameters, std::size(parameters::kAll));
  EXPECT_NO_THROW(validate(RouterConfig{}));
  EXPECT_EQ(RouterConfig{}.default_depth(), RouterConfig{}.depth);
  EXPECT_EQ(RouterConfig{}.default_vcs(), RouterConfig{}.vcs);
  EXPECT_EQ(RouterConfig{}.most_local_ports(), RouterConfig{}.local_ports);
}

TEST(RouterTable, ParametersOfTheRtlAndBackAreTheSameRouter) {
  const RouterConfig odd{.local_ports = 1,
                         .vcs = 5,
                         .local_vcs = 2,
                         .depth = 7,
                         .dims = 3,
                         .kind = RouterKind::kOnePort,
                         .stages = 4,
                         .link_registers = 2,
                         .arbiters = ArbiterKind::kMatrix,
                         .torus = {true, false, true},
                         .classes = TorusClasses::kPlh,
                         .allow_deadlock = true,
                         .control_vc = true,
                         .routing = RoutingKind::kYx,
                         .vc_selection = VcSelectionKind::kRotating,
                         .allocator = AllocatorKind::kOutputFirst,
                         .iterations = 3};
  std::string text;
  for (const RtlParameter& p : rtl_parameters(odd)) {
    text += (text.empty() ? "" : " ") + std::string(p.parameter.rtl) + "=" + std::to_string(p.code);
  }
  EXPECT_EQ(text,
            "OnePort=1 Dims=3 LocalPorts=1 Vcs=5 LocalVcs=2 ControlVc=1 Depth=7 Stages=4 "
            "LinkRegisters=2 Arbiters=1 Allocator=1 Iterations=3 Routing=1 VcSelection=1 Torus=5 "
            "TorusClasses=3 AllowDeadlock=1");
  EXPECT_TRUE(router_of_rtl(text) == odd);
  EXPECT_TRUE(router_of_rtl("") == RouterConfig{});
  for (const char* bad :
       {"Vcs", "Vcs=", "Vcs=x", "Vcs=9", "Vcs=2x", "vcs=2", "TorusClasses=1", "=1"}) {
    EXPECT_THROW(router_of_rtl(bad), std::invalid_argument) << bad;
  }
}

TEST(RouterTable, NamesAreThoseOfTheValues) {
  for (const ParameterValue& value : parameters::kArbiters.values) {
    EXPECT_STREQ(name_of(static_cast<ArbiterKind>(value.code)), value.name);
  }
  EXPECT_STREQ(name_of(TorusClasses::kPlh), "plh");
  EXPECT_EQ(name_of(static_cast<TorusClasses>(1)), nullptr);
}

}  // namespace
}  // namespace annelid::systemc
