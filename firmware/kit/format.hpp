// What printf makes of its arguments.
#pragma once

#include <cstdarg>
#include <cstddef>

namespace annelid::firmware::kit {

/// Takes a text, character by character, into room that somebody empties when it is full.
class Sink {
 public:
  /// Lets the sink go on in other room, with go_on().
  using Full = void (*)(Sink& sink);

  Sink(char* room, std::size_t bytes, Full full)
      : begin_(room), at_(room), end_(room + bytes), full_(full) {}

  void put(char c) {
    if (at_ == end_) full_(*this);
    *at_++ = c;
  }
  void put(const char* text, std::size_t length) {
    for (; length > 0; --length) put(*text++);
  }
  void pad(char c, int count) {
    for (; count > 0; --count) put(c);
  }

  /// What stands in the room now, and all that has ever been put.
  [[nodiscard]] const char* text() const { return begin_; }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(at_ - begin_); }
  [[nodiscard]] std::size_t count() const { return before_ + bytes(); }

  void go_on(char* room, std::size_t bytes_of_room) {
    before_ += bytes();
    begin_ = at_ = room;
    end_ = room + bytes_of_room;
  }

 private:
  char *begin_, *at_, *end_;
  Full full_;
  std::size_t before_ = 0;
};

/// Puts a text as C's fprintf says. A conversion that is not served stands in the text as it does
/// in the format; those of C that are not served (a, n, lc, ls, and L) take their argument.
void put_formatted(Sink& sink, const char* format, va_list values);

}  // namespace annelid::firmware::kit
