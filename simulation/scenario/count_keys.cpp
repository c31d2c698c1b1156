#include "simulation/scenario/count_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/parse_number.hpp"
#include "base/random.hpp"
#include "base/split.hpp"
#include "base/text.hpp"
#include "simulation/scenario/collective_keys.hpp"
#include "simulation/scenario/memory_layout.hpp"

namespace annelid::simulation {
namespace {

constexpr const char* kCounts = "collective.counts";
constexpr std::string_view kRandom = "random:";
constexpr std::size_t kLongestCsv = std::size_t{64} << 20;
using Lengths = std::vector<std::uint64_t>;

std::size_t number_of_blocks(const Collective& c) {
  const auto ranks = static_cast<std::size_t>(reference::rank_count(c.network, c.ranks));
  return c.operation() == reference::Operation::kAllToAll ? ranks * ranks : ranks;
}

std::uint64_t element_bytes(const Collective& c) {
  return c.reduces() ? bytes_of(c.op, c.type) : 1;
}

/// "which take them" for messages.
std::string takers() {
  std::vector<std::string> names;
  for (const reference::Algorithm& a : reference::algorithms()) {
    if (a.takes_lengths) names.push_back(fmt::format("{} by \"{}\"", name_of(a.operation), a.name));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// "8,0,24", or nothing for any other text.
std::optional<Lengths> numbers_in(std::string_view text, const char* separators) {
  Lengths lengths;
  for (const std::string_view part : split(text, separators)) {
    const std::string_view number = trimmed(part);
    if (number.empty() && text.find('\n') != std::string_view::npos) continue;  // the last line
    const auto n = parse_number<std::uint64_t>(number);
    if (!n) return std::nullopt;
    lengths.push_back(*n);
  }
  return lengths;
}

class CountReader {
 public:
  CountReader(const Settings& settings, const Collective& collective)
      : settings_(settings), c_(collective) {}

  Lengths read() const {
    const Value& value = *settings_.find(kCounts);
    if (value.type == Value::Type::kInteger) return {whole(value.integer)};
    if (value.type == Value::Type::kList) {
      Lengths lengths;
      for (const Value& item : value.list) lengths.push_back(whole(item.integer));
      return lengths;
    }
    if (value.text.starts_with(kRandom)) return drawn(value.text.substr(kRandom.size()));
    if (const auto listed = numbers_in(value.text, ",")) return *listed;
    return from_file(value.text);
  }

 private:
  [[nodiscard]] std::uint64_t whole(std::int64_t n) const {
    if (n < 0) settings_.refuse(kCounts, "numbers of bytes, 0 or more");
    return static_cast<std::uint64_t>(n);
  }
  [[nodiscard]] Lengths drawn(const std::string& range) const {
    const std::size_t dots = range.find("..");
    const auto least = parse_number<std::uint64_t>(range.substr(0, dots));
    const auto most = dots == std::string::npos
                          ? std::nullopt
                          : parse_number<std::uint64_t>(range.substr(dots + 2));
    if (!least || !most || *least > *most || *most > kLongestMessage) {
      settings_.refuse(kCounts, fmt::format("random:A..B with 0 <= A <= B <= {}", kLongestMessage));
    }
    const std::uint64_t element = element_bytes(c_);
    if (*most / element * element < *least) {
      settings_.refuse(kCounts, fmt::format("random:A..B with a multiple of the {} bytes of {} "
                                            "between A and B",
                                            element, name_of(c_.type)));
    }
    return random_lengths(c_, *least, *most);
  }
  [[nodiscard]] Lengths from_file(const std::string& text) const {
    std::filesystem::path file = text;
    if (settings_.from_file(kCounts) && file.is_relative()) {
      file = settings_.file().parent_path() / file;
    }
    const std::string content =
        read_text(file, settings_.origin(kCounts), kLongestCsv,
                  "numbers with commas, random:A..B, or a readable CSV file");
    if (const auto lengths = numbers_in(content, ",\n")) return *lengths;
    throw InputError(settings_.origin(kCounts), fmt::format("\"{}\"", text),
                     "a CSV file of whole numbers of bytes, without a header");
  }

  const Settings& settings_;
  const Collective& c_;
};

}  // namespace

Key count_key() {
  return {
      kCounts,
      Key::Kind::kLengths,
      "numbers of bytes, random:A..B or a CSV file",
      "--counts",
      "WHAT",
      "Blocks of different lengths: the bytes of each rank's block as in 8,0,24, or random:A..B "
      "drawn by the seed, or a CSV file. For an all-to-all a row for each sender, with a number "
      "for each receiver. For scatter, gather, all-gather and reduce-scatter by intercom, and "
      "all-to-all by direct.",
      "blocks of --bytes"};
}

bool draws_counts(const Settings& s) {
  const Value* const value = s.find(kCounts);
  return value != nullptr && value->text.starts_with(kRandom);
}

void set_lengths(Collective& c, Lengths lengths, std::string counts) {
  const std::uint64_t sum = std::accumulate(lengths.begin(), lengths.end(), std::uint64_t{0});
  c.bytes = (sum + lengths.size() - 1) / lengths.size();
  c.lengths = std::move(lengths);
  c.counts = std::move(counts);
}

Lengths random_lengths(const Collective& c, std::uint64_t least, std::uint64_t most) {
  constexpr std::uint64_t kStream = 0xC0047;  // none of the contents'
  const std::uint64_t element = element_bytes(c);
  const std::uint64_t first = (least + element - 1) / element, last = most / element;
  Random random(c.seed, kStream);
  Lengths lengths(number_of_blocks(c));
  for (std::uint64_t& length : lengths) {
    const std::uint64_t more = last > first ? last - first : 0;
    length = (first + random.below(static_cast<std::uint32_t>(more + 1))) * element;
  }
  return lengths;
}

void read_counts(const Settings& s, Collective& c) {
  if (!s.has(kCounts)) return;
  if (!c.algorithm->takes_lengths || c.by_auto) {
    throw InputError(s.origin(kCounts),
                     fmt::format("different lengths for {} by \"{}\"", name_of(c.operation()),
                                 c.algorithm_name()),
                     "one of " + takers());
  }
  for (const char* key : {"collective.bytes", "collective.payload"}) {
    if (!s.has(key) || (s.from_file(key) && !s.from_file(kCounts))) continue;
    s.refuse(key, std::string(key) + " or collective.counts, not both");
  }
  Lengths lengths = CountReader(s, c).read();
  const std::size_t blocks = number_of_blocks(c);
  if (lengths.size() != blocks) {
    const bool matrix = c.operation() == reference::Operation::kAllToAll;
    throw InputError(s.origin(kCounts),
                     fmt::format("{} number{}", lengths.size(), lengths.size() == 1 ? "" : "s"),
                     matrix
                         ? fmt::format("{}: for each rank those of the blocks to each rank", blocks)
                         : fmt::format("{}, one for each rank", blocks));
  }
  const std::uint64_t element = element_bytes(c);
  std::uint64_t sum = 0;
  for (const std::uint64_t length : lengths) {
    if (length > kLongestMessage || length % element != 0) {
      throw InputError(s.origin(kCounts), fmt::format("a block of {} bytes", length),
                       element == 1
                           ? fmt::format("at most {} bytes", kLongestMessage)
                           : fmt::format("at most {} bytes, a multiple of the {} bytes of {}",
                                         kLongestMessage, element, name_of(c.type)));
    }
    sum += length;
  }
  if (c.operation() != reference::Operation::kAllToAll && sum > kLongestMessage) {
    throw InputError(s.origin(kCounts), fmt::format("{} bytes in all blocks together", sum),
                     fmt::format("at most {}", kLongestMessage));
  }
  set_lengths(c, std::move(lengths), option_text(*s.find(kCounts)));
}

std::string block_text(const Collective& c) {
  if (c.lengths.empty()) return fmt::format("{} bytes", c.bytes);
  const auto [least, most] = std::ranges::minmax(c.lengths);
  return fmt::format("{} to {} bytes", least, most);
}

std::string counts_option(const Collective& c) {
  return c.lengths.empty() ? "" : " --counts " + shell_word(c.counts);
}

}  // namespace annelid::simulation
