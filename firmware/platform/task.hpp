// The coroutine type of all firmware: lazily started, awaited once, returns the result of a call.
#pragma once

#include <coroutine>
#include <cstddef>
#include <utility>

#include "firmware/platform/frame_pool.hpp"
#include "firmware/platform/stop.hpp"
#include "nic_registers.hpp"

// A frame is allocated with the coroutine's arguments and deleted without, as the language has it;
// at the end of each coroutine g++ 12 takes this for a mismatch. Hence for all who include this
// file.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

namespace annelid::firmware {

class Node;
FramePool& frames_of(Node& node);

/// A coroutine whose first parameter is the node that it runs on, which is also where its frame
/// lives: `Task broadcast(Node& node, ...)`. It runs when it is awaited, or resumed with start().
class [[nodiscard]] Task {
 public:
  struct promise_type {
    std::coroutine_handle<> continuation;  // who awaits this task, if anybody
    reg::CallResult result = reg::CallResult::kSuccess;

    template <typename... Rest>
    static void* operator new(std::size_t bytes, Node& node, const Rest&...) {
      void* frame = frames_of(node).allocate(bytes);
      if (frame == nullptr) stop("no room for a coroutine: see FramePool");
      return frame;
    }
    static void operator delete(void* frame) { FramePool::release(frame); }

    Task get_return_object() {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
      struct Return {
        bool await_ready() noexcept { return false; }
        // A plain resume: to return a handle here would need std::noop_coroutine() for a task that
        // nobody awaits, and its frame is a mutable global.
        void await_suspend(std::coroutine_handle<promise_type> done) noexcept {
          if (const auto awaiting = done.promise().continuation) awaiting.resume();
        }
        void await_resume() noexcept {}
      };
      return Return{};
    }
    void return_value(reg::CallResult value) { result = value; }
    void unhandled_exception() { stop("an exception left a coroutine"); }
  };

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }

  /// Runs the task from outside of any coroutine, up to its first wait.
  void start() { handle_.resume(); }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) noexcept {
    handle_.promise().continuation = awaiting;
    return handle_;
  }
  reg::CallResult await_resume() const noexcept { return handle_.promise().result; }

 private:
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

}  // namespace annelid::firmware
