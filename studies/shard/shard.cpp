#include "studies/shard/shard.hpp"

#include <fmt/format.h>

#include "base/input_error.hpp"
#include "base/parse_number.hpp"

namespace annelid::studies {

std::string Shard::text() const { return fmt::format("{}/{}", number, count); }

Shard read_shard(const std::string& text, const std::string& where) {
  constexpr std::size_t kMost = 10'000;
  const std::size_t slash = text.find('/');
  if (slash != std::string::npos) {
    const auto number = parse_number<std::size_t>(std::string_view(text).substr(0, slash));
    const auto count = parse_number<std::size_t>(std::string_view(text).substr(slash + 1));
    if (number && count && *number >= 1 && *number <= *count && *count <= kMost) {
      return {*number, *count};
    }
  }
  throw InputError(where, fmt::format("\"{}\"", text),
                   fmt::format("I/N, as in 2/5, with I from 1 to N and N of at most {}", kMost));
}

std::vector<std::size_t> places_of(const std::optional<Shard>& shard, std::size_t all) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < all; ++i) {
    if (!shard || shard->has(i)) places.push_back(i);
  }
  return places;
}

}  // namespace annelid::studies
