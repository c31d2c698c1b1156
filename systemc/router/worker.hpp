// A second thread, which executes its part of every cycle.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>

namespace annelid::systemc {

/// Runs the same job each time start() is called, in parallel to its owner, who waits for it with
/// finish(). Both wait by spinning first, because a cycle of a network takes microseconds, and then
/// sleep.
class Worker {
 public:
  explicit Worker(std::function<void()> job);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void start();
  /// Rethrows what the job threw.
  void finish();

 private:
  void run();

  std::function<void()> job_;
  std::atomic<std::uint64_t> started_ = 0, finished_ = 0;
  std::atomic<bool> end_ = false;
  std::exception_ptr error_;  // of the last job
  std::thread thread_;
};

}  // namespace annelid::systemc
