#include "studies/cost/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <sstream>

#include "studies/cost/tool.hpp"
#include "systemc/network/rtl_parameters.hpp"

namespace annelid::cost {
namespace fs = std::filesystem;
namespace {

/// A pin of the router that is no clock and no observer's output.
struct Pin {
  const char* name;
  bool output;
  int fixed_bits;     ///< whatever the number of ports is
  int bits_per_port;  ///< else
};
constexpr Pin kPins[] = {
    {"rst_ni", false, 1, 0},
    {"address_i", false, 24, 0},
    {"last_i", false, 24, 0},
    {"in_valid_i", false, 0, 1},
    {"in_vc_i", false, 0, 3},
    {"in_head_i", false, 0, 1},
    {"in_tail_i", false, 0, 1},
    {"in_data_i", false, 0, 64},
    {"out_credit_valid_i", false, 0, 1},
    {"out_credit_vc_i", false, 0, 3},
    {"in_credit_valid_o", true, 0, 1},
    {"in_credit_vc_o", true, 0, 3},
    {"out_valid_o", true, 0, 1},
    {"out_vc_o", true, 0, 3},
    {"out_head_o", true, 0, 1},
    {"out_tail_o", true, 0, 1},
    {"out_data_o", true, 0, 64},
};

int bits(const Pin& pin, int ports) { return pin.fixed_bits + pin.bits_per_port * ports; }

/// Values that the RTL has by itself are not named: RTL of --rtl-dir may be older than the
/// parameter.
std::string parameters(const systemc::RouterConfig& config) {
  std::string text;
  for (const systemc::RtlParameter& p : systemc::rtl_parameters(config)) {
    if (p.parameter.is_module || p.is_default()) continue;
    text += fmt::format("{}.{}({})", text.empty() ? "" : ", ", p.parameter.rtl, p.code);
  }
  return text;
}

/// A file's name as a word of a Yosys script, where others could end the command, or be one.
const std::string& yosys_name(const std::string& name) {
  const bool plain = std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '.' || c == '-';
  });
  if (!plain || name.starts_with('-')) {
    throw CostError(fmt::format(
        "rtl.f names \"{}\": Yosys is given letters, digits, _, - and . in names of sources",
        name));
  }
  return name;
}

/// A source with the files of its folder that it includes. So each is read alone, and the cache
/// knows all of its text.
std::string with_includes(const fs::path& source) {
  static const std::regex kInclude("^ *`include \"([^\"/]+)\" *$");
  std::istringstream lines(read_text(source));
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    const bool includes = std::regex_match(line, found, kInclude);
    text += includes ? read_text(source.parent_path() / found.str(1)) : line + "\n";
  }
  return text;
}

/// A module's text with these numbers as its own. So Yosys makes it once, and not first with 64
/// places.
std::string with_parameters(std::string text, const UnitConfig& config) {
  const auto set = [&](const char* parameter, int value) {
    const std::regex declared(fmt::format("parameter int {} = [0-9]+", parameter));
    text =
        std::regex_replace(text, declared, fmt::format("parameter int {} = {}", parameter, value));
  };
  set("Places", config.places);
  set("Lanes", config.lanes);
  set("Engines", config.engines);
  return std::regex_replace(text, std::regex(fmt::format("module {}_unit ", config.name)),
                            "module cost_top ");
}

}  // namespace

std::vector<std::string> copy_rtl(const fs::path& rtl_dir, const fs::path& folder) {
  if (!fs::is_regular_file(rtl_dir / "rtl.f")) {
    throw CostError(
        fmt::format("no router's RTL in {}: found no rtl.f there (--rtl-dir names the "
                    "folder)",
                    rtl_dir.string()));
  }
  std::vector<std::string> names;
  std::istringstream list(read_text(rtl_dir / "rtl.f"));
  for (std::string line; std::getline(list, line);) {
    if (line.empty()) continue;
    names.push_back(yosys_name(fs::path(line).filename().string()));
    write_text(folder / names.back(), with_includes(rtl_dir / names.back()));
  }
  return names;
}

