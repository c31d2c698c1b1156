// printf and its relatives.
#include <cstdint>

#include "firmware/kit/format.hpp"
#include "firmware/kit/include/stdio.h"
#include "firmware/kit/include/string.h"
#include "firmware/kit/system.hpp"

namespace annelid::firmware::kit {
namespace {

int descriptor_of(const FILE* file) {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(file));
}

/// Goes to the run, many characters at a time.
class Output : public Sink {
 public:
  explicit Output(int descriptor) : Sink(line_, sizeof line_, write), descriptor_(descriptor) {}
  int finish() {
    write(*this);
    return static_cast<int>(count());
  }

 private:
  static void write(Sink& sink) {
    auto& self = static_cast<Output&>(sink);
    if (self.bytes() > 0) {
      write_text(self.descriptor_, self.text(), static_cast<std::uint32_t>(self.bytes()));
    }
    self.go_on(self.line_, sizeof self.line_);
  }

  int descriptor_;
  char line_[128];
};

/// Stays in room of the caller, as far as it fits there with the 0 behind it.
class Kept : public Sink {
 public:
  Kept(char* room, std::size_t bytes)
      : Sink(room, bytes == 0 ? 0 : bytes - 1, drop), room_(room), most_(bytes) {}
  int finish() {
    if (most_ > 0) room_[count() < most_ ? count() : most_ - 1] = 0;
    return static_cast<int>(count());
  }

 private:
  static void drop(Sink& sink) {
    auto& self = static_cast<Kept&>(sink);
    self.go_on(self.beyond_, sizeof self.beyond_);
  }

  char* room_;
  std::size_t most_;
  char beyond_[16];  ///< what nobody reads
};

}  // namespace
}  // namespace annelid::firmware::kit

using namespace annelid::firmware::kit;

extern "C" {

int vfprintf(FILE* file, const char* format, va_list values) {
  Output sink(descriptor_of(file));
  put_formatted(sink, format, values);
  return sink.finish();
}
int vprintf(const char* format, va_list values) { return vfprintf(stdout, format, values); }
int vsnprintf(char* to, size_t room, const char* format, va_list values) {
  Kept sink(to, room);
  put_formatted(sink, format, values);
  return sink.finish();
}
int printf(const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int count = vprintf(format, values);
  va_end(values);
  return count;
}
int fprintf(FILE* file, const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int count = vfprintf(file, format, values);
  va_end(values);
  return count;
}
int snprintf(char* to, size_t room, const char* format, ...) {
  va_list values;
  va_start(values, format);
  const int count = vsnprintf(to, room, format, values);
  va_end(values);
  return count;
}
int fputs(const char* text, FILE* file) {
  write_text(descriptor_of(file), text, static_cast<std::uint32_t>(strlen(text)));
  return 0;
}
int puts(const char* text) {
  Output sink(1);
  sink.put(text, strlen(text));
  sink.put('\n');
  return sink.finish();
}
int putchar(int c) {
  const char character = static_cast<char>(c);
  write_text(1, &character, 1);
  return c;
}
int fflush(FILE*) { return 0; }

}  // extern "C"
