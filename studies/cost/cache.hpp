// A cache of synthesis results, so that no router is synthesized twice.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "studies/cost/estimate.hpp"

namespace annelid::cost {

std::string to_json(const AsicCost& cost);
std::string to_json(const FpgaCost& cost);

/// Keeps one file per result in `folder`, with a checksum. A file is written completely or not at
/// all. One that is unreadable, or has changed, counts as missing. If the folder cannot be
/// written, nothing is kept, and the user is warned.
class Cache {
 public:
  explicit Cache(std::filesystem::path folder) : folder_(std::move(folder)) {}
  [[nodiscard]] std::optional<AsicCost> asic(const std::string& key) const;
  [[nodiscard]] std::optional<FpgaCost> fpga(const std::string& key) const;
  void store(const std::string& key, const std::string& json) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace annelid::cost
