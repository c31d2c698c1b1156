// What simulations of `annelid reproduce` came to, kept in a file so that none is run twice.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "studies/reproduce/laboratory.hpp"

namespace annelid::studies {

/// By the run's arguments, which say all of it.
class MeasurementStore {
 public:
  /// `program` names the build that measures: what another one has measured is not known. With
  /// `any_program` it is. A file that cannot be read as such is as if it were not there.
  MeasurementStore(std::filesystem::path file, std::string program, bool any_program);

  /// nullptr if it has not been measured.
  [[nodiscard]] const reproduction::Measurement* find(const std::string& run) const;
  void set(const std::string& run, const reproduction::Measurement& measurement);
  void forget() { runs_.clear(); }
  /// Throws InputError.
  void write() const;

 private:
  std::filesystem::path file_;
  std::string program_;
  std::map<std::string, reproduction::Measurement> runs_;
};

}  // namespace annelid::studies
