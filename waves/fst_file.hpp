// An FST file: a header, blocks of changes, and at the end the names of the signals.
#pragma once

#include <cstdint>
#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/output_file.hpp"

namespace annelid::waves {

/// Writes the format that GTKWave's fstapi.c reads. (GTKWave's library can write it too, but takes
/// several times longer per change, mostly to convert bits to characters and back.)
class FstFile {
 public:
  /// Throws InputError with the path if the file cannot be made.
  explicit FstFile(const std::filesystem::path& path);

  void open_scope(std::string_view name);
  void close_scope();
  /// Adds a signal, and returns its number, from 0 on. `width` is in bits, 0 for text.
  std::uint32_t add_signal(std::string_view name, std::uint32_t width);
  /// Adds a second name for a signal, in the current scope.
  void add_alias(std::string_view name, std::uint32_t signal);

  /// Appends a block of changes that FstBlock has made.
  void append(const std::string& block);
  /// Writes the rest of the file. `begin` and `end` are the first and last time. Throws RunFailure
  /// if the file could not be written completely; then nothing of it remains.
  void close(std::uint64_t begin, std::uint64_t end);

 private:
  [[nodiscard]] std::string header(std::uint64_t begin, std::uint64_t end) const;
  [[nodiscard]] std::string geometry() const;
  [[nodiscard]] std::string hierarchy() const;
  void add_name(std::string_view name, std::uint32_t width, std::uint32_t handle);

  OutputFile file_;
  std::ostream& out_ = file_.stream();
  std::string names_;  // scopes and signals, encoded for the file's last block
  std::vector<std::uint32_t> widths_;
  std::uint64_t scopes_ = 0, names_count_ = 0, blocks_ = 0;
};

}  // namespace annelid::waves
