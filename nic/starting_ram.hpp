// What the RAM of all cores with one program holds when they start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace annelid::nic {

inline constexpr std::uint32_t kRamBytes = 256 * 1024;

/// RAM with a program in it. Each core gets a copy, which takes memory only for the pages that the
/// core writes: the others are those of all cores. The next core gets a copy that is no longer
/// needed, because page faults cost more than to restore the pages that were written.
class StartingRam {
  class Copies;

 public:
  /// Throws std::invalid_argument if there are more bytes than RAM, and std::system_error if the
  /// computer has no place for them. What is behind them is 0.
  explicit StartingRam(std::span<const std::byte> bytes);

  class Free {
   public:
    Free() = default;
    explicit Free(std::shared_ptr<Copies> home) : home_(std::move(home)) {}
    void operator()(std::byte* p) const;
    [[nodiscard]] bool shares() const { return home_ != nullptr; }

   private:
    std::shared_ptr<Copies> home_;  // null: the copy shares no pages
  };
  using Copy = std::unique_ptr<std::byte[], Free>;
  /// It may live longer than this. Throws std::bad_alloc. Any thread may call it, and destroy
  /// copies.
  [[nodiscard]] Copy copy() const;

 private:
  std::shared_ptr<Copies> copies_;
};

}  // namespace annelid::nic
