#include "studies/cost/cache.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/cache_folder.hpp"
#include "base/json.hpp"
#include "base/warning.hpp"
#include "studies/cost/tool.hpp"

namespace annelid::cost {
namespace fs = std::filesystem;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CriticalPath, start, end, stage, crosses_channel, sender_ns,
                                   delay_ns, setup_ns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AsicCost, area_um2, nand2_equivalents, flip_flop_area_um2, cells,
                                   flip_flops, critical, period_ns, clock_mhz, hop_ns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(FpgaCost, luts, flip_flops, cells, clock_mhz)

namespace {

constexpr const char *kCost = "cost", *kChecksum = "checksum";

template <typename T>
std::optional<T> load(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) return std::nullopt;
  try {
    const nlohmann::json kept = parse_json(read_text(file), file.string());
    const nlohmann::json& cost = kept.at(kCost);
    if (kept.at(kChecksum) != digest(cost.dump())) return std::nullopt;
    return cost.get<T>();
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

std::string to_json(const AsicCost& cost) { return nlohmann::json(cost).dump(1); }
std::string to_json(const FpgaCost& cost) { return nlohmann::json(cost).dump(1); }

std::optional<AsicCost> Cache::asic(const std::string& key) const {
  return load<AsicCost>(folder_ / (key + ".json"));
}

std::optional<FpgaCost> Cache::fpga(const std::string& key) const {
  return load<FpgaCost>(folder_ / (key + ".json"));
}

void Cache::store(const std::string& key, const std::string& json) const {
  const nlohmann::json cost = nlohmann::json::parse(json);
  const nlohmann::json kept = {{kCost, cost}, {kChecksum, digest(cost.dump())}};
  std::error_code error;
  fs::create_directories(folder_, error);
  try {
    if (!error) return write_text(folder_ / (key + ".json"), kept.dump(1));
  } catch (const std::runtime_error&) {  // the cost is known all the same
  }
  warn(fmt::format("costs are not kept, as \"{}\" cannot be written{}", folder_.string(),
                   error ? ": " + error.message() : ""));
}

}  // namespace annelid::cost
