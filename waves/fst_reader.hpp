// Reads an FST file of this program: its names, and the values of chosen signals.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "waves/fst_changes.hpp"

namespace annelid::waves {

/// Reads the part of FST that FstFile and FstBlock write. A file may be damaged, even on purpose:
/// any other byte is an error, and memory is bounded by the file's size.
class FstReader {
 public:
  /// A name of a signal, with its scopes and range. Several names of one wire have the same number.
  struct Name {
    std::string full;
    std::uint32_t signal = 0;
  };
  using Change = FstChange;

  /// Throws InputError with the path if the file was not written by this program, or is damaged.
  explicit FstReader(const std::filesystem::path& path);

  /// All names, in the file's order.
  [[nodiscard]] const std::vector<Name>& names() const { return names_; }
  [[nodiscard]] std::uint64_t begin() const { return begin_; }
  [[nodiscard]] std::uint64_t end() const { return end_; }

  /// The changes of these signals, in the order of `signals`. Each call reads the file. Throws
  /// InputError with the path if the file is damaged.
  [[nodiscard]] std::vector<std::vector<Change>> read(const std::vector<std::uint32_t>& signals);

 private:
  /// A block's position in the file, and its length without the byte that gives its type.
  struct Block {
    std::uint64_t at = 0, length = 0;
  };

  void open();
  void find_blocks();
  void read_header();
  void read_geometry();
  void read_hierarchy();
  [[nodiscard]] Block block_at(std::uint64_t at);
  [[nodiscard]] std::string bytes_of(const Block& block);

  std::filesystem::path path_;
  std::ifstream file_;
  std::uint64_t size_ = 0;  // of the file
  Block geometry_, hierarchy_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> widths_;  // by signal, in bits; 0 for text
  std::vector<Name> names_;
  std::uint64_t names_count_ = 0, signals_ = 0, blocks_count_ = 0;  // from the header
  std::uint64_t begin_ = 0, end_ = 0;
};

}  // namespace annelid::waves
