// Results of earlier syntheses, so that none is made twice.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "studies/cost/estimate.hpp"

namespace annelid::cost {

/// A short name for a long text: two 64-bit FNV-1a hashes in hexadecimal.
std::string digest(const std::string& text);

std::string to_json(const AsicCost& cost);
std::string to_json(const FpgaCost& cost);

/// One file per result in `folder`, written at once or not at all. A file that cannot be read
/// counts as none.
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
