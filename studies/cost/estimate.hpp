// The cost of a router: area and clock rate of its RTL, synthesized
// (docs/how-to/estimate-the-cost-of-a-router.md).
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "systemc/network/config.hpp"

namespace annelid::cost {

/// A program or a library that is not installed; what() names the Debian package.
class MissingTool : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A tool failed, took too long, or printed something unexpected.
class CostError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The slowest path between two registers. It may cross the channel to the neighbour.
struct CriticalPath {
  std::string start, end;        ///< registers, by their place in the RTL
  std::string stage;             ///< its pipeline stages, as in "RC, VA, SA"
  bool crosses_channel = false;  ///< from the neighbour's `start` over a channel
  double sender_ns = 0;          ///< the part in the neighbour, if the path crosses a channel
  double delay_ns = 0;           ///< clock to the end's data, both routers together
  double setup_ns = 0;           ///< of the register at the end
};

/// The cost on standard cells.
struct AsicCost {
  double area_um2 = 0;            ///< cells, without wires
  double nand2_equivalents = 0;   ///< area in two-input NAND gates
  double flip_flop_area_um2 = 0;  ///< the part of area_um2 in flip-flops
  std::int64_t cells = 0;
  std::int64_t flip_flops = 0;
  CriticalPath critical;
  double period_ns = 0;  ///< shortest clock period
  double clock_mhz = 0;
  double hop_ns = 0;  ///< zero-load latency of a hop: (P + R) periods
};

/// The cost on an iCE40 HX8K.
struct FpgaCost {
  std::int64_t luts = 0;        ///< of the router
  std::int64_t flip_flops = 0;  ///< of the router
  std::int64_t cells = 0;       ///< logic cells used, the harness included
  double clock_mhz = 0;
};
inline constexpr std::int64_t kFpgaCells =
    7680;  ///< logic cells (a LUT and a flip-flop) of an HX8K

struct CostReport {
  systemc::RouterConfig config;
  std::int64_t buffer_bits = 0;  ///< flit buffers, which are flip-flops here
  AsicCost asic;
  std::optional<FpgaCost> fpga;
  bool cached = false;  ///< the result came from the cache
};

struct CostOptions {
  std::filesystem::path rtl_dir;    ///< folder of rtl.f, to be set
  std::filesystem::path cache_dir;  ///< empty: cache_folder("cost")
  bool use_cache = true;
  bool fpga = false;                      ///< place and route for the HX8K as well
  std::chrono::seconds time_limit{1800};  ///< for each tool
  std::filesystem::path keep;             ///< leave scripts, netlists and logs in this folder
  /// Called several times a second with the running tool and its time so far. If it throws, the
  /// tool is ended, and no files remain.
  std::function<void(std::string_view tool, std::chrono::seconds so_far)> progress;
};

/// Returns the bits of all flit buffers of a router.
std::int64_t buffer_bits(const systemc::RouterConfig& config);

/// Estimates a router's cost. This takes minutes unless the cache has the same router from the same
/// RTL. Throws ConfigError for an impossible router, MissingTool for a tool that is not installed,
/// CostError for a tool that fails.
CostReport estimate_cost(const systemc::RouterConfig& config, const CostOptions& options = {});

/// A unit of the NIC in SystemVerilog, rtl/nic/NAME_unit.sv.
struct UnitConfig {
  std::string name;            ///< one of unit_names()
  int places = 16;             ///< of sends, and of receives
  int lanes = 2, engines = 2;  ///< of the combine unit alone
  [[nodiscard]] bool has_lanes() const { return name == "combine"; }
};
[[nodiscard]] const std::vector<std::string>& unit_names();

struct UnitReport {
  UnitConfig config;
  AsicCost asic;                 ///< without hop_ns, and critical without stage and channel
  std::optional<FpgaCost> fpga;  ///< LUTs and flip-flops alone
  bool cached = false;           ///< the result came from the cache
};

/// Estimates a unit's cost. Inputs come at the start of the cycle, outputs go at its end. Throws as
/// estimate_cost() does.
UnitReport estimate_unit_cost(const UnitConfig& config, const CostOptions& options = {});

}  // namespace annelid::cost
