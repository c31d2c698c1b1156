// Results of the simulations of `annelid reproduce`, kept in a file so that none is run twice.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "studies/reproduce/laboratory.hpp"

namespace annelid::studies {

/// A result as text, for example from another process.
[[nodiscard]] std::string to_json(const reproduction::Measurement& measurement);
[[nodiscard]] reproduction::Measurement measurement_of(const std::string& json);

/// Stores each result under the run's arguments, which describe it completely, and the build that
/// measured it.
class MeasurementStore {
 public:
  /// The build that measures: a hash of its program, and the commit of its sources.
  struct Build {
    std::string program, commit;
  };
  /// `build` is the current one. Results of another program are not used, but are kept until this
  /// one measures the same run. With `any_program` they are used too. A file that is no such store
  /// counts as missing, and so does a result that does not fit its checksum.
  MeasurementStore(std::filesystem::path file, Build build, bool any_program);

  /// Returns the result of a run, or nullptr if the run has not been measured.
  [[nodiscard]] const reproduction::Measurement* find(const std::string& run) const;
  /// Returns the commit from whose sources another program simulated a run's result. Nothing if it
  /// was this program.
  [[nodiscard]] std::optional<std::string> foreign_commit(const std::string& run) const;
  void set(const std::string& run, const reproduction::Measurement& measurement);
  /// Takes over the results of another store, `from`, in place of those that other programs have
  /// made of the same runs. Throws RunFailure if one program has two results of one run.
  void add(const MeasurementStore& other, const std::filesystem::path& from);
  /// Ignores all stored results, as if nothing had been measured.
  void forget() { forgotten_ = true; }
  /// Writes the file. Throws InputError or RunFailure if it cannot be written.
  void write() const;

 private:
  struct Stored {
    Build build;
    reproduction::Measurement measurement;
    bool now = false;  ///< measured, not read
  };

  std::filesystem::path file_;
  Build build_;
  bool any_program_ = false, forgotten_ = false;
  std::map<std::string, Stored> runs_;
};

}  // namespace annelid::studies
