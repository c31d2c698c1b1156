// A stretch of time of a waveform: the values that change in it, as a block of an FST file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace annelid {

/// What signals are at some time, by signal: texts for those of width 0, bits for all others.
struct FstValues {
  std::vector<std::uint64_t> bits;
  std::vector<std::string> texts;
};

/// Collects changes in the order of time and sorts them by signal when it becomes a block: a change
/// costs a few words and no search. Signals are numbers from 0 on, without gaps.
class FstSection {
 public:
  /// `before`: what all signals are when it begins. `time` is its first. `room` is memory of a
  /// section that is not needed any more: fresh memory costs more than what is done with it.
  FstSection(FstValues before, std::uint64_t time, std::vector<std::uint64_t> room = {})
      : before_(std::move(before)), times_{time}, words_(std::move(room)) {
    words_.clear();
  }

  /// Moves on to a later time.
  void add_time(std::uint64_t time) { times_.push_back(time); }
  /// A signal has another value from the current time on. The last one of a time counts.
  void add(std::uint32_t signal, std::uint64_t bits) {
    words_.push_back(header(signal));
    words_.push_back(bits);
  }
  void add(std::uint32_t signal, std::string_view text);

  [[nodiscard]] std::uint64_t begin() const { return times_.front(); }
  [[nodiscard]] std::uint64_t end() const { return times_.back(); }
  /// Of memory, for the changes.
  [[nodiscard]] std::size_t bytes() const { return sizeof(std::uint64_t) * words_.size(); }

  /// Its memory, for another one.
  [[nodiscard]] std::vector<std::uint64_t> take_room() { return std::move(words_); }

  /// The block. `widths` are those of the signals. The file's `first` block gives every signal a
  /// value at its beginning, where a reader knows nothing else.
  [[nodiscard]] std::string block(const std::vector<std::uint32_t>& widths, bool first) const;

 private:
  [[nodiscard]] std::uint64_t header(std::uint32_t signal) const {
    return std::uint64_t{signal} << 32 | (times_.size() - 1);
  }
  [[nodiscard]] std::string frame(const std::vector<std::uint32_t>& widths) const;
  std::uint64_t append_chains(const std::vector<std::uint32_t>& widths, bool first,
                              std::string& out, std::string& index) const;

  FstValues before_;
  std::vector<std::uint64_t> times_;
  /// Of each change: signal and place in times_, then the bits, or the text's length and its bytes.
  std::vector<std::uint64_t> words_;
};

}  // namespace annelid
