// Threads of this process that simulate one network together.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/exchange.hpp"

namespace annelid {

/// So many threads, and an Exchange for each of them. A message between two threads is not copied:
/// they change their vectors.
class ThreadTeam {
 public:
  /// `threads`: at least 1.
  explicit ThreadTeam(int threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  /// What thread `thread` exchanges messages by. Lives as long as the team.
  [[nodiscard]] Exchange& exchange(int thread);

  /// Runs the job once for each thread: thread 0 in the caller's thread, the others in threads of
  /// their own, and returns when all have ended. If one of them throws, the others get EndedByOther
  /// from their next call of Exchange, and the exception of the lowest thread that has one of its
  /// own is rethrown.
  void run(const std::function<void(int thread)>& job);

 private:
  class Member;
  /// What a thread has sent by a link: the last two messages, and the number of all. They change
  /// places with the receiver's.
  struct alignas(64) Box {
    std::atomic<std::uint32_t> sent = 0;
    std::array<std::vector<std::uint32_t>, 2> words;
  };
  [[nodiscard]] Box& box(int sender, int tag);
  /// Waits until a value that only another thread changes is not `old`. Throws EndedByOther if a
  /// thread has failed.
  void await_change(std::atomic<std::uint32_t>& value, std::uint32_t old);
  /// Waits until all threads are here. Throws EndedByOther if one has failed.
  void meet();
  void fail();

  const int spins_;  ///< how often a thread looks for the others before it sleeps
  std::vector<std::unique_ptr<Member>> members_;
  std::mutex boxes_mutex_;  ///< while links are connected
  std::map<std::pair<int, int>, Box> boxes_;
  alignas(64) std::atomic<std::uint32_t> waiting_ = 0;
  alignas(64) std::atomic<std::uint32_t> meetings_ = 0;
  std::atomic<bool> failed_ = false;
};

}  // namespace annelid
