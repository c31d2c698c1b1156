// Traces: CSV files of messages, each with its cycle and the messages that it waits for.
#pragma once

#include <iosfwd>
#include <istream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "systemc/network/config.hpp"

namespace annelid::traffic {

struct TraceMessage {
  std::string id;
  Cycle cycle = 0;  ///< the earliest cycle in which it is created
  NodeId source = 0, destination = 0;
  std::uint32_t bytes = 0;
  std::vector<std::size_t> after;  ///< indices of messages that must have arrived before
  std::size_t line = 0;            ///< line of the file, 1 for the first

  /// Length in flits: head, header, and eight bytes per flit (docs/internals/nic/messages.md).
  [[nodiscard]] std::uint32_t flits() const { return 2 + (bytes + 7) / 8; }
};

/// An error in a line of a trace. Line 0 means the whole file.
class TraceError : public std::runtime_error {
 public:
  TraceError(std::size_t line, const std::string& column, const std::string& found,
             const std::string& expected)
      : std::runtime_error(column + ": found " + excerpt(found) + ", expected " + expected),
        line_(line) {}
  [[nodiscard]] std::size_t line() const { return line_; }

 private:
  std::size_t line_;
};

/// Reads a trace. The first line is "id,cycle,source,destination,bytes,after"; each further line is
/// a message. `after` is empty or a list of ids separated by ; and may name later lines. Empty
/// lines and lines that begin with # are skipped. Throws TraceError if a value is out of range, an
/// id is duplicate or unknown, messages wait for each other in a cycle, or there is no message.
[[nodiscard]] std::vector<TraceMessage> read_trace(std::istream& in, NodeId nodes);

inline constexpr std::uint32_t kLongestMessage = 16u << 20;  ///< bytes

}  // namespace annelid::traffic
