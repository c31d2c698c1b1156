// A stretch of time of a waveform: the values that change in it.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace annelid::waves {

/// What signals are at some time, by signal: texts for those of width 0, bits for all others. Those
/// of bundles have their records instead, one after the other.
struct FstValues {
  std::vector<std::uint64_t> bits;
  std::vector<std::string> texts;
  std::vector<std::uint64_t> records;
};

/// Collects changes in the order of time; FstBlock sorts them by signal. A change costs a few words
/// and no search. Signals are numbers from 0 on, without gaps.
class FstSection {
 public:
  /// `before`: what all signals are when it begins. `time` is its first. `room` is memory of a
  /// section that is not needed any more: fresh memory costs more than what is done with it.
  FstSection(FstValues before, std::uint64_t time, std::vector<std::uint64_t> room = {})
      : before_(std::move(before)), times_{time}, words_(std::move(room)) {}

  /// Moves on to a later time.
  void add_time(std::uint64_t time) { times_.push_back(time); }
  /// A signal has another value from the current time on. The last one of a time counts.
  void add(std::uint32_t signal, std::uint64_t bits) { *add_words(signal, 1) = bits; }
  void add(std::uint32_t signal, std::string_view text) {
    std::uint64_t* const out = add_words(signal, 1 + words_of_text(text.size()));
    *out = text.size();
    if (!text.empty()) std::memcpy(out + 1, text.data(), text.size());
  }
  /// The record of the bundle that begins with this signal.
  void add(std::uint32_t signal, const std::uint64_t* record, unsigned words) {
    std::uint64_t* const out = add_words(signal, words);
    for (unsigned i = 0; i < words; ++i) out[i] = record[i];
  }

  [[nodiscard]] const FstValues& before() const { return before_; }
  [[nodiscard]] const std::vector<std::uint64_t>& times() const { return times_; }
  [[nodiscard]] std::uint64_t begin() const { return times_.front(); }
  [[nodiscard]] std::uint64_t end() const { return times_.back(); }

  // Its changes: `size` words, of which each has `header`, then the bits, the record, or the text's
  // length and its bytes.
  [[nodiscard]] const std::uint64_t* words() const { return words_.data(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] static std::uint32_t signal_of(std::uint64_t header) {
    return static_cast<std::uint32_t>(header >> 32);
  }
  /// Its place in times().
  [[nodiscard]] static std::uint32_t time_of(std::uint64_t header) {
    return static_cast<std::uint32_t>(header);
  }
  [[nodiscard]] static std::size_t words_of_text(std::uint64_t bytes) { return (bytes + 7) / 8; }

  /// Of memory, for the changes.
  [[nodiscard]] std::size_t bytes() const { return sizeof(std::uint64_t) * size_; }
  /// Its memory, for another one.
  [[nodiscard]] std::vector<std::uint64_t> take_room() { return std::move(words_); }

 private:
  std::uint64_t* add_words(std::uint32_t signal, std::size_t words) {
    const std::size_t end = size_ + 1 + words;
    if (end > words_.size()) words_.resize(2 * end);
    std::uint64_t* const out = &words_[std::exchange(size_, end)];
    *out = std::uint64_t{signal} << 32 | (times_.size() - 1);
    return out + 1;
  }

  FstValues before_;
  std::vector<std::uint64_t> times_;
  std::vector<std::uint64_t> words_;  // room, of which
  std::size_t size_ = 0;              // these are in use
};

}  // namespace annelid::waves
