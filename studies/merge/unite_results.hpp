// Puts the results of shards together: annelid merge.
#pragma once

#include <filesystem>
#include <span>

#include "studies/shard/part.hpp"

namespace annelid::studies {

/// Copies what the parts have measured to the files of the same names in `to`, which keep what they
/// have. Throws InputError for a damaged file, and RunFailure if two files have different results
/// of one configuration.
void unite_results(std::span<const Part> parts, const std::filesystem::path& to);

}  // namespace annelid::studies
