// Results of the simulations of `annelid reproduce`, kept in a file so that none is run twice.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "studies/reproduce/laboratory.hpp"

namespace annelid::studies {

/// Stores each result under the run's arguments, which describe it completely, and the build that
/// measured it.
class MeasurementStore {
 public:
  /// `program` names the current build. Results of another build are not used, but are kept until
  /// this build measures the same run. With `any_program` they are used too. A file that is no such
  /// store counts as missing.
  MeasurementStore(std::filesystem::path file, std::string program, bool any_program);

  /// Returns the result of a run, or nullptr if the run has not been measured.
  [[nodiscard]] const reproduction::Measurement* find(const std::string& run) const;
  void set(const std::string& run, const reproduction::Measurement& measurement);
  /// Ignores all stored results, as if nothing had been measured.
  void forget() { forgotten_ = true; }
  /// Writes the file. Throws InputError or RunFailure if it cannot be written.
  void write() const;

 private:
  struct Stored {
    std::string program;
    reproduction::Measurement measurement;
    bool now = false;  ///< measured, not read
  };

  std::filesystem::path file_;
  std::string program_;
  bool any_program_ = false, forgotten_ = false;
  std::map<std::string, Stored> runs_;
};

}  // namespace annelid::studies
