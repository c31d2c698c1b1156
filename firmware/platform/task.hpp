// The coroutine type of all firmware. A task starts when it is awaited, and returns the result of a
// call.
#pragma once

#include <coroutine>
#include <cstddef>
#include <utility>

#include "firmware/platform/frame_arena.hpp"
#include "firmware/platform/stop.hpp"
#include "interface/registers.hpp"

// The language allocates a frame with the coroutine's arguments and deletes it without them. At the
// end of each coroutine, g++ 12 warns that this is a mismatch. So the warning is off in all files
// that include this one.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

namespace annelid::firmware {

class Context;
FrameArena& frames_of(Context& context);
class Recorder;

/// A coroutine. Its first parameter is the call that it works for, in whose arena its frame lives:
/// `Task broadcast(Context& me, ...)`. It runs when it is awaited. Alternatively, start() runs it
/// beside the coroutine that starts it, which awaits it later. A task for which the arena had no
/// room never runs, and gives NO_ROOM.
class [[nodiscard]] Task {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  struct promise_type {
    Context& context;
    Handle continuation;  // the task that awaits this one, if any
    promise_type* next_ready = nullptr;
    reg::CallResult result = reg::CallResult::kSuccess;
    bool is_call = false;  // its end is the end of the call

    template <typename... Rest>
    explicit promise_type(Context& c, const Rest&...) : context(c) {}

    template <typename... Rest>
    static void* operator new(std::size_t bytes, Context& c, const Rest&...) noexcept {
      return frames_of(c).allocate(bytes);
    }
    static void operator delete(void* frame, std::size_t bytes) {
      FrameArena::release(frame, bytes);
    }
    static Task get_return_object_on_allocation_failure() { return Task(nullptr); }

    Task get_return_object() { return Task(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct Return {
      bool await_ready() noexcept { return false; }
      void await_suspend(Handle done) noexcept;
      void await_resume() noexcept {}
    };
    Return final_suspend() noexcept { return {}; }
    void return_value(reg::CallResult value) { result = value; }
    void unhandled_exception() { leave_coroutine(); }
  };

  Task(Task&& other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)), started_(other.started_) {}
  Task& operator=(Task&&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }

  /// No task, as of a call that has begun without one.
  static Task none() { return Task(nullptr); }

  /// Runs the task up to its first wait. Then the caller continues. The caller must await the task
  /// before it ends.
  void start() {
    if (!handle_) return;
    started_ = true;
    run_beside(handle_);
  }
  /// For the node: starts the task whose end is the end of the call. Returns false if there was no
  /// room for it.
  [[nodiscard]] bool start_call() {
    if (!handle_) return false;
    handle_.promise().is_call = true;
    handle_.resume();
    return true;
  }

  /// Whether there was room for its frame.
  [[nodiscard]] bool has_room() const { return static_cast<bool>(handle_); }
  /// Whether its end is the end of a host's call. It must have a frame.
  [[nodiscard]] bool is_call() const { return handle_.promise().is_call; }

  [[nodiscard]] bool await_ready() const noexcept { return !handle_ || handle_.done(); }
  void await_suspend(Handle awaiting) {
    handle_.promise().continuation = awaiting;
    if (!started_) handle_.resume();
  }
  [[nodiscard]] reg::CallResult await_resume() const {
    if (started_) awaited_beside(handle_);
    return handle_ ? handle_.promise().result : reg::CallResult::kNoRoom;
  }

 private:
  friend class Recorder;
  explicit Task(Handle handle) : handle_(handle) {}
  // node.cpp: a recorder wants to know of tasks that run beside others.
  static void run_beside(Handle task);
  static void awaited_beside(Handle task);

  Handle handle_;
  bool started_ = false;  // by start()
};

/// The coroutines that can continue as soon as the running coroutine has suspended. They do not
/// continue immediately: otherwise a loop that awaits tasks would grow the stack with each task
/// that ends without a wait.
class ReadyList {
 public:
  void add(Task::promise_type& promise) {
    promise.next_ready = nullptr;
    *last_ = &promise;
    last_ = &promise.next_ready;
  }
  [[nodiscard]] bool empty() const { return first_ == nullptr; }
  /// Removes and returns the oldest coroutine, or returns nullptr if there is none.
  Task::promise_type* take() {
    Task::promise_type* first = first_;
    if (first != nullptr) {
      first_ = first->next_ready;
      if (first_ == nullptr) last_ = &first_;
    }
    return first;
  }

  ReadyList() = default;
  ReadyList(const ReadyList&) = delete;
  ReadyList& operator=(const ReadyList&) = delete;

 private:
  Task::promise_type* first_ = nullptr;
  Task::promise_type** last_ = &first_;
};
ReadyList& ready_list_of(Context& context);

inline void Task::promise_type::Return::await_suspend(Handle done) noexcept {
  promise_type& promise = done.promise();
  if (promise.continuation) {
    ready_list_of(promise.context).add(promise.continuation.promise());
  } else if (promise.is_call) {
    ready_list_of(promise.context).add(promise);
  }
}

}  // namespace annelid::firmware
