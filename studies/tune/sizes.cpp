// Sizes as a user of `annelid tune` writes them.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/input_error.hpp"
#include "base/split.hpp"
#include "simulation/scenario/memory_layout.hpp"
#include "studies/tune/grid.hpp"

namespace annelid::studies {
namespace {

[[noreturn]] void refuse_size(const std::string& where, const std::string& found) {
  throw InputError(where, found,
                   fmt::format("bytes from 1 to {}M, as 8:64k, 8:1M:4 or 64,4k, k being 1024",
                               simulation::kLongestMessage >> 20));
}

std::uint64_t parse_size(std::string_view text, const std::string& where) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  const int shift = unit.empty() ? 0 : unit == "k" ? 10 : unit == "M" ? 20 : -1;
  if (error != std::errc{} || shift < 0 || value < 1 ||
      value > simulation::kLongestMessage >> shift) {
    refuse_size(where, fmt::format("\"{}\"", text));
  }
  return value << shift;
}

}  // namespace

std::vector<std::uint64_t> parse_sizes(const std::string& text, const std::string& where) {
  std::vector<std::uint64_t> sizes;
  const auto range = split(text, ":");
  if (range.size() == 1) {
    for (const std::string_view part : split(text, ",")) sizes.push_back(parse_size(part, where));
  } else {
    const std::uint64_t from = parse_size(range[0], where), to = parse_size(range[1], where);
    const std::uint64_t factor = range.size() == 3 ? parse_size(range[2], where) : 2;
    if (range.size() > 3 || from > to || factor < 2) refuse_size(where, "\"" + text + "\"");
    for (std::uint64_t size = from; size <= to; size *= factor) sizes.push_back(size);
  }
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

}  // namespace annelid::studies
