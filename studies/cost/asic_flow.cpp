#include <fmt/format.h>

#include "studies/cost/critical_path.hpp"
#include "studies/cost/flows.hpp"
#include "studies/cost/reports.hpp"
#include "studies/cost/tool.hpp"

namespace annelid::cost {
namespace fs = std::filesystem;
namespace {

/// What one router sends reaches its neighbour in the same cycle by the opposite pins.
struct Channel {
  const char *out, *in;
};
constexpr Channel kChannels[] = {
    {"out_valid_o", "in_valid_i"},         {"out_vc_o", "in_vc_i"},
    {"out_head_o", "in_head_i"},           {"out_tail_o", "in_tail_i"},
    {"out_data_o", "in_data_i"},           {"in_credit_valid_o", "out_credit_valid_i"},
    {"in_credit_vc_o", "out_credit_vc_i"},
};

/// Longer than any path, so that slack is never negative.
constexpr double kPeriodNs = 1000;

/// Reads the netlist. `still` are the ports that do not change while the router runs.
std::string timing_head(const char* still) {
  return fmt::format(
      "read_liberty cells.lib\n"
      "read_verilog netlist.v\n"
      "link_design cost_top\n"
      "create_clock -name clk -period {} clk_i\n"
      "set_driving_cell -lib_cell BUFX4 [all_inputs]\n"
      "set_load 0.1 [all_outputs]\n"  // pF
      "set_false_path -from [get_ports {}]\n",
      kPeriodNs, still);
}

constexpr const char* kStillOfRouter = "{rst_ni address_i* last_i*}";

/// From the registers to each kind of output.
std::string outputs_script() {
  std::string s = timing_head(kStillOfRouter) + "set_output_delay 0 -clock clk [all_outputs]\n";
  for (const Channel& c : kChannels) {
    s += fmt::format("puts \"CHANNEL {0}\"\nreport_checks -to [get_ports {0}*] -digits 4\n", c.out);
  }
  return s;
}

/// The slowest of all paths, where inputs arrive as late as the neighbour's outputs leave.
std::string critical_script(const std::map<std::string, TimingPath>& sent) {
  std::string s = timing_head(kStillOfRouter);
  for (const Channel& c : kChannels) {
    const auto it = sent.find(c.in);
    if (it == sent.end()) continue;  // a constant
    s += fmt::format("set_input_delay {} -clock clk [get_ports {}*]\n", it->second.arrival, c.in);
  }
  return s + "report_checks -digits 4\n";
}

/// By input pin: the path in the neighbour that ends at it.
std::map<std::string, TimingPath> parse_sent(const std::string& report) {
  std::map<std::string, TimingPath> sent;
  for (const Channel& c : kChannels) {
    const std::string mark = fmt::format("CHANNEL {}\n", c.out);
    const std::size_t from = report.find(mark);
    if (from == std::string::npos) throw CostError("OpenSTA's report lacks " + mark);
    const std::size_t to = report.find("CHANNEL ", from + mark.size());
    const auto paths = parse_timing_paths(report.substr(from, to - from));
    if (!paths.empty()) sent[c.in] = paths[0];
  }
  return sent;
}

/// A path within one module.
CriticalPath describe(const TimingPath& path) {
  CriticalPath c;
  c.delay_ns = path.arrival;
  c.setup_ns = path.setup;
  c.start = register_name(path.start);
  c.end = register_name(path.end);
  return c;
}

/// A router's path, which may begin in the neighbour.
CriticalPath describe(const TimingPath& path, const std::map<std::string, TimingPath>& sent,
                      int stages) {
  CriticalPath c = describe(path);
  const auto neighbour = sent.find(path.start.substr(0, path.start.find('[')));
  c.crosses_channel = neighbour != sent.end();
  if (c.crosses_channel) {
    c.start = register_name(neighbour->second.start);
    c.sender_ns = path.input_delay;
  }
  c.stage = stage_of(role_of(c.start), role_of(c.end), stages);
  return c;
}

/// From registers and inputs to registers and outputs.
std::string unit_script() {
  return timing_head("rst_ni") +
         "set_input_delay 0 -clock clk [all_inputs]\n"
         "set_output_delay 0 -clock clk [all_outputs]\n"
         "report_checks -digits 4\n";
}

TimingPath slowest(const std::string& report) {
  const auto paths = parse_timing_paths(report);
  if (paths.empty()) throw CostError("OpenSTA found no path between registers:" + tail_of(report));
  return paths[0];
}

void set_critical(AsicCost& cost, const CriticalPath& critical) {
  cost.critical = critical;
  cost.period_ns = critical.delay_ns + critical.setup_ns;
  cost.clock_mhz = 1000 / cost.period_ns;
}

/// Maps the module cost_top to cells, and counts them.
AsicCost cells(const std::vector<std::string>& sources, const fs::path& folder,
               const CostOptions& options) {
  require(kYosys);
  require(kSta);
  const std::string liberty = read_text(liberty_file());
  write_text(folder / "cells.lib", liberty);
  write_text(folder / "abc.script", abc_script());
  write_text(folder / "abc.constr", "set_driving_cell BUFX4\nset_load 100\n");  // fF
  write_text(folder / "asic.ys", asic_script(sources));
  run_tool(kYosys, {"-q", "asic.ys"}, folder, options);
  const Statistics statistics = parse_statistics(read_text(folder / "stat.txt"));
  const auto areas = parse_liberty_areas(liberty);
  AsicCost cost;
  cost.area_um2 = statistics.area;
  cost.nand2_equivalents = statistics.area / areas.at("NAND2X1");
  cost.cells = statistics.total();
  for (const auto& [type, count] : statistics.cells) {
    if (type.compare(0, 3, "DFF") != 0) continue;
    cost.flip_flops += count;
    cost.flip_flop_area_um2 += areas.at(type) * static_cast<double>(count);
  }
  return cost;
}

}  // namespace

fs::path liberty_file() {
  fs::path file = "/usr/share/qflow/tech/osu018/osu018_stdcells.lib";
  if (!fs::exists(file)) {
    throw MissingTool(
        file.string() +
        " is missing: install Debian's package qflow-tech-osu018 (scripts/setup does)");
  }
  return file;
}

std::string asic_script(const std::vector<std::string>& sources) {
  std::string s;
  for (const std::string& source : sources) s += "read_verilog -sv -noassert " + source + "\n";
  // The modules are optimized and mapped to gates once each, then the tree is flattened: what only
  // an observer would see goes with opt_clean -purge. Flip-flops are named after their registers.
  return s +
         "hierarchy -check -top cost_top\n"
         "proc; opt_expr; opt_clean; opt_dff\n"
         "memory -nordff; opt_expr; opt_clean\n"
         "alumacc; techmap; opt_expr; opt_merge; opt_clean\n"
         "rename -wire t:$_*FF*\n"
         "flatten; opt_clean -purge\n"
         "opt_expr -mux_undef -undriven; opt_merge; opt_dff; opt_expr -mux_undef; opt_clean\n"
         "simplemap\n"
         "select -assert-none t:$_DLATCH*\n"
         "rename -wire t:$_*FF*\n"
         "dfflibmap -liberty cells.lib\n"
         "rename -wire t:DFF*\n"
         "abc -liberty cells.lib -constr abc.constr -script abc.script\n"
         "setundef -undriven -zero; splitnets; opt_clean -purge\n"
         "select -assert-none t:$*\n"  // all of it is cells of the library
         "tee -o stat.txt stat -liberty cells.lib\n"
         // OpenSTA 2.0 reads no assignment to several nets at once.
         "write_verilog -noattr -noexpr -simple-lhs netlist.v\n";
}

std::string abc_script() {
  // Two rounds of restructuring for speed, then buffers and drive strengths.
  return "strash; &get -n; &fraig -x; &put; scorr; dc2\n"
         "&get -n; &st; &syn3; &dch -f; &nf; &put\n"
         "&get -n; &st; &syn3; &dch -f; &nf; &put\n"
         "buffer -c -N 16; topo; upsize -D 1000; dnsize -D 1000\n";
}

AsicCost asic_cost(const systemc::RouterConfig& config, const std::vector<std::string>& sources,
                   const fs::path& folder, const CostOptions& options) {
  AsicCost cost = cells(sources, folder, options);
  write_text(folder / "outputs.tcl", outputs_script());
  const auto sent = parse_sent(run_sta("outputs", folder, options));
  write_text(folder / "critical.tcl", critical_script(sent));
  set_critical(cost, describe(slowest(run_sta("critical", folder, options)), sent, config.stages));
  cost.hop_ns = cost.period_ns * (config.stages + config.link_registers);
  return cost;
}

AsicCost asic_unit_cost(const std::vector<std::string>& sources, const fs::path& folder,
                        const CostOptions& options) {
  AsicCost cost = cells(sources, folder, options);
  write_text(folder / "critical.tcl", unit_script());
  set_critical(cost, describe(slowest(run_sta("critical", folder, options))));
  return cost;
}

}  // namespace annelid::cost
