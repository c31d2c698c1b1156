// A GTKWave save file. It says which signals of a waveform are shown, in which form and groups.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace annelid::waves {

/// How a signal is shown.
enum class GtkwFormat : std::uint8_t { kBinary, kHex, kDecimal, kText };

/// The colours of a trace, with GTKWave's numbers.
enum class GtkwColour : std::uint8_t { kNormal = 0, kRed = 1, kOrange = 2, kYellow = 3, kBlue = 5 };

/// Collects rows from top to bottom, and writes them. Times are those of the waveform.
class GtkwFile {
 public:
  /// Groups the signals up to the matching close_group() under this name. `folded` is the group's
  /// initial state.
  void open_group(std::string_view name, bool folded);
  void close_group();
  /// Adds a row. `signal` is the name in the waveform file, with its range (FstWriter::name). If
  /// given, `shown_as` is displayed instead.
  void add(std::string_view signal, GtkwFormat format, GtkwColour colour = GtkwColour::kNormal,
           std::string_view shown_as = {});
  /// Adds a row of text without a signal.
  void add_comment(std::string_view text);

  /// Adds a named marker. At most 26 are kept; later ones are dropped.
  void add_marker(std::uint64_t time, std::string_view name);
  /// Sets the time range that fills the window when the file is opened.
  void set_range(std::uint64_t begin, std::uint64_t end);

  /// Writes the save file for a waveform. It contains the waveform's absolute path, so it can be
  /// opened from any folder. If both files are moved together, GTKWave finds the waveform beside
  /// the save file. Throws InputError and RunFailure as OutputFile does.
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

/// Returns the path of the save file that is written with a waveform: beside it, with .gtkw.
[[nodiscard]] std::filesystem::path save_file_of(const std::filesystem::path& waveform);

/// Whether a save file can refer to this path. Its format has no escape for quotes and control
/// characters.
[[nodiscard]] bool fits_save_file(const std::filesystem::path& path);

}  // namespace annelid::waves
