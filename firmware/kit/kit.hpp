// What the parts of the kit share: the node on which the program runs, and calls of collectives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>

#include "firmware/kit/system.hpp"
#include "firmware/platform/group.hpp"
#include "firmware/platform/local_call.hpp"
#include "firmware/platform/node.hpp"

namespace annelid::firmware::kit {

/// The tag of the kit's own messages. One tag is enough: a blocking call has matched all of its
/// messages when it returns, and any two processes make the calls in which both take part in the
/// same order.
inline constexpr std::uint32_t kTag = 0xFFFF;

/// The node of this core. It is made when it is used first, so that a program that uses no NIC also
/// runs where there is none, as under Linux.
Node& node();

/// Takes bytes of node memory; nullptr if there are none left.
void* take_memory(std::size_t bytes);
/// The first byte that nobody has taken.
std::uint32_t memory_mark();
void free_memory_from(std::uint32_t mark);

/// Gives back at its end what was taken meanwhile.
class MemoryScope {
 public:
  MemoryScope() : mark_(memory_mark()) {}
  MemoryScope(const MemoryScope&) = delete;
  MemoryScope& operator=(const MemoryScope&) = delete;
  ~MemoryScope() { free_memory_from(mark_); }

 private:
  std::uint32_t mark_;
};

/// A buffer of the program, as the NIC sees it: where it is, or a copy in node memory if it is in
/// RAM. The copy lives as long as the MemoryScope around it.
class Buffered {
 public:
  enum Use : std::uint8_t { kIn = 1, kOut = 2, kInOut = 3 };
  Buffered(const void* data, std::uint64_t bytes, Use use);
  Buffered(const Buffered&) = delete;
  Buffered& operator=(const Buffered&) = delete;

  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] std::uint32_t offset() const { return offset_; }
  /// Copies back what the call has written.
  void finish() const;

 private:
  void* ram_ = nullptr;
  std::uint32_t bytes_ = 0, offset_ = 0;
  bool good_ = true;
};

/// The words of a call, by their names.
class Words {
 public:
  Words(std::initializer_list<std::pair<reg::CallWord, std::uint32_t>> words) {
    set(reg::CallWord::kTag, kTag);
    for (const auto& [word, value] : words) set(word, value);
  }
  void set(reg::CallWord word, std::uint32_t value) {
    words_[static_cast<std::size_t>(word)] = value;
  }
  [[nodiscard]] const LocalCall::Words& words() const { return words_; }

 private:
  LocalCall::Words words_{};
};

/// Makes a call, and returns when it is done. The core sleeps while it waits.
int call(const Words& words, const Group& group, Node::Serve serve);
/// Lets the node run until the call is done.
reg::CallResult wait(LocalCall& call);
std::uint64_t cycle_now();
/// Lets the node run until a cycle, at most. Returns whether the call is done.
bool wait_until(LocalCall& call, std::uint64_t cycle);

/// Whether the words have values that all collectives rely on.
bool known_words(const Call& call);

/// Serves a call by this collective, which the program then consists of.
template <reg::CallResult (*check)(const Context&), Task (*run)(Context&)>
reg::CallResult serve_by(Context& me, std::optional<Task>& task) {
  if (!known_words(me.call())) return reg::CallResult::kBadArgument;
  const reg::CallResult result = check(me);
  if (result == reg::CallResult::kSuccess) task.emplace(run(me));
  return result;
}

/// COUNT elements of a type, in bytes. 0 for a type that does not exist, which the call refuses.
inline std::uint64_t bytes_of(std::uint32_t count, std::uint32_t type) {
  return is_type(type) ? std::uint64_t{count} << log2_bytes(static_cast<reg::Type>(type)) : 0;
}

constexpr int number_of(reg::CallResult result) { return static_cast<int>(result); }

}  // namespace annelid::firmware::kit
