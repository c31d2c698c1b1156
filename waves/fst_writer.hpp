// Writes a waveform in FST, the compressed format of GTKWave, without an intermediate VCD file.
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
/// A signal has a level, which holds until the next one (`set`), or pulses, each of which lasts for
/// one unit of time (`pulse`). One unit later the signal is 0 or "" again, unless it pulses again.
/// So a caller that reports a flit on a channel need not report in the next cycle that the flit is
/// gone. Values that do not change take no space. Signals that change together may form a bundle.
/// Setting a bundle by records is cheaper than setting its signals one by one.
///
/// The file gets its name in close(), like every OutputFile. Equal declarations and values give
/// equal bytes: the date in the header is fixed, and a time at which nothing changes is not in the
/// file, unless it is the first or the last one.
class FstWriter {
 public:
  /// A declared signal.
  using Signal = std::uint32_t;
  /// A bundle of signals: its first signal, and the index of its record.
  struct Bundle {
    std::uint32_t signal = 0;
    std::size_t record = 0;
  };

  /// `path` must be in an existing, writable folder. The file itself may exist; close() replaces
  /// it. One unit of time is 1 ns. Throws InputError with the path if the file cannot be made.
  explicit FstWriter(const std::filesystem::path& path);
  /// Unless close() was called, no file remains.
  ~FstWriter();
  FstWriter(const FstWriter&) = delete;
  FstWriter& operator=(const FstWriter&) = delete;

  // ---- Declaration ----------------------------------------------------------------------------

  void open_scope(const std::string& name);
  void close_scope();
  /// A signal of `width` bits, 1..64. A width above 1 becomes part of the name: "data[63:0]".
  Signal add_bits(const std::string& name, int width);
  Signal add_text(const std::string& name);
  /// A second name, in the current scope, for a declared signal: the other end of a wire.
  Signal add_alias(const std::string& name, Signal of);
  /// Makes a bundle of the signals that are declared next, as many as `kind` has. They have no
  /// `set` and `pulse` of their own. Several bundles may share `kind`.
  Bundle add_bundle(std::shared_ptr<FstBundle> kind);
  /// The name in the file, with scopes and range: "noc.n_0_1.xp.out.data[63:0]".
  [[nodiscard]] const std::string& name(Signal signal) const { return names_[signal]; }
  /// Until release(), keeps in memory at least the last `times` units of time, and at most half as
  /// many more. Earlier changes are forgotten.
  void keep_last(std::uint64_t times) { kept_ = times; }
  /// From now on, counts those units back from `time` if it is earlier than the current time.
  void keep_last_from(std::uint64_t time) { kept_from_ = time; }

  // ---- Values ---------------------------------------------------------------------------------

  /// Advances to `time`, which must not decrease. The first call gives the time at which the file
  /// begins. Values that were set before the first call hold from that time on. Signals without a
  /// value are 0 or "".
  void set_time(std::uint64_t time);
  [[nodiscard]] std::uint64_t time() const { return time_; }
  void set(Signal signal, std::uint64_t bits) { write(states_[signal], bits); }
  void set(Signal signal, std::string_view text) { write(states_[signal], text); }
  /// Sets a bundle. `record` has as many words as the bundle's kind says.
  template <std::size_t kWords>
  void set(const Bundle& bundle, const std::array<std::uint64_t, kWords>& record) {
    std::uint64_t* const now = &values_.records[bundle.record];
    if (std::equal(record.begin(), record.end(), now)) return;
    std::copy(record.begin(), record.end(), now);
    if (current_ != nullptr) current_->add(bundle.signal, now, kWords);
  }
  void pulse(Signal signal, std::uint64_t bits) { write(pulsed(signal), bits); }
  void pulse(Signal signal, std::string_view text) { write(pulsed(signal), text); }

  /// Writes what keep_last() has kept, and everything that follows, to the file.
  void release();
  /// The first time of the file so far.
  [[nodiscard]] std::uint64_t begin() const;
  /// The memory used for changes that are not in the file yet, in bytes.
  [[nodiscard]] std::size_t bytes() const;

  /// Ends the file at the current time and gives it its name. Throws RunFailure with the path if it
  /// could not be written completely; then no file remains.
  void close();
  /// Ends without making a file.
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
  [[nodiscard]] bool is_full(const FstSection& section, std::uint64_t time) const;
  void begin_section(std::uint64_t time);
  void append_section();
  void finish_block();

  std::optional<FstFile> file_;
  std::string scope_;  // with a dot at its end, or empty
  std::vector<std::size_t> scope_lengths_;
  // By signal: the full name, and the number of its wire, which aliases share. By wire: everything
  // below.
  std::vector<std::string> names_;
  std::vector<std::uint32_t> states_;
  FstLayout layout_;
  FstValues values_;  // current values
  std::vector<std::uint64_t> pulsed_at_;
  std::vector<std::uint32_t> pulsed_now_, pulsed_before_;  // wires
  std::deque<FstSection> sections_;                        // not in the file yet
  FstSection* current_ = nullptr;                          // the last of them
  bool is_first_ = false;                                  // current_ is the file's first section
  FstBlock block_;  // of the section before these; another thread makes it
  std::future<std::vector<std::uint64_t>> making_;  // result of that thread: FstSection::take_room
  std::vector<std::uint64_t> room_;                 // for the next section
  std::optional<std::uint64_t> kept_;
  std::uint64_t kept_from_ = ~std::uint64_t{0};
  std::optional<std::uint64_t> written_from_;
  std::uint64_t time_ = 0;
};

}  // namespace annelid::waves
