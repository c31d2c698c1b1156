#include "studies/cost/estimate.hpp"

#include "base/cache_folder.hpp"
#include "studies/cost/cache.hpp"
#include "studies/cost/flows.hpp"
#include "studies/cost/sources.hpp"
#include "studies/cost/tool.hpp"

namespace annelid::cost {
namespace fs = std::filesystem;
namespace {

constexpr int kFlitBits = 66;  // data, head, tail

/// All that a result depends on.
std::string key_of(const char* flow, const std::string& script, const fs::path& folder,
                   const std::vector<std::string>& sources, const CostOptions& options) {
  std::string text = std::string(flow) + script;
  for (const std::string& source : sources) text += read_text(folder / source);
  text += run_tool(kYosys, {"-V"}, folder, options);
  return digest(text);
}

/// The costs of the module cost_top, from the cache or else made by a flow.
class Flows {
 public:
  explicit Flows(const CostOptions& options)
      : options_(options),
        cache_dir_(options.cache_dir.empty() ? cache_folder("cost") : options.cache_dir),
        cache_(cache_dir_),
        use_cache_(options.use_cache && !cache_dir_.empty()),
        cached_(use_cache_),
        work_(options.keep) {}

  /// The folder of the sources, and of all that the tools write.
  [[nodiscard]] const fs::path& folder() const { return work_.path(); }
  /// Whether all costs came from the cache.
  [[nodiscard]] bool cached() const { return cached_; }

  /// `flow` names the way in which make() makes the cost.
  template <typename Make>
  AsicCost asic(const char* flow, const std::vector<std::string>& sources, const Make& make) {
    const std::string script = asic_script(sources) + abc_script() + read_text(liberty_file());
    const std::string key = key_of(flow, script, folder(), sources, options_);
    return get(key, use_cache_ ? cache_.asic(key) : std::nullopt, make);
  }
  template <typename Make>
  FpgaCost fpga(const char* flow, const std::string& script,
                const std::vector<std::string>& sources, const Make& make) {
    const std::string key = key_of(flow, script, folder(), sources, options_);
    return get(key, use_cache_ ? cache_.fpga(key) : std::nullopt, make);
  }

 private:
  template <typename Cost, typename Make>
  Cost get(const std::string& key, const std::optional<Cost>& kept, const Make& make) {
    if (kept) return *kept;
    cached_ = false;
    Cost cost = make();
    if (use_cache_) cache_.store(key, to_json(cost));
    return cost;
  }

  const CostOptions& options_;
  const fs::path cache_dir_;
  const Cache cache_;
  const bool use_cache_;
  bool cached_;
  const WorkFolder work_;
};

}  // namespace

std::int64_t buffer_bits(const systemc::RouterConfig& config) {
  std::int64_t vcs = 0;
  for (int port = 0; port < config.ports(); ++port) vcs += config.input_vcs(port);
  return vcs * config.depth * kFlitBits;
}

CostReport estimate_cost(const systemc::RouterConfig& config, const CostOptions& options) {
  validate(config);
  Flows flows(options);
  const fs::path& folder = flows.folder();
  std::vector<std::string> sources = copy_rtl(options.rtl_dir, folder);
  write_text(folder / "cost_top.sv", wrapper(config));
  write_text(folder / "harness.sv", fpga_harness(config));
  sources.emplace_back("cost_top.sv");

  CostReport report;
  report.config = config;
  report.buffer_bits = buffer_bits(config);
  report.asic =
      flows.asic("asic 1\n", sources, [&] { return asic_cost(config, sources, folder, options); });
  if (options.fpga) {
    report.fpga = flows.fpga("fpga 1\n", fpga_script(sources), sources,
                             [&] { return fpga_cost(sources, folder, options); });
  }
  report.cached = flows.cached();
  return report;
}

UnitReport estimate_unit_cost(const UnitConfig& config, const CostOptions& options) {
  Flows flows(options);
  const fs::path& folder = flows.folder();
  const std::vector<std::string> sources = copy_unit(options.rtl_dir, config, folder);
  UnitReport report;
  report.config = config;
  report.asic = flows.asic("unit asic 1\n", sources,
                           [&] { return asic_unit_cost(sources, folder, options); });
  if (options.fpga) {
    report.fpga = flows.fpga("unit fpga 1\n", fpga_unit_script(sources), sources,
                             [&] { return fpga_unit_cost(sources, folder, options); });
  }
  report.cached = flows.cached();
  return report;
}

}  // namespace annelid::cost
