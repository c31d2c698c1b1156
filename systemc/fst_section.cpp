#include "systemc/fst_section.hpp"

#include <lz4.h>
#include <zlib.h>

#include <cstring>
#include <utility>

#include "systemc/fst_bytes.hpp"

namespace annelid {
namespace {

constexpr char kValueChanges = 8;  // FST_BL_VCDATA_DYN_ALIAS2
constexpr char kPackedByLz4 = '4';
constexpr std::size_t kLeastPacked = 65;  // bytes; what is shorter gains little
constexpr std::size_t kAhead = 16;        // changes: they lie scattered in memory
constexpr std::uint32_t kWide = 33;       // bits; payload, which does not get shorter
constexpr int kAcceleration = 4;          // of LZ4: faster, and a little longer

constexpr std::size_t words_of_text(std::uint64_t bytes) { return (bytes + 7) / 8; }

/// zlib's result, or the bytes themselves if it is not shorter: a reader compares the lengths.
std::string deflated(const std::string& bytes) {
  uLongf length = compressBound(bytes.size());
  std::string packed(length, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(packed.data()), &length,
                               reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), 1);
  if (status != Z_OK || length >= bytes.size()) return bytes;
  packed.resize(length);
  return packed;
}

/// The changes of one signal as the file has them: each with the time since the one before. Every
/// byte of a waveform passes here, so it writes by a pointer into a buffer with room.
class Chain {
 public:
  void restart(std::uint32_t width) {
    width_ = width;
    last_ = 0;
    at_ = 0;
  }
  void add(std::uint64_t time, std::uint64_t bits) {
    char* out = room(0);
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
    char* out = room(text.size());
    std::size_t head = fst::write_varint(out, since_last(time) << 1);
    head += fst::write_varint(out + head, text.size());
    std::memcpy(out + head, text.data(), text.size());
    at_ += head + text.size();
  }
  [[nodiscard]] std::size_t bytes() const { return at_; }

  /// Appends it, packed if that is shorter.
  void write(std::string& out) {
    if (at_ >= kLeastPacked && width_ < kWide) {
      if (packed_.size() < at_) packed_.resize(buffer_.size());
      const auto length = static_cast<int>(at_);
      const int packed =
          LZ4_compress_fast(buffer_.data(), packed_.data(), length, length - 1, kAcceleration);
      if (packed > 0) {
        fst::append_varint(out, at_);
        out.append(packed_.data(), static_cast<std::size_t>(packed));
        return;
      }
    }
    fst::append_varint(out, 0);
    out.append(buffer_.data(), at_);
  }

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
  std::vector<char> buffer_, packed_;
};

}  // namespace

void FstSection::add(std::uint32_t signal, std::string_view text) {
  const std::size_t at = words_.size() + 2;
  words_.push_back(header(signal));
  words_.push_back(text.size());
  words_.resize(at + words_of_text(text.size()));
  if (!text.empty()) std::memcpy(&words_[at], text.data(), text.size());
}

std::string FstSection::frame(const std::vector<std::uint32_t>& widths) const {
  std::string bits;
  for (std::size_t signal = 0; signal < widths.size(); ++signal) {
    for (unsigned i = widths[signal]; i-- > 0;) {
      bits += (before_.bits[signal] >> i & 1) != 0 ? '1' : '0';
    }
  }
  return bits;
}

/// Where each signal's chain begins goes to `index`. The result is their length before packing.
std::uint64_t FstSection::append_chains(const std::vector<std::uint32_t>& widths, bool first,
                                        std::string& out, std::string& index) const {
  // The changes by signal, each signal's in the order of time: a counting sort.
  const auto next = [&](std::size_t at) {
    return at + 2 + (widths[words_[at] >> 32] == 0 ? words_of_text(words_[at + 1]) : 0);
  };
  std::vector<std::uint32_t> ends(widths.size() + 1);
  for (std::size_t at = 0; at < words_.size(); at = next(at)) ++ends[(words_[at] >> 32) + 1];
  for (std::size_t signal = 0; signal < widths.size(); ++signal) ends[signal + 1] += ends[signal];
  std::vector<std::uint32_t> changes(ends.back());
  for (std::size_t at = 0; at < words_.size(); at = next(at)) {
    changes[ends[words_[at] >> 32]++] = static_cast<std::uint32_t>(at);
  }

  const std::size_t start = out.size();
  out += kPackedByLz4;
  Chain chain;
  std::uint64_t last = 0, without = 0, bytes = 0;
  for (std::size_t signal = 0; signal < widths.size(); ++signal) {
    const bool text = widths[signal] == 0;
    const std::size_t begin = signal == 0 ? 0 : ends[signal - 1], end = ends[signal];
    const auto time_of = [&](std::size_t i) { return words_[changes[i]] & 0xffff'ffff; };
    chain.restart(widths[signal]);
    if (first && (begin == end || time_of(begin) != 0)) {
      if (text) {
        chain.add(0, before_.texts[signal]);
      } else {
        chain.add(0, before_.bits[signal]);
      }
    }
    for (std::size_t i = begin; i < end; ++i) {
      if (i + 1 < end && time_of(i) == time_of(i + 1)) continue;
      if (i + kAhead < changes.size()) __builtin_prefetch(&words_[changes[i + kAhead]]);
      const std::uint64_t* value = &words_[changes[i] + 1];
      if (text) {
        chain.add(time_of(i), {reinterpret_cast<const char*>(value + 1), *value});
      } else {
        chain.add(time_of(i), *value);
      }
    }
    if (chain.bytes() == 0) {
      ++without;
      continue;
    }
    if (without > 0) fst::append_varint(index, without << 1);
    without = 0;
    const std::uint64_t at = out.size() - start;
    fst::append_signed_varint(index, static_cast<std::int64_t>((at - last) << 1 | 1));
    last = at;
    bytes += chain.bytes();
    chain.write(out);
  }
  if (without > 0) fst::append_varint(index, without << 1);
  return bytes;
}

std::string FstSection::block(const std::vector<std::uint32_t>& widths, bool first) const {
  const std::string bits = frame(widths), packed_bits = deflated(bits);
  std::string index, times;
  std::uint64_t last = 0;
  for (const std::uint64_t time : times_) {
    fst::append_varint(times, time - last);
    last = time;
  }
  const std::string packed_times = deflated(times);

  std::string block;
  block.reserve(bytes() / 2);  // about what it will be
  block += kValueChanges;
  fst::append_big_endian(block, 0, 8);  // its length, known in the end
  fst::append_big_endian(block, begin(), 8);
  fst::append_big_endian(block, end(), 8);
  fst::append_big_endian(block, 0, 8);  // the unpacked length, likewise
  fst::append_varint(block, bits.size());
  fst::append_varint(block, packed_bits.size());
  fst::append_varint(block, widths.size());
  block += packed_bits;
  fst::append_varint(block, widths.size());
  const std::uint64_t unpacked = append_chains(widths, first, block, index);
  block += index;
  fst::append_big_endian(block, index.size(), 8);
  block += packed_times;
  fst::append_big_endian(block, times.size(), 8);
  fst::append_big_endian(block, packed_times.size(), 8);
  fst::append_big_endian(block, times_.size(), 8);

  std::string number;
  fst::append_big_endian(number, block.size() - 1, 8);
  block.replace(1, 8, number);
  number.clear();
  fst::append_big_endian(number, unpacked, 8);
  block.replace(25, 8, number);
  return block;
}

}  // namespace annelid
