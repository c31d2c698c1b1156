// A few transfers at a time, out of many that are all known in advance.
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <new>

#include "firmware/platform/stop.hpp"
#include "firmware/platform/transfer.hpp"

namespace annelid::firmware {

/// Up to N transfers, awaited one by one in the order in which they were added:
///
///   Window<16> window;
///   for (...) {
///     if (window.full()) co_await window.oldest();
///     window.add(me, ...);
///   }
///   while (!window.empty()) co_await window.oldest();
///
/// A process can thus keep many messages in progress in a bounded part of its arena. N is a power
/// of two.
template <std::uint32_t N>
class Window {
  static_assert((N & (N - 1)) == 0);

 public:
  Window() {}  // not = default, which would clear the room for all of them
  ~Window() {
    while (!empty()) take();
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  [[nodiscard]] bool full() const { return added_ - taken_ == N; }
  [[nodiscard]] bool empty() const { return added_ == taken_; }

  /// Adds a transfer. The parameters are those of Transfer's constructors.
  template <typename... Arguments>
  void add(Context& me, const Arguments&... arguments) {
    if (full()) stop("a window has more transfers than it has room for");
    new (&room_[added_ % N * sizeof(Transfer)]) Transfer(me, arguments...);
    ++added_;
  }

  /// `co_await window.oldest()` waits until the oldest transfer is complete, gives the length of
  /// its message in bytes, and frees its room. The window must not be empty.
  class Oldest {
   public:
    explicit Oldest(Window& window) : window_(window) {}
    [[nodiscard]] bool await_ready() const { return window_.transfer().await_ready(); }
    void await_suspend(std::coroutine_handle<> waiter) { window_.transfer().await_suspend(waiter); }
    std::uint32_t await_resume() { return window_.take(); }

   private:
    Window& window_;
  };
  Oldest oldest() { return Oldest(*this); }

 private:
  Transfer& transfer() {
    return *std::launder(reinterpret_cast<Transfer*>(&room_[taken_ % N * sizeof(Transfer)]));
  }
  std::uint32_t take() {
    const std::uint32_t bytes = transfer().await_resume();
    transfer().~Transfer();
    ++taken_;
    return bytes;
  }

  std::uint32_t added_ = 0, taken_ = 0;
  alignas(Transfer) std::byte room_[N * sizeof(Transfer)];
};

}  // namespace annelid::firmware
