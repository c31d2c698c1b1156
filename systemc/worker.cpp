#include "systemc/worker.hpp"

#include <utility>

namespace annelid {
namespace {

constexpr int kSpins = 20000;

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
  for (int spin = 0; finished_.load(std::memory_order_acquire) != wanted; ++spin) {
    if (spin > kSpins) std::this_thread::yield();  // more threads than processors
  }
  if (error_ != nullptr) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Worker::run() {
  for (std::uint64_t done = 0;; ++done) {
    for (int spin = 0; started_.load(std::memory_order_acquire) == done; ++spin) {
      if (spin > kSpins) started_.wait(done);
    }
    if (end_.load()) return;
    try {
      job_();
    } catch (...) {
      error_ = std::current_exception();
    }
    finished_.store(done + 1, std::memory_order_release);
  }
}

}  // namespace annelid
