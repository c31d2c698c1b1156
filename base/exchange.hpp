// The processes or threads that simulate one network together, as the simulation sees them. The
// libraries know only this interface. It is implemented for threads (thread_team.hpp), and for
// processes by MPI (mpi/), so that the libraries need no MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace annelid {

/// Thrown in a process that ends because another one does, which says why.
struct EndedByOther {
  int status = 1;  ///< exit status
};

/// Each has a number, process(), from 0; a thread counts as a process. All calls but process() and
/// processes() are collective: every process makes the same calls in the same order. They throw
/// std::runtime_error if a message is lost.
class Exchange {
 public:
  /// A connection to another process, or to this one.
  struct Link {
    int peer = 0;
    int send_tag = 0, receive_tag = 0;  ///< tell apart several links between two processes
    std::vector<std::uint32_t> out, in;
  };
  /// What swap() has done so far.
  struct Traffic {
    std::uint64_t swaps = 0, messages = 0, bytes = 0;  ///< messages and bytes: sent
  };

  virtual ~Exchange() = default;
  [[nodiscard]] virtual int process() const = 0;
  [[nodiscard]] virtual int processes() const = 0;

  /// Sends `out` of each link to its peer, and replaces `in` by what the peer sent. The links must
  /// be the same in all calls, and remain where they are.
  virtual void swap(std::span<Link> links) = 0;
  [[nodiscard]] virtual Traffic traffic() const = 0;

  /// The least of each value over all processes.
  virtual void least(std::span<std::uint64_t> values) = 0;
  /// Begins least() without waiting: end_least() waits, and has the result. `values` must remain
  /// where they are until then.
  virtual void begin_least(std::span<std::uint64_t> values) = 0;
  virtual void end_least() = 0;
  /// The sum of each value over all processes, modulo 2^64.
  virtual void sum(std::span<std::uint64_t> values) = 0;
  /// In process 0, the bytes of all processes, by process; in the others, nothing.
  [[nodiscard]] virtual std::vector<std::vector<std::byte>> gather(
      std::span<const std::byte> bytes) = 0;
  /// Ends all processes at once, with this exit status.
  [[noreturn]] virtual void abort(int status) = 0;
};

/// Exchange::gather for values: in process 0, those of all processes, by process; in the others,
/// nothing.
template <typename T>
[[nodiscard]] std::vector<std::vector<T>> gathered(Exchange& exchange, std::span<const T> own) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<std::vector<T>> all;
  for (const std::vector<std::byte>& part : exchange.gather(std::as_bytes(own))) {
    std::vector<T>& values = all.emplace_back(part.size() / sizeof(T));
    if (!part.empty()) std::memcpy(static_cast<void*>(values.data()), part.data(), part.size());
  }
  return all;
}

/// Collective: in process 0, `all` gets the elements first to end - 1 of all processes, whose
/// ranges follow each other and begin with 0. In the others, nothing changes.
template <typename T>
void gather_parts(Exchange& exchange, std::vector<T>& all, std::size_t first, std::size_t end) {
  const auto parts = gathered<T>(exchange, std::span(all).subspan(first, end - first));
  if (parts.empty()) return;
  all.clear();
  for (const std::vector<T>& part : parts) all.insert(all.end(), part.begin(), part.end());
}

/// Collective: in every process, the values of all, by process. For few values.
[[nodiscard]] std::vector<std::uint64_t> gathered_everywhere(Exchange& exchange,
                                                             std::span<const std::uint64_t> own);

/// Exchange::gather for texts.
[[nodiscard]] std::vector<std::string> gathered_texts(Exchange& exchange, const std::string& own);

/// Collective: whether it is true in any process.
[[nodiscard]] bool in_any(Exchange& exchange, bool own);

/// Collective: if something failed in a process, the failure of the lowest such process is thrown
/// there, and EndedByOther everywhere else.
void throw_together(Exchange& exchange, const std::exception_ptr& failure);

}  // namespace annelid
