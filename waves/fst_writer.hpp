// Writes a waveform in FST, the compressed format of GTKWave, without a VCD file in between.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "waves/fst_block.hpp"
#include "waves/fst_file.hpp"
#include "waves/fst_section.hpp"

namespace annelid::waves {

/// One FST file. First declare scopes and signals, then set times and values, then close().
///
/// A signal has a level, which holds until the next one (`set`), or pulses, each of which holds for
/// one unit of time (`pulse`): one unit later the signal is 0 or "" again, unless it pulses again.
/// So a caller that reports a flit on a channel need not report in the next cycle that it is gone.
/// Values that do not change take no room. Signals that change together may be a bundle, which is
/// set by records: cheaper than one by one.
///
/// The file gets its name in close(), as every OutputFile. Equal declarations and values give equal
/// bytes: the header's date is a fixed one.
class FstWriter {
 public:
  /// A declared signal.
  using Signal = std::uint32_t;
  /// A bundle of signals: the first, and the place of its record.
  struct Bundle {
    std::uint32_t signal = 0;
    std::size_t record = 0;
  };

  /// `path` must be in a folder that exists and can be written to; the file itself may exist and is
  /// replaced by close(). One unit of time is 1 ns. Throws InputError with the path.
  explicit FstWriter(const std::filesystem::path& path);
  /// Without close() nothing remains.
  ~FstWriter();
  FstWriter(const FstWriter&) = delete;
  FstWriter& operator=(const FstWriter&) = delete;

  // ---- Declaration ----------------------------------------------------------------------------

  void open_scope(const std::string& name);
  void close_scope();
  /// `width` bits, 1..64; a width above 1 becomes part of the name: "data[63:0]".
  Signal add_bits(const std::string& name, int width);
  Signal add_text(const std::string& name);
  /// A second name, in the current scope, for what is declared already: two ends of one wire.
  Signal add_alias(const std::string& name, Signal of);
  /// The signals that are declared next, as many as `kind` has, are a bundle: they have no `set`
  /// and `pulse` of their own. Several bundles may share `kind`.
  Bundle add_bundle(std::shared_ptr<FstBundle> kind);
  /// The name as it is in the file, with scopes and range: "noc.n_0_1.xp.out.data[63:0]".
  [[nodiscard]] const std::string& name(Signal signal) const { return names_[signal]; }
  /// Until release() at least the last `times` units of time are kept, in memory, and at most half
  /// as much again; what was before is forgotten.
  void keep_last(std::uint64_t times) { kept_ = times; }
  /// From now on those are counted back from this time, not from the current one, if it is earlier.
  void keep_last_from(std::uint64_t time) { kept_from_ = time; }

  // ---- Values ---------------------------------------------------------------------------------

  /// Moves on; the first call gives the time at which the file begins. `time` is never less than
  /// before. What was set before the first call holds from that time on; signals without a value
  /// are 0 or "".
  void set_time(std::uint64_t time);
  [[nodiscard]] std::uint64_t time() const { return time_; }
  void set(Signal signal, std::uint64_t bits) { write(states_[signal], bits); }
  void set(Signal signal, std::string_view text) { write(states_[signal], text); }
  /// `record` has as many words as the bundle's kind says.
  template <std::size_t kWords>
  void set(const Bundle& bundle, const std::array<std::uint64_t, kWords>& record) {
    std::uint64_t* const now = &values_.records[bundle.record];
    if (std::equal(record.begin(), record.end(), now)) return;
    std::copy(record.begin(), record.end(), now);
    if (current_ != nullptr) current_->add(bundle.signal, now, kWords);
  }
  void pulse(Signal signal, std::uint64_t bits) { write(pulsed(signal), bits); }
  void pulse(Signal signal, std::string_view text) { write(pulsed(signal), text); }

  /// What keep_last() has kept is in the file, and so is all that follows.
  void release() { kept_.reset(); }
  /// The first time of the file so far.
  [[nodiscard]] std::uint64_t begin() const;
  /// Of memory, for changes that are not in the file yet.
  [[nodiscard]] std::size_t bytes() const;

  /// Ends the file at the current time and gives it its name. Throws RunFailure with the path if it
  /// could not be written completely; then nothing remains.
  void close();
  /// Ends without a file.
  void discard();

 private:
  Signal add_name(const std::string& name, std::uint32_t state);
  Signal declare(const std::string& name, std::uint32_t width);
  std::uint32_t pulsed(Signal signal);
  void write(std::uint32_t state, std::uint64_t bits) {
    if (values_.bits[state] == bits) return;
    values_.bits[state] = bits;
    if (current_ != nullptr) current_->add(state, bits);
  }
  void write(std::uint32_t state, std::string_view text) {
    if (values_.texts[state] == text) return;
    values_.texts[state] = text;
    if (current_ != nullptr) current_->add(state, text);
  }
  void settle();
  void rest_after_pulses();
  void move_to(std::uint64_t time);
  void append_section();
  void finish_block();

  std::optional<FstFile> file_;
  std::string scope_;  // with a dot at its end, or empty
  std::vector<std::size_t> scope_lengths_;
  // By signal: its full name; the number of its wire, which aliases share. By wire: all below.
  std::vector<std::string> names_;
  std::vector<std::uint32_t> states_;
  FstLayout layout_;
  FstValues values_;  // now
  std::vector<std::uint64_t> pulsed_at_;
  std::vector<std::uint32_t> pulsed_now_, pulsed_before_;  // states
  std::deque<FstSection> sections_;                        // not in the file yet
  FstSection* current_ = nullptr;                          // the last of them
  FstBlock block_;  // of the section before them, made by another thread
  std::future<std::vector<std::uint64_t>> making_;  // until then; gives FstSection::take_room
  std::vector<std::uint64_t> room_;                 // for the next section
  std::optional<std::uint64_t> kept_;
  std::uint64_t kept_from_ = ~std::uint64_t{0};
  std::optional<std::uint64_t> written_from_;
  std::uint64_t time_ = 0;
};

}  // namespace annelid::waves
