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
  report.cached = use_cache;
  const std::string asic_key =
      key_of("asic 1\n", asic_script(sources) + abc_script() + read_text(liberty_file()),
             work.path(), sources, options);
  std::optional<AsicCost> asic;
  if (use_cache) asic = cache.asic(asic_key);
  if (!asic) {
    report.cached = false;
    asic = asic_cost(config, sources, work.path(), options);
    if (use_cache) cache.store(asic_key, to_json(*asic));
  }
  report.asic = *asic;
  if (!options.fpga) return report;

  const std::string fpga_key =
      key_of("fpga 1\n", fpga_script(sources), work.path(), sources, options);
  if (use_cache) report.fpga = cache.fpga(fpga_key);
  if (!report.fpga) {
    report.cached = false;
    report.fpga = fpga_cost(sources, work.path(), options);
    if (use_cache) cache.store(fpga_key, to_json(*report.fpga));
  }
  return report;
}

}  // namespace annelid::cost
