#include "waves/fst_changes.hpp"

#include <zlib.h>

#include <algorithm>

namespace annelid::waves {
namespace {

// Deflate makes no byte out of less than a 1,032nd of one.
constexpr std::uint64_t kMostInflation = 1032, kInflationOffset = 64;
// The writer ends a block long before. Each takes eight bytes of memory here.
constexpr std::uint64_t kMostTimes = std::uint64_t{1} << 26;
constexpr std::size_t kTailBytes = 24;  // after the times: three numbers

/// What `deflated` of the writer has packed.
std::string inflated(const FstInput& place, std::string_view packed, std::uint64_t length) {
  if (packed.size() == length) return std::string(packed);
  place.require(length <= packed.size() * kMostInflation + kInflationOffset,
                "a length is impossible");
  std::string bytes(length, '\0');
  uLongf got = bytes.size();
  const int status = uncompress(reinterpret_cast<Bytef*>(bytes.data()), &got,
                                reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  place.require(status == Z_OK && got == length, "packed times do not unpack");
  return bytes;
}

std::string bits_of(std::string_view bytes, std::uint32_t width) {
  std::string text(width, '0');
  for (std::uint32_t i = 0; i < width; ++i) {
    const auto byte = static_cast<std::uint8_t>(bytes[i / 8]);
    if ((byte >> (7 - i % 8) & 1) != 0) text[i] = '1';
  }
  return text;
}

/// Control characters would reach a terminal and the lines of a save file.
bool is_printable(std::string_view text) {
  for (const char c : text) {
    if (static_cast<std::uint8_t>(c) < 0x20 || c == 0x7f) return false;
  }
  return true;
}

}  // namespace

FstChanges::FstChanges(std::string_view block, std::uint64_t at,
                       const std::vector<std::uint32_t>& widths)
    : widths_(widths) {
  FstInput input(block, at);
  input.big_endian();  // its length, which the caller has seen
  const std::uint64_t begin = input.big_endian(), end = input.big_endian();
  const std::uint64_t unpacked = input.big_endian();
  input.varint();  // the length of the frame: all values at its beginning, which are changes too
  const std::uint64_t frame = input.varint();
  input.require(input.varint() == widths.size(), "another number of signals");
  input.take(frame);
  input.require(input.varint() == widths.size(), "another number of signals");
  bytes_at_ = input.place();
  std::string_view rest = input.take(input.left());
  input.require(rest.size() >= kTailBytes, "a block is cut off");

  FstInput tail(rest.substr(rest.size() - kTailBytes), bytes_at_ + rest.size() - kTailBytes);
  rest.remove_suffix(kTailBytes);
  const std::uint64_t length = tail.big_endian(), packed = tail.big_endian();
  const std::uint64_t count = tail.big_endian();
  tail.require(packed <= rest.size(), "the times exceed their block");
  tail.require(count > 0 && count <= length && count <= kMostTimes, "a length is impossible");
  const std::uint64_t times_at = bytes_at_ + rest.size() - packed;
  const std::string times = inflated(tail, rest.substr(rest.size() - packed), length);
  rest.remove_suffix(packed);
  times_.reserve(count);
  FstInput numbers(times, times_at);
  read_times(numbers, begin, end);
  numbers.require(times_.size() == count, "another number of times");

  tail.require(rest.size() >= 8, "a block is cut off");
  FstInput index_length(rest.substr(rest.size() - 8), bytes_at_ + rest.size() - 8);
  rest.remove_suffix(8);
  const std::uint64_t index = index_length.big_endian();
  index_length.require(index < rest.size(), "the index exceeds its block");
  bytes_ = rest.substr(0, rest.size() - index);
  read_index(FstInput(rest.substr(bytes_.size()), bytes_at_ + bytes_.size()), unpacked);
}

void FstChanges::read_times(FstInput& numbers, std::uint64_t begin, std::uint64_t end) {
  std::uint64_t time = 0;
  while (!numbers.empty()) {
    const std::uint64_t step = numbers.varint();
    numbers.require(times_.empty() ? step == begin : step > 0 && step <= end - time,
                    "the times do not ascend");
    time += step;
    times_.push_back(time);
    numbers.require(time <= end, "a time is after the block's end");
  }
  numbers.require(time == end, "the times end before their block");
}

/// Where the chain of each signal begins. `unpacked`: bytes of all of them.
void FstChanges::read_index(FstInput index, std::uint64_t unpacked) {
  std::uint64_t signal = 0, begin = 0;
  while (!index.empty()) {
    if ((index.peek() & 1) == 0) {
      const std::uint64_t without = index.varint() >> 1;
      index.require(without > 0 && without <= widths_.size() - signal, "too many signals");
      signal += without;
      continue;
    }
    // FST has it signed, and marks aliases by negative numbers; the writer makes none.
    const std::uint64_t distance = index.varint() >> 1;
    index.require(signal < widths_.size(), "too many signals");
    index.require(distance > 0 && distance < bytes_.size() - begin, "a chain is not in its block");
    begin += distance;
    if (!chains_.empty()) chains_.back().end = begin;
    chains_.push_back({signal++, begin, bytes_.size()});
  }
  index.require(signal == widths_.size(), "too few signals");
  index.require(bytes_.size() - 1 == unpacked + chains_.size(), "the chains have another length");
}

void FstChanges::append(std::uint32_t signal, std::vector<FstChange>& changes) const {
  const auto found = std::ranges::lower_bound(chains_, signal, {}, &Chain::signal);
  if (found == chains_.end() || found->signal != signal) return;
  FstInput chain(bytes_.substr(found->begin, found->end - found->begin), bytes_at_ + found->begin);
  chain.require(chain.byte() == 0, "a packed chain");
  const std::uint32_t width = widths_[signal];
  const unsigned flags = width == 1 ? 2 : 1;  // bits below the time, of which the lowest is 0
  std::uint64_t place = 0;
  for (bool first = true; !chain.empty(); first = false) {
    const std::uint64_t head = chain.varint(), step = head >> flags;
    chain.require((head & 1) == 0, "a value that is neither 0 nor 1");
    chain.require((first || step > 0) && step < times_.size() - place, "a change at no time");
    place += step;
    std::string value;
    if (width == 1) {
      value = (head & 2) != 0 ? "1" : "0";
    } else if (width == 0) {
      value = chain.take(chain.varint());
      chain.require(is_printable(value), "a control character in a text");
    } else {
      value = bits_of(chain.take((width + 7) / 8), width);
    }
    changes.push_back({times_[place], std::move(value)});
  }
}

}  // namespace annelid::waves
