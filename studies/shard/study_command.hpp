// A study as its keys: which command, of what, with which options. A shard leaves them in
// part.json, and a Slurm array in its script.
#pragma once

#include <string>
#include <vector>

namespace annelid::studies {

/// What determines a study's results, and nothing that belongs to one process of it.
struct StudyCommand {
  std::string name;                 ///< "check", "sweep", "tune" or "reproduce"
  std::vector<std::string> inputs;  ///< a scenario, or items; none begins with a dash
  /// In their order, as some replace others: {"--size", "4x4"}, or {"--torus"} of a flag.
  std::vector<std::vector<std::string>> options;

  /// As arguments of the program.
  [[nodiscard]] std::vector<std::string> words() const {
    std::vector<std::string> all{name};
    all.insert(all.end(), inputs.begin(), inputs.end());
    for (const auto& option : options) all.insert(all.end(), option.begin(), option.end());
    return all;
  }

  friend bool operator==(const StudyCommand&, const StudyCommand&) = default;
};

}  // namespace annelid::studies
