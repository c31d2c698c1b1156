// Access to flat vectors of pins. Verilator represents them as integers up to 64 bits, and as
// arrays of 32-bit words beyond that.
#pragma once

#include <verilated.h>

#include <concepts>
#include <cstdint>

namespace annelid::systemc::obs {

// The record of a switch port in the observation bus obs_o, as in the table of
// docs/internals/microarchitecture.md, section 8: the offsets of its fields, and the distance
// between the records of two ports, in bits.
constexpr int kCount = 0;
constexpr int kGrantValid = 56;
constexpr int kGrantIn = 57;
constexpr int kGrantVc = 61;
constexpr int kGrantOutVc = 64;
constexpr int kVaGrantValid = 67;
constexpr int kVaGrantIn = 68;
constexpr int kVaGrantVc = 72;
constexpr int kVaGrantOutVc = 75;
constexpr int kInPointer = 78;
constexpr int kOutPointer = 81;
constexpr int kVaInPointer = 85;
constexpr int kVaOutPointer = 88;
constexpr int kRouted = 92;
constexpr int kActive = 100;
constexpr int kOwned = 108;
constexpr int kOutPort = 116;
constexpr int kOutVc = 148;
constexpr int kCredits = 172;
constexpr int kFront = 228;
constexpr int kRecordBits = 768;
constexpr int kRecordWords = kRecordBits / 32;

/// The record of one port.
class Record {
 public:
  explicit Record(const std::uint32_t* words) : words_(words) {}

  /// Bits [low, low + width), width <= 64.
  template <int low, int width>
  [[nodiscard]] std::uint64_t get() const {
    constexpr int word = low / 32, bit = low % 32;
    std::uint64_t value = (std::uint64_t{words_[word + 1]} << 32 | words_[word]) >> bit;
    if constexpr (bit + width > 64) value |= std::uint64_t{words_[word + 2]} << (64 - bit);
    return value & (~std::uint64_t{0} >> (64 - width));
  }
  /// The data of the front flit of a VC, and its two ends: {head, tail}.
  [[nodiscard]] std::uint64_t front_data(int vc) const { return get64(kFront + vc * kFrontBits); }
  [[nodiscard]] std::uint64_t front_ends(int vc) const {
    return get64(kFront + vc * kFrontBits + kFrontBits - 64) >> 62;
  }
  /// Whether any VC has a front flit.
  [[nodiscard]] bool has_front() const {
    std::uint32_t any = words_[kFront / 32] >> kFront % 32;
    for (int w = kFront / 32 + 1; w < kRecordWords; ++w) any |= words_[w];
    return any != 0;
  }

 private:
  static constexpr int kFrontBits = 66;

  [[nodiscard]] std::uint64_t get64(int low) const {
    const std::uint32_t* word = words_ + low / 32;
    const int bit = low % 32;
    const std::uint64_t value = (std::uint64_t{word[1]} << 32 | word[0]) >> bit;
    return bit == 0 ? value : value | std::uint64_t{word[2]} << (64 - bit);
  }

  const std::uint32_t* words_;
};

}  // namespace annelid::systemc::obs

namespace annelid::systemc::pins {

/// Bits [low, low + width) of a vector, width <= 64.
template <std::integral T>
std::uint64_t get(const T& pins, int low, int width) {
  return std::uint64_t{pins} >> low & (~std::uint64_t{0} >> (64 - width));
}

template <std::size_t words>
std::uint64_t get(const VlWide<words>& pins, int low, int width) {
  std::uint64_t value = 0;
  for (int done = 0; done < width;) {
    const int bit = (low + done) % 32;
    const std::uint64_t word = pins[static_cast<std::size_t>((low + done) / 32)] >> bit;
    value |= word << done;
    done += 32 - bit;
  }
  return value & (~std::uint64_t{0} >> (64 - width));
}

/// Writes `value` to bits [low, low + width), which must be 0 before.
template <std::integral T>
void put(T& pins, int low, int /*width*/, std::uint64_t value) {
  pins = static_cast<T>(pins | value << low);
}

template <std::size_t words>
void put(VlWide<words>& pins, int low, int width, std::uint64_t value) {
  for (int done = 0; done < width;) {
    const int bit = (low + done) % 32;
    pins[static_cast<std::size_t>((low + done) / 32)] |=
        static_cast<std::uint32_t>(value >> done << bit);
    done += 32 - bit;
  }
}

template <std::integral T>
void clear(T& pins) {
  pins = 0;
}

template <std::size_t words>
void clear(VlWide<words>& pins) {
  for (std::size_t i = 0; i < words; ++i) pins[i] = 0;
}

}  // namespace annelid::systemc::pins
