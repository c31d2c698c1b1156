// What `annelid merge` must know of a shard: part.json, beside the shard's results.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "studies/shard/shard.hpp"
#include "studies/shard/study_command.hpp"

namespace annelid::studies {

/// The file's name. A shard writes it last, so a folder that has one is complete.
inline constexpr const char* kPartFile = "part.json";

struct Part {
  Shard shard;
  StudyCommand study;                 ///< the whole one
  std::filesystem::path started_in;   ///< the working directory, absolute
  std::string build;                  ///< build_name() of the program that simulated
  std::filesystem::path folder = {};  ///< of the part itself, not in the file
};

/// Throws as write_file() does.
void write_part(const Part& part);
/// Throws InputError if the folder has no such file, or one that says anything else than a Part
/// does. Whether there is such a study is not looked at.
[[nodiscard]] Part read_part(const std::filesystem::path& folder);

/// Requires that the parts are all shards of one study, each once, by program `build`. Throws
/// InputError that names the first folder that does not fit, or the shards that are missing.
void require_whole(std::span<const Part> parts, const std::string& build);

}  // namespace annelid::studies
