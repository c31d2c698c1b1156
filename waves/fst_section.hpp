// A time interval of a waveform: the values that change in it.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace annelid::waves {

/// The values of all signals at some time, by signal: texts for signals of width 0, bits for all
/// others. Bundles have their records instead, one after the other.
struct FstValues {
  std::vector<std::uint64_t> bits;
  std::vector<std::string> texts;
  std::vector<std::uint64_t> records;
};

/// Collects changes in the order of time; FstBlock sorts them by signal. A change costs a few words
/// and no search. Signals are numbered from 0 without gaps. A time at which nothing changes leaves
/// no trace once a later one is added: one engine passes through idle cycles that another skips.
class FstSection {
 public:
  /// `before` has the values of all signals when the section begins. `time` is its first time.
  /// `room` is the memory of a section that is no longer needed: allocating fresh memory would cost
  /// more than using it.
  FstSection(FstValues before, std::uint64_t time, std::vector<std::uint64_t> room = {})
      : before_(std::move(before)), times_{time}, words_(std::move(room)) {}

  /// Advances to a later time.
  void add_time(std::uint64_t time) {
    times_.push_back(time);
    time_begin_ = size_;
  }
  /// Forgets the current time if nothing changes at it, but not the first one.
  void drop_idle_time() {
    if (times_.size() > 1 && size_ == time_begin_) times_.pop_back();
  }
  /// Lets a section without changes begin at a later time.
  void begin_at(std::uint64_t time) { times_ = {time}; }
  /// Gives a signal another value from the current time on. If a time has several changes, the last
  /// one counts.
  void add(std::uint32_t signal, std::uint64_t bits) { *add_words(signal, 1) = bits; }
  void add(std::uint32_t signal, std::string_view text) {
    std::uint64_t* const out = add_words(signal, 1 + words_of_text(text.size()));
    *out = text.size();
    if (!text.empty()) std::memcpy(out + 1, text.data(), text.size());
  }
  /// Sets the record of the bundle that begins with this signal.
  void add(std::uint32_t signal, const std::uint64_t* record, unsigned words) {
    std::uint64_t* const out = add_words(signal, words);
    for (unsigned i = 0; i < words; ++i) out[i] = record[i];
  }

  [[nodiscard]] const FstValues& before() const { return before_; }
  [[nodiscard]] const std::vector<std::uint64_t>& times() const { return times_; }
  [[nodiscard]] std::uint64_t begin() const { return times_.front(); }
  [[nodiscard]] std::uint64_t end() const { return times_.back(); }
  /// Nothing has changed in it so far.
  [[nodiscard]] bool is_empty() const { return size_ == 0; }

  // The changes, `size` words in all. Each change is a header, followed by the bits, by the record,
  // or by the text's length and bytes.
  [[nodiscard]] const std::uint64_t* words() const { return words_.data(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] static std::uint32_t signal_of(std::uint64_t header) {
    return static_cast<std::uint32_t>(header >> 32);
  }
  /// A change's index in times().
  [[nodiscard]] static std::uint32_t time_of(std::uint64_t header) {
    return static_cast<std::uint32_t>(header);
  }
  [[nodiscard]] static std::size_t words_of_text(std::uint64_t bytes) { return (bytes + 7) / 8; }

  /// The memory used for changes, in bytes.
  [[nodiscard]] std::size_t bytes() const { return sizeof(std::uint64_t) * size_; }
  /// Gives its memory away, for another section.
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
  std::vector<std::uint64_t> words_;  // of which the first size_ words are in use
  std::size_t size_ = 0;              // words in use
  std::size_t time_begin_ = 0;        // words that were in use when the current time began
};

}  // namespace annelid::waves
