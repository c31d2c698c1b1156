// Signals that are kept together until they are written.
#pragma once

#include <cstdint>

#include "waves/fst_chain.hpp"

namespace annelid::waves {

/// The signals of a bundle are declared one after the other, and what all of them are is a record
/// of a few words, 0 until it is set. So a change of many of them is kept at once, and what they
/// are in words is not made before the file is: by another thread than the one that sets records.
class FstBundle {
 public:
  static constexpr unsigned kMostSignals = 8;

  FstBundle(unsigned signals, unsigned words) : signals_(signals), words_(words) {}
  virtual ~FstBundle() = default;
  FstBundle(const FstBundle&) = delete;
  FstBundle& operator=(const FstBundle&) = delete;

  [[nodiscard]] unsigned signals() const { return signals_; }
  [[nodiscard]] unsigned words() const { return words_; }

  /// What a signal that is no text is in a record.
  [[nodiscard]] virtual std::uint64_t bits(const std::uint64_t* record, unsigned signal) const = 0;
  /// Adds what differs from the record before to the signals' chains; everything without one.
  virtual void add(std::uint64_t time, const std::uint64_t* before, const std::uint64_t* record,
                   FstChain* chains) = 0;

 private:
  unsigned signals_, words_;
};

}  // namespace annelid::waves
