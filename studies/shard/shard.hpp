// One of several shares of a study's jobs: --shard I/N.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace annelid::studies {

/// Share `number` of `count`, from 1. Jobs are dealt out in turn, as cards are.
struct Shard {
  std::size_t number = 1, count = 1;

  [[nodiscard]] bool has(std::size_t job) const { return job % count == number - 1; }
  /// "2/5".
  [[nodiscard]] std::string text() const;

  friend bool operator==(const Shard&, const Shard&) = default;
};

/// Reads "2/5". Throws InputError, with `where`, for anything but I/N with 1 <= I <= N <= 10000.
[[nodiscard]] Shard read_shard(const std::string& text, const std::string& where);

/// Returns the places of those of `all` jobs that the shard has; of all, if there is no shard.
[[nodiscard]] std::vector<std::size_t> places_of(const std::optional<Shard>& shard,
                                                 std::size_t all);

}  // namespace annelid::studies