const std::vector<std::string>& unit_names() {
  static const std::vector<std::string> kNames = {"trigger", "combine", "list"};
  return kNames;
}

std::vector<std::string> copy_unit(const fs::path& rtl_dir, const UnitConfig& config,
                                   const fs::path& folder) {
  const fs::path list = rtl_dir / "nic" / "nic.f";
  if (!fs::is_regular_file(list)) {
    throw CostError(fmt::format(
        "no units of the NIC in {}: found no nic/nic.f there (--rtl-dir names the folder)",
        rtl_dir.string()));
  }
  std::vector<std::string> names;
  std::istringstream lines(read_text(list));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const fs::path file = list.parent_path() / line;
    const std::string module = file.stem().string();
    const bool other = std::ranges::any_of(unit_names(), [&](const std::string& unit) {
      return unit != config.name && module == unit + "_unit";
    });
    if (other) continue;
    names.push_back(yosys_name(file.filename().string()));
    write_text(folder / names.back(), with_parameters(with_includes(file), config));
  }
  return names;
}

std::string wrapper(const systemc::RouterConfig& config) {
  std::string ports = "    input logic clk_i", connections = "      .clk_i(clk_i)";
  for (const Pin& pin : kPins) {
    ports += fmt::format(",\n    {} logic [{}:0] {}", pin.output ? "output" : "input",
                         bits(pin, config.links()) - 1, pin.name);
    connections += fmt::format(",\n      .{0}({0})", pin.name);
  }
  return fmt::format("module cost_top (\n{}\n);\n  {} #({}) u_router (\n{}\n  );\nendmodule\n",
                     ports, config.one_port() ? "one_port_router" : "all_port_router",
                     parameters(config), connections);
}

std::string fpga_harness(const systemc::RouterConfig& config) {
  std::string connections = "      .clk_i(clk_i)", wires, outputs;
  int from = 0, out_bits = 0;
  for (const Pin& pin : kPins) {
    const int n = bits(pin, config.links());
    std::string driver;
    if (pin.output) {
      wires += fmt::format("  wire [{}:0] {};\n", n - 1, pin.name);
      outputs += fmt::format("{}{}", outputs.empty() ? "" : ", ", pin.name);
      out_bits += n;
      driver = pin.name;
    } else if (pin.bits_per_port == 64) {
      driver = fmt::format("{{{}{{in_q[{}+:64]}}}}", config.links(), from);
      from += 64;
    } else {
      driver = fmt::format("in_q[{}+:{}]", from, n);
      from += n;
    }
    connections += fmt::format(",\n      .{}({})", pin.name, driver);
  }
  // Each register of the tree takes four bits: one logic cell each.
  std::string tree;
  std::string below = "outputs";
  for (int n = out_bits, level = 0; n > 1; ++level) {
    const int next = (n + 3) / 4;
    tree +=
        fmt::format("  reg [{}:0] tree{}_q;\n  always @(posedge clk_i) begin\n", next - 1, level);
    for (int k = 0; k < next; ++k) {
      tree += fmt::format("    tree{}_q[{}] <= ^{}[{}:{}];\n", level, k, below,
                          std::min(4 * k + 3, n - 1), 4 * k);
    }
    tree += "  end\n";
    below = fmt::format("tree{}_q", level);
    n = next;
  }
  return fmt::format(
      "module harness (input clk_i, input shift_i, output parity_o);\n"
      "  reg [{}:0] in_q;\n"
      "  always @(posedge clk_i) in_q <= {{in_q, shift_i}};\n"
      "{}  cost_top u_top (\n{}\n  );\n"
      "  wire [{}:0] outputs = {{{}}};\n{}"
      "  assign parity_o = {}[0];\nendmodule\n",
      from - 1, wires, connections, out_bits - 1, outputs, tree, below);
}

}  // namespace annelid::cost
