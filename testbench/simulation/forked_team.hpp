// Processes of a test that simulate one network together, without MPI.
#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <vector>

#include "base/exchange.hpp"

namespace annelid::test {

/// Forks so many processes, which tell each other what they must by shared memory.
class ForkedTeam {
 public:
  explicit ForkedTeam(int processes);
  ~ForkedTeam();
  ForkedTeam(const ForkedTeam&) = delete;
  ForkedTeam& operator=(const ForkedTeam&) = delete;

  /// Does the job in each process. One process alone gets nullptr. True if all have returned, or
  /// thrown EndedByOther; a process that throws anything else says it on standard error.
  [[nodiscard]] bool run(const std::function<void(Exchange*)>& job);

 private:
  class Member;
  struct Shared {
    std::atomic<std::uint32_t> waiting, meetings;
    std::atomic<bool> failed;
  };
  void meet();
  /// What a process has said last.
  [[nodiscard]] std::span<std::byte> area(int process) const;
  [[nodiscard]] int run_one(int process, const std::function<void(Exchange*)>& job);

  const int processes_;
  Shared* shared_;
};

}  // namespace annelid::test
