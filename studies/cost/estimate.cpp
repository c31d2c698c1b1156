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

/// The costs of a module, from the cache or else made by a flow.
struct Flows {
  const Cache& cache;
  const CostOptions& options;
  bool use_cache;
  bool cached = use_cache;  ///< all of them came from the cache

  template <typename Cost, typename Find, typename Make>
  Cost get(const std::string& key, const Find& find, const Make& make) {
    if (use_cache) {
      if (const std::optional<Cost> kept = find(key)) return *kept;
    }
    cached = false;
    Cost cost = make();
    if (use_cache) cache.store(key, to_json(cost));
    return cost;
  }
};

}  // namespace

std::int64_t buffer_bits(const systemc::RouterConfig& config) {
  std::int64_t vcs = 0;
  for (int port = 0; port < config.ports(); ++port) vcs += config.input_vcs(port);
  return vcs * config.depth * kFlitBits;
}

CostReport estimate_cost(const systemc::RouterConfig& config, const CostOptions& options) {
  validate(config);
  const fs::path cache_dir = options.cache_dir.empty() ? cache_folder("cost") : options.cache_dir;
  const Cache cache(cache_dir);
  const bool use_cache = options.use_cache && !cache_dir.empty();
  const WorkFolder work(options.keep);
  std::vector<std::string> sources = copy_rtl(options.rtl_dir, work.path());
  write_text(work.path() / "cost_top.sv", wrapper(config));
  write_text(work.path() / "harness.sv", fpga_harness(config));
  sources.emplace_back("cost_top.sv");

  CostReport report;
  report.config = config;
  report.buffer_bits = buffer_bits(config);
  Flows flows{cache, options, use_cache};
  const auto asic = [&](const std::string& key) { return cache.asic(key); };
  const auto fpga = [&](const std::string& key) { return cache.fpga(key); };
  report.asic = flows.get<AsicCost>(
      key_of("asic 1\n", asic_script(sources) + abc_script() + read_text(liberty_file()),
             work.path(), sources, options),
      asic, [&] { return asic_cost(config, sources, work.path(), options); });
  if (options.fpga) {
    report.fpga =
        flows.get<FpgaCost>(key_of("fpga 1\n", fpga_script(sources), work.path(), sources, options),
                            fpga, [&] { return fpga_cost(sources, work.path(), options); });
  }
  report.cached = flows.cached;
  return report;
}

UnitReport estimate_unit_cost(const UnitConfig& config, const CostOptions& options) {
  const fs::path cache_dir = options.cache_dir.empty() ? cache_folder("cost") : options.cache_dir;
  const Cache cache(cache_dir);
  const WorkFolder work(options.keep);
  const std::vector<std::string> sources = copy_unit(options.rtl_dir, config, work.path());
  Flows flows{cache, options, options.use_cache && !cache_dir.empty()};
  UnitReport report;
  report.config = config;
  report.asic = flows.get<AsicCost>(
      key_of("unit asic 1\n", asic_script(sources) + abc_script() + read_text(liberty_file()),
             work.path(), sources, options),
      [&](const std::string& key) { return cache.asic(key); },
      [&] { return asic_unit_cost(sources, work.path(), options); });
  if (options.fpga) {
    report.fpga = flows.get<FpgaCost>(
        key_of("unit fpga 1\n", fpga_unit_script(sources), work.path(), sources, options),
        [&](const std::string& key) { return cache.fpga(key); },
        [&] { return fpga_unit_cost(sources, work.path(), options); });
  }
  report.cached = flows.cached;
  return report;
}

}  // namespace annelid::cost
