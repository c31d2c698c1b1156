// A GTKWave save file: which signals of a waveform are shown, how, and in what groups.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace annelid::waves {

/// How a signal is shown.
enum class GtkwFormat : std::uint8_t { kBinary, kHex, kDecimal, kText };

/// GTKWave's own numbers for the colours of a trace.
enum class GtkwColour : std::uint8_t { kNormal = 0, kRed = 1, kOrange = 2, kYellow = 3, kBlue = 5 };

/// Collects rows, top down, and writes them. Times are those of the waveform.
class GtkwFile {
 public:
  /// Signals up to the matching close_group() fold under this name; `folded` is their first state.
  void open_group(std::string_view name, bool folded);
  void close_group();
  /// `signal` is the name in the waveform file, range included (FstWriter::name). `shown_as`
  /// replaces it in the picture, if given.
  void add(std::string_view signal, GtkwFormat format, GtkwColour colour = GtkwColour::kNormal,
           std::string_view shown_as = {});
  /// A line of text without a signal.
  void add_comment(std::string_view text);

  /// Up to 26 named markers, later ones are dropped.
  void add_marker(std::uint64_t time, std::string_view name);
  /// The times that fill the window when the file is opened.
  void set_range(std::uint64_t begin, std::uint64_t end);

  /// Writes the save file for a waveform. The waveform's absolute path goes in, so it opens from
  /// any folder; if both files move together, GTKWave finds the waveform beside the save file.
  /// Throws InputError and RunFailure as OutputFile does.
  void write(const std::filesystem::path& path, const std::filesystem::path& waveform) const;

 private:
  struct Group {
    std::string name;
    bool folded;
  };
  struct Marker {
    std::uint64_t time;
    std::string name;
  };
  [[nodiscard]] std::string marker_line() const;

  std::string rows_;
  std::vector<Group> groups_;
  std::vector<Marker> markers_;
  std::uint64_t begin_ = 0, end_ = 20;
};

/// Whether a save file can name this file: its format has no escape for quotes and control
/// characters in a path.
[[nodiscard]] bool fits_save_file(const std::filesystem::path& path);

}  // namespace annelid::waves
