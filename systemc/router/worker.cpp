#include "systemc/router/worker.hpp"

#include <utility>

namespace annelid::systemc {
namespace {

/// Until `value` is no longer `old`. A cycle's parts end within microseconds of each other, unless
/// the other thread has no processor: then spinning would keep one from it.
void await_change(const std::atomic<std::uint64_t>& value, std::uint64_t old) {
  constexpr int kSpins = 2000;
  for (int spin = 0; spin < kSpins; ++spin) {
    if (value.load(std::memory_order_acquire) != old) return;
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

Worker::Worker(std::function<void()> job) : job_(std::move(job)), thread_([this] { run(); }) {}

Worker::~Worker() {
  end_.store(true);
  started_.fetch_add(1);
  started_.notify_one();
  thread_.join();
}

void Worker::start() {
  started_.fetch_add(1, std::memory_order_release);
  started_.notify_one();
}

void Worker::finish() {
  const std::uint64_t wanted = started_.load(std::memory_order_relaxed);
  await_change(finished_, wanted - 1);
  if (error_ != nullptr) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Worker::run() {
  for (std::uint64_t done = 0;; ++done) {
    await_change(started_, done);
    if (end_.load()) return;
    try {
      job_();
    } catch (...) {
      error_ = std::current_exception();
    }
    finished_.store(done + 1, std::memory_order_release);
    finished_.notify_one();
  }
}

}  // namespace annelid::systemc
