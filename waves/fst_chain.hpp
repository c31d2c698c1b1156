// The changes of one signal, in the encoding of an FST file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "waves/fst_bytes.hpp"

namespace annelid::waves {

/// Stores each change with the time since the change before. Every byte of a waveform passes
/// through this class, so it writes through a pointer into a buffer with enough room.
class FstChain {
 public:
  /// Starts an empty chain. `width` is in bits, 0 for text.
  void restart(std::uint32_t width) {
    width_ = width;
    last_ = 0;
    at_ = 0;
  }
  /// Appends a change. Times ascend, and count from the first time of the block, which is 0.
  void add(std::uint64_t time, std::uint64_t bits) {
    char* const out = room(0);
    const std::uint64_t delta = since_last(time);
    if (width_ == 1) {
      at_ += fst::write_varint(out, delta << 2 | bits << 1);
      return;
    }
    const std::size_t head = fst::write_varint(out, delta << 1);
    const unsigned count = (width_ + 7) / 8;
    const std::uint64_t swapped = __builtin_bswap64(bits << (64 - width_));
    std::memcpy(out + head, &swapped, sizeof swapped);
    at_ += head + count;
  }
  void add(std::uint64_t time, std::string_view text) {
    char* const out = room(text.size());
    std::size_t head = fst::write_varint(out, since_last(time) << 1);
    head += fst::write_varint(out + head, text.size());
    std::ranges::copy(text, out + head);  // an empty text may have no data
    at_ += head + text.size();
  }

  [[nodiscard]] std::uint32_t width() const { return width_; }
  [[nodiscard]] const char* data() const { return buffer_.data(); }
  [[nodiscard]] std::size_t bytes() const { return at_; }

 private:
  static constexpr std::size_t kMostBesidesText = 32;  // two varints and 64 bits

  char* room(std::size_t text) {
    if (buffer_.size() < at_ + text + kMostBesidesText) {
      buffer_.resize(2 * buffer_.size() + text + kMostBesidesText);
    }
    return &buffer_[at_];
  }
  std::uint64_t since_last(std::uint64_t time) { return time - std::exchange(last_, time); }

  std::uint32_t width_ = 0;
  std::uint64_t last_ = 0;
  std::size_t at_ = 0;
  std::vector<char> buffer_;
};

}  // namespace annelid::waves
