// A call in progress: the data that its coroutines share, and the memory for their frames.
#pragma once

#include <array>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "firmware/platform/call.hpp"
#include "firmware/platform/frame_arena.hpp"
#include "firmware/platform/group.hpp"
#include "firmware/platform/task.hpp"

namespace annelid::firmware {

class Node;

/// What a coroutine waits for that has begun transfers without Transfers, by Node::post_receive()
/// and post_steps(). A call has one at a time.
struct CallJoin {
  std::coroutine_handle<> waiter;  ///< none: the call ends with the transfers
  std::uint32_t outstanding = 1;   ///< transfers under way; one more until somebody waits
  bool receives = false;           ///< one of them is a receive
  Address from, to;                ///< for reports: of the receive, and of the last send
  std::uint32_t receive_step = 0, send_step = 0;
};

/// This process, in this call. Every coroutine takes a Context as its first parameter, by
/// convention named `me`. (Include node.hpp, which has the inline functions at its end.)
class Context {
 public:
  static constexpr std::uint32_t kCounters = 4;

  Context() {}  // not = default, which would clear the arena
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  [[nodiscard]] const Call& call() const { return call_; }
  /// The group that the call names. (The host frees a group only after the last call that uses it.)
  [[nodiscard]] const Group& group() const { return *group_; }
  /// The tag of all messages of the call. Calls that may run at the same time have different tags.
  [[nodiscard]] std::uint32_t tag() const { return call_.tag(); }
  [[nodiscard]] const Topology& topology() const;
  [[nodiscard]] Memory memory() const;
  [[nodiscard]] Node& node() const { return *node_; }

  /// Returns the NIC's number of the call's counter i, i < kCounters, for SendOptions,
  /// ReceiveOptions and counter_reaches(). The counter starts at 0 in each call. Every transfer
  /// that increments it must be complete when the call ends.
  [[nodiscard]] std::uint32_t counter(std::uint32_t i) const { return first_counter_ + i; }

  /// Whether these bytes are all in node memory.
  [[nodiscard]] bool in_memory(std::uint32_t offset, std::uint64_t bytes) const;
  /// Whether these bytes are all in node memory, and can be one message.
  [[nodiscard]] bool is_message(std::uint32_t offset, std::uint32_t bytes) const;

  /// Makes an object that lives as long as the call. A call has one such object, which its
  /// coroutines share without copies.
  template <typename T, typename... Arguments>
  T& make(Arguments&&... arguments) {
    static_assert(sizeof(T) <= kRoom && alignof(T) <= alignof(std::uint64_t) &&
                  std::is_trivially_destructible_v<T>);
    return *new (room_) T(std::forward<Arguments>(arguments)...);
  }

  /// Changes a call by AUTO into a call by this algorithm, with this PARAMETER_2.
  void choose(reg::Algorithm algorithm, std::uint32_t parameter_2) {
    call_.words[static_cast<std::size_t>(reg::CallWord::kAlgorithm)] =
        static_cast<std::uint32_t>(algorithm);
    call_.words[static_cast<std::size_t>(reg::CallWord::kParameter2)] = parameter_2;
  }

  /// Changes a call by INTERCOM into one by this hybrid: PARAMETER_1 and FLAGS.
  void choose_hybrid(std::uint32_t sizes, std::uint32_t flags) {
    call_.words[static_cast<std::size_t>(reg::CallWord::kParameter1)] = sizes;
    call_.words[static_cast<std::size_t>(reg::CallWord::kFlags)] = flags;
  }

  /// Takes the modes out of the words of a call in modes, and returns them: of FLAGS, the bits
  /// kFlagBarrier and kFlagDevelop. `scratch` bytes at SCRATCH are then no longer the operation's.
  std::uint32_t take_modes(std::uint32_t scratch) {
    constexpr std::uint32_t kModes = reg::kFlagBarrier | reg::kFlagDevelop;
    std::uint32_t& flags = call_.words[static_cast<std::size_t>(reg::CallWord::kFlags)];
    const std::uint32_t modes = flags & kModes;
    flags &= ~kModes;
    call_.words[static_cast<std::size_t>(reg::CallWord::kOperation)] &= ~reg::kOperationInModes;
    call_.words[static_cast<std::size_t>(reg::CallWord::kScratch)] += scratch;
    return modes;
  }

  using Serve = reg::CallResult (*)(Context& me, std::optional<Task>& task);
  class ServedAgain {
   public:
    ServedAgain(Context& me, Serve serve) : me_(me), serve_(serve) {}
    [[nodiscard]] bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<> /*first*/) { me_.serve_again(serve_); }
    void await_resume() {}

   private:
    Context& me_;
    Serve serve_;
  };
  /// `co_await me.served_again(serve)` is the end of the call's own task, the one that `serve`
  /// made. Another task serves the words of the call as they are now. So the first one takes no
  /// room in the arena any longer. Nothing behind the `co_await` is executed.
  ServedAgain served_again(Serve serve) { return {*this, serve}; }

  /// The words and the group of a call that gives its place to another one for a while: for that
  /// which PREPARE records.
  struct Served {
    std::array<std::uint32_t, reg::kCallWords> words;
    const Group* group;
  };
  Served replace(const std::array<std::uint32_t, reg::kCallWords>& words, const Group& group) {
    const Served served{call_.words, group_};
    call_.words = words;
    group_ = &group;
    return served;
  }
  void restore(const Served& served) {
    call_.words = served.words;
    group_ = served.group;
  }

  /// Whether the call may begin its transfers while it is being served, without a task. Then
  /// `serve` makes none, or Task::none(), and the call's join says with what the call ends: no
  /// frame is made, resumed and destroyed. Only the node itself ends such a call.
  [[nodiscard]] bool may_begin() const;
  /// From now on the call may not: somebody awaits its task.
  void needs_task() { of_host_ = false; }

  /// Makes the call's result TRANSFER_FAILED, if it would otherwise be SUCCESS.
  void fail() { failed_ = true; }

  // For the platform.
  [[nodiscard]] FrameArena& frames() { return frames_; }

 private:
  friend class LocalCall;
  friend class Node;
  static constexpr std::size_t kRoom = 128;

  void serve_again(Serve serve);

  Node* node_ = nullptr;
  std::uint32_t first_counter_ = 0;
  Context* next_idle_ = nullptr;
  Call call_;
  const Group* group_ = nullptr;
  bool failed_ = false;
  bool of_host_ = false;  // of the mailbox
  CallJoin* join_ = nullptr;
  alignas(std::uint64_t) std::byte room_[kRoom];
  FrameArena frames_;
  std::optional<Task> task_;  // after the arena in which it lives
};

}  // namespace annelid::firmware
