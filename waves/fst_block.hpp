// Writes a section of a waveform as a block of an FST file.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "waves/fst_bundle.hpp"
#include "waves/fst_section.hpp"

namespace annelid::waves {

/// The widths and bundles of a file's signals.
struct FstLayout {
  struct Bundle {
    std::uint32_t signal = 0;  ///< number of its first signal
    std::size_t record = 0;    ///< index of its record in FstValues::records
    std::shared_ptr<FstBundle> kind;
  };
  std::vector<std::uint32_t> widths;  ///< by signal, in bits; 0 for text
  std::vector<Bundle> bundles;        ///< ascending
};

/// Makes blocks one after the other, and reuses its memory for the next one.
class FstBlock {
 public:
  /// Makes a block. The `first` block of a file gives every signal a value at its beginning,
  /// because a reader knows no value yet. The layout is the same for all blocks.
  void make(const FstLayout& layout, const FstSection& section, bool first);
  [[nodiscard]] const std::string& bytes() const { return block_; }

 private:
  void make_frame(const FstLayout& layout, const FstValues& values);
  void sort(const FstLayout& layout, const FstSection& section);
  void append_chains(const FstLayout& layout, const FstSection& section, bool first);
  void add_signal(const FstSection& section, std::uint32_t signal, bool first);
  void add_bundle(const FstLayout::Bundle& bundle, const FstSection& section, bool first);
  void append(const FstChain& chain);

  // The section's changes in the order of signals and time, as indices, and for each signal the end
  // of its changes.
  std::vector<std::uint32_t> changes_, ends_;
  std::vector<std::uint32_t> places_;  // in the order of time
  std::vector<std::uint8_t> words_;    // by signal: words of a change; 0 for text
  std::array<FstChain, FstBundle::kMostSignals> chains_;
  std::string block_, index_, frame_, times_;
  std::size_t start_ = 0, last_ = 0;  // positions in the block: of all chains, of the last chain
  std::uint64_t without_ = 0, unpacked_ = 0;  // signals without changes; bytes of chains
};

}  // namespace annelid::waves
