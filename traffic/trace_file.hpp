// A trace: messages with the cycles and the messages that they wait for, from a CSV file.
#pragma once

#include <iosfwd>
#include <stdexcept>
#include <string>
#include <vector>

#include "systemc/network/config.hpp"

namespace annelid::traffic {

struct TraceMessage {
  std::string id;
  Cycle cycle = 0;  ///< it is created in this cycle at the earliest
  NodeId source = 0, destination = 0;
  std::uint32_t bytes = 0;
  std::vector<std::size_t> after;  ///< places in the trace: they must have arrived before
  std::size_t line = 0;            ///< in the file, 1 for the first

  /// Head, header, and eight bytes a flit (docs/internals/nic.md).
  [[nodiscard]] std::uint32_t flits() const { return 2 + (bytes + 7) / 8; }
};

/// What is wrong with a line of a trace; line 0 is the whole file.
class TraceError : public std::runtime_error {
 public:
  TraceError(std::size_t line, const std::string& column, const std::string& found,
             const std::string& expected)
      : std::runtime_error(column + ": found " + found + ", expected " + expected), line_(line) {}
  [[nodiscard]] std::size_t line() const { return line_; }

 private:
  std::size_t line_;
};

/// The first line is "id,cycle,source,destination,bytes,after"; then one message a line. `after`
/// are ids with ; between them, also of later lines, or empty. Empty lines and lines that begin
/// with # are left out. Throws TraceError: a value out of range, an id twice or unknown, messages
/// that wait for each other in a cycle, no messages.
[[nodiscard]] std::vector<TraceMessage> read_trace(std::istream& in, NodeId nodes);

inline constexpr std::uint32_t kLongestMessage = 16u << 20;  ///< bytes

}  // namespace annelid::traffic
