// What the RAM of all cores with one program holds when they start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace annelid::nic {

inline constexpr std::uint32_t kRamBytes = 256 * 1024;

/// RAM with a program in it. Each core gets a copy, which takes memory only for the pages that the
/// core writes: the others are those of all cores.
class StartingRam {
 public:
  /// Throws std::invalid_argument if there are more bytes than RAM, and std::system_error if the
  /// computer has no place for them. What is behind them is 0.
  explicit StartingRam(std::span<const std::byte> bytes);
  ~StartingRam();
  StartingRam(const StartingRam&) = delete;
  StartingRam& operator=(const StartingRam&) = delete;

  struct Free {
    bool shares = false;
    void operator()(std::byte* p) const;
  };
  using Copy = std::unique_ptr<std::byte[], Free>;
  /// It may live longer than this. Throws std::bad_alloc.
  [[nodiscard]] Copy copy() const;

 private:
  const int file_;  // in memory
};

}  // namespace annelid::nic
