// A bundle of signals, which are stored together until they are written.
#pragma once

#include <cstdint>

#include "waves/fst_chain.hpp"

namespace annelid::waves {

/// The signals of a bundle are declared one after the other. A record of a few words holds all
/// their values; it is 0 until it is set. So a change of many signals is stored at once. Another
/// thread than the one that sets records expands them into values, when the file is written.
class FstBundle {
 public:
  static constexpr unsigned kMostSignals = 8;

  FstBundle(unsigned signals, unsigned words) : signals_(signals), words_(words) {}
  virtual ~FstBundle() = default;
  FstBundle(const FstBundle&) = delete;
  FstBundle& operator=(const FstBundle&) = delete;

  [[nodiscard]] unsigned signals() const { return signals_; }
  [[nodiscard]] unsigned words() const { return words_; }

  /// The value that a record holds for a signal that is not a text.
  [[nodiscard]] virtual std::uint64_t bits(const std::uint64_t* record, unsigned signal) const = 0;
  /// Appends the differences between two records to the signals' chains; without `before`, appends
  /// all values.
  virtual void add(std::uint64_t time, const std::uint64_t* before, const std::uint64_t* record,
                   FstChain* chains) = 0;

 private:
  unsigned signals_, words_;
};

}  // namespace annelid::waves
