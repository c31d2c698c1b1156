// Writes a waveform in FST, the compressed format of GTKWave, without a VCD file in between.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace annelid {

/// One FST file. First declare scopes and signals, then set times and values, then close().
///
/// A signal has a level, which holds until the next one (`set`), or pulses, each of which holds for
/// one unit of time (`pulse`): one unit later the signal is 0 or "" again, unless it pulses again.
/// So whoever reports what is on a channel in a cycle need not report that it is gone in the next.
/// Values that do not change take no room.
///
/// The file is written beside its place under a temporary name and gets its own in close(). Equal
/// declarations and values give equal bytes: the header's date is a fixed one.
class FstWriter {
 public:
  /// A declared signal.
  using Signal = std::uint32_t;

  /// `path` must be in a folder that exists and can be written to; the file itself may exist and is
  /// replaced by close(). One unit of time is 1 ns. Throws std::runtime_error with the path.
  explicit FstWriter(std::filesystem::path path);
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
  /// The name as it is in the file, with scopes and range: "noc.n_0_1.xp.out.data[63:0]".
  [[nodiscard]] const std::string& name(Signal signal) const { return names_[signal].full; }

  // ---- Values ---------------------------------------------------------------------------------

  /// Moves on; the first call gives the time at which the file begins. `time` is never less than
  /// before. Signals without a value so far are 0 or "" from that first time on.
  void set_time(std::uint64_t time);
  [[nodiscard]] std::uint64_t time() const { return time_; }
  void set(Signal signal, std::uint64_t bits);
  void set(Signal signal, std::string_view text);
  void pulse(Signal signal, std::uint64_t bits);
  void pulse(Signal signal, std::string_view text);

  /// Ends the file at the current time and gives it its name. Throws std::runtime_error with the
  /// path if it could not be written completely; then nothing remains.
  void close();

 private:
  struct State {
    std::uint32_t handle = 0;  // of the FST library
    std::uint32_t width = 0;   // 0: text
    std::uint64_t bits = 0;
    std::string text;
    std::uint64_t pulsed_at = ~std::uint64_t{0};
    bool written = false;
  };
  struct Name {
    std::string full;
    std::uint32_t state;  // aliases share one
  };

  Signal declare(const std::string& name, std::uint32_t width, std::uint32_t state);
  State& pulsed(Signal signal);
  void write(State& state, std::uint64_t bits);
  void write(State& state, std::string_view text);
  void rest(State& state);
  void settle();
  void rest_after_pulses();
  void discard();

  std::filesystem::path path_, temporary_;
  void* file_ = nullptr;  // the FST library's writer
  std::string scope_;     // with a dot at its end, or empty
  std::vector<std::size_t> scope_lengths_;
  std::vector<Name> names_;
  std::vector<State> states_;
  std::vector<std::uint32_t> pulsed_now_, pulsed_before_;  // states
  std::uint64_t time_ = 0;
  bool begun_ = false;        // there was a set_time
  bool all_written_ = false;  // every signal has a value
};

}  // namespace annelid
