// --shard I/N: a study in several shares, each perhaps on a machine of its own.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "studies/shard/shard.hpp"

namespace annelid::cli {

/// "shard-2-of-5": the name of a shard's folder in that of the whole study's results.
[[nodiscard]] std::string folder_name(const studies::Shard& shard);

/// One study's folder, and the shard of it that the user wants.
class ShardedStudy {
 public:
  /// `text` is what the user wrote behind --shard, or empty. `out` is --out, or empty. `otherwise`
  /// is the folder of the whole study's results if --out was not given. Throws InputError for a
  /// text that names no shard.
  ShardedStudy(const std::string& text, const std::string& out,
               const std::filesystem::path& otherwise);

  [[nodiscard]] const std::optional<studies::Shard>& shard() const { return shard_; }
  /// The folder of the results of this run. Of a shard: shard-I-of-N in the whole study's folder.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  /// Adds the files of this run's results, and `inputs` that have a name, as CommandFiles does.
  /// Call before begin(). Throws InputError if a result would replace an input.
  void require_apart(const std::vector<std::pair<std::string, std::string>>& inputs,
                     std::initializer_list<const char*> results) const;
  /// Removes what an earlier shard has noted in the folder. Call before the run.
  void begin() const;
  /// Notes in the folder that this shard is complete, and how the whole study is run. Prints where
  /// unless `quiet`. Call after the run of a shard. `jobs` says what it has done: "12 points".
  void end(const std::string& jobs, bool quiet) const;

 private:
  std::optional<studies::Shard> shard_;
  std::filesystem::path folder_;
};

}  // namespace annelid::cli
