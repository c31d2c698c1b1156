// Develop mode: the members of a group compare what they say before they begin.
// docs/internals/algorithms/ccl-modes.md, "Develop mode".
#include "firmware/kit/ccl_modes.hpp"
#include "firmware/kit/ccl_report.hpp"
#include "firmware/kit/include/stdlib.h"
#include "firmware/kit/single.hpp"

namespace annelid::firmware::kit {
namespace {

constexpr std::uint32_t kRecordTag = 0xFFFE;
constexpr std::uint32_t kRecordBytes = kRecordWords * sizeof(std::uint32_t);
constexpr std::uint64_t kLeastWait = 10'000;
constexpr std::uint32_t kMostMissing = 4;  // of the eight calls that a node has place for

enum Verdict : std::uint32_t { kAgreed, kDiffers, kMissing };

std::uint64_t patience = 1'000'000;

void fill(const Said& said, std::uint32_t members, std::uint32_t* record) {
  record[kRoutine] = static_cast<std::uint32_t>(said.routine);
  record[kGroupId] = static_cast<std::uint32_t>(said.group);
  record[kGroupId + 1] = static_cast<std::uint32_t>(said.group >> 32);
  record[kMembers] = members;
  record[kPeer] = said.peer;
  record[kLength] = said.length;
  record[kFunction] = record[kFunction + 1] = 0;
  if (said.rfunc != nullptr) {
    const bool own = said.rfunc->apply != nullptr;
    record[kFunction] = own ? number_of_code(reinterpret_cast<std::uintptr_t>(said.rfunc->apply))
                            : kOfTheNic | said.rfunc->type << 8 | said.rfunc->op;
    record[kFunction + 1] = said.rfunc->bytes;
  }
  record[kMore] = said.more[0];
  record[kMore + 1] = said.more[1];
}

/// The words of a message to or from a process. A message's buffer lies in node memory.
Words words_of(reg::CallWord buffer, std::uint32_t pid, const void* data, std::uint32_t bytes) {
  return {{reg::CallWord::kRoot, pid},
          {buffer, offset_of(data)},
          {reg::CallWord::kCount, bytes},
          {reg::CallWord::kTag, kRecordTag}};
}
void start_send(LocalCall& call, std::uint32_t pid, const void* data, std::uint32_t bytes) {
  call.start(node(), words_of(reg::CallWord::kSource, pid, data, bytes).words(), all_nodes(),
             serve_by<send_call::check, send_call::run>);
}
void start_receive(LocalCall& call, std::uint32_t pid, void* room, std::uint32_t bytes) {
  call.start(node(), words_of(reg::CallWord::kTarget, pid, room, bytes).words(), all_nodes(),
             serve_by<receive_call::check, receive_call::run>);
}

/// Calls that are given up stay under way, until the program ends.
LocalCall calls[kMostMissing];

/// Whether a message has gone or come before a cycle.
bool done(LocalCall& call, std::uint64_t until) {
  return wait_until(call, until) && call.result() == reg::CallResult::kSuccess;
}

class Comparison {
 public:
  Comparison(const Members& members, const Said& said) : members_(members), begin_(cycle_now()) {
    records_ = static_cast<std::uint32_t*>(
        take_memory(static_cast<std::size_t>(kRecordBytes) * (first() ? members.size : 2)));
    if (records_ != nullptr) fill(said, members.size, records_);
  }

  int run() {
    if (records_ == nullptr) return kNoRoom;
    return first() ? compare() : ask();
  }

 private:
  [[nodiscard]] bool first() const { return members_.rank == 0; }

  int compare() {
    std::uint32_t missing[kMostMissing], count = 0, asked = 1;
    for (; asked < members_.size && count < kMostMissing; ++asked) {
      LocalCall& call = calls[count];
      start_receive(call, members_.pid(asked), records_ + asked * kRecordWords, kRecordBytes);
      std::uint64_t until = begin_ + patience;
      if (until < cycle_now() + kLeastWait) until = cycle_now() + kLeastWait;
      if (!done(call, until)) missing[count++] = asked;
    }
    Verdict verdict = kAgreed;
    if (count > 0) {
      verdict = kMissing;
      report_missing(members_, records_, missing, count, asked < members_.size, patience);
    } else if (report_differences(members_, records_)) {
      verdict = kDiffers;
    }
    // Who is missing gets no verdict: it does not wait for one of this call.
    for (std::uint32_t rank = 1, next = 0; rank < asked; ++rank) {
      if (next < count && missing[next] == rank) {
        ++next;
        continue;
      }
      records_[rank * kRecordWords] = verdict;
      LocalCall call;
      start_send(call, members_.pid(rank), records_ + rank * kRecordWords, sizeof(std::uint32_t));
      (void)wait(call);
    }
    return result_of(verdict);
  }

  int ask() {
    const std::uint64_t until = begin_ + 2 * patience + kLeastWait * members_.size;
    std::uint32_t* verdict = records_ + kRecordWords;
    start_send(calls[0], members_.pid(0), records_, kRecordBytes);
    bool heard = done(calls[0], until);
    if (heard) {
      start_receive(calls[1], members_.pid(0), verdict, sizeof(std::uint32_t));
      heard = done(calls[1], until);
    }
    if (!heard) {
      report_silence(members_, records_, until - begin_);
      exit(EXIT_FAILURE);
    }
    return result_of(static_cast<Verdict>(*verdict));
  }

  static int result_of(Verdict verdict) {
    if (verdict == kMissing) exit(EXIT_FAILURE);
    return verdict == kAgreed ? kSuccess : kBadArgument;
  }

  const MemoryScope scope_;
  const Members& members_;
  const std::uint64_t begin_;
  std::uint32_t* records_;
};

int agree(const Members& members, const Said& said) {
  return members.size == 1 ? kSuccess : Comparison(members, said).run();
}

}  // namespace

const Group* group_of(const Said& said, int& result) {
  const Group* group = find_group(said.group);
  result = group == nullptr ? kNoSuchGroup : kSuccess;
  if (develop_mode()) {
    if (group == nullptr) {
      report_no_group(said.routine, said.group);
    } else {
      result = agree(Members{group, nullptr, group->size(), group->rank()}, said);
    }
  }
  return result == kSuccess ? group : nullptr;
}

int agree_in_list(const unsigned* list, std::uint32_t size, std::uint32_t rank, const Said& said) {
  if (!develop_mode()) return kSuccess;
  const Members members{nullptr, list, size, rank};
  if (rank >= size || report_no_process(members)) {
    if (rank >= size) report_not_in_list();
    return kBadArgument;
  }
  return agree(members, said);
}

}  // namespace annelid::firmware::kit

extern "C" void ccl_patience(unsigned long long cycles) {
  annelid::firmware::kit::patience = cycles;
}
