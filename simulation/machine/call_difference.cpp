#include "simulation/machine/call_difference.hpp"

#include <fmt/format.h>

#include <array>

#include "interface/names.hpp"
#include "interface/registers.hpp"

namespace annelid::simulation {
namespace {

// Words of a member's record.
constexpr std::uint64_t kWhat = 0, kHere = 1, kThere = 4, kSaid = 7, kGroup = 9, kMembers = 11,
                        kWords = CallRecord::kWords;
constexpr std::uint32_t kAllCounter = 0xFFFFFFFF;  // of the identifier of ALL

/// A code's name, or its number.
template <typename Code>
std::string code_text(std::uint32_t value) {
  const char* const name = name_of(static_cast<Code>(value));
  return name == nullptr ? std::to_string(value) : name;
}
std::string operator_text(std::uint32_t value) {
  const bool of_core = name_of(static_cast<reg::CoreOperator>(value)) != nullptr;
  return of_core ? code_text<reg::CoreOperator>(value) : code_text<reg::Operator>(value);
}
std::string group_text(std::uint32_t counter, std::uint32_t pid) {
  if (counter == kAllCounter && pid == 0) return "ALL";
  return fmt::format("{} of process {}", counter, pid);
}

/// What a member says: two words, of which the second belongs to the identifier of a group.
using Said = std::array<std::uint32_t, 2>;
struct Subject {
  const char* name;
  std::string (*text)(const Said&) = [](const Said& said) { return std::to_string(said[0]); };
};

/// By word of the record, from kSaid on. The identifier of a group has two.
const std::array<Subject, kWords - kSaid> kSubjects = {{
    {"operation", [](const Said& said) { return code_text<reg::Operation>(said[0]); }},
    {"algorithm", [](const Said& said) { return code_text<reg::Algorithm>(said[0]); }},
    {"group", [](const Said& said) { return group_text(said[0], said[1]); }},
    {"group", [](const Said& said) { return group_text(said[0], said[1]); }},
    {"members"},
    {"root"},
    {"count"},
    {"type", [](const Said& said) { return code_text<reg::Type>(said[0]); }},
    {"operator", [](const Said& said) { return operator_text(said[0]); }},
    {"PARAMETER_0"},
    {"PARAMETER_1"},
    {"PARAMETER_2"},
    {"FLAGS", [](const Said& said) { return fmt::format("{:#x}", said[0]); }},
    {"checksum of the lengths", [](const Said& said) { return fmt::format("{:#010x}", said[0]); }},
}};

std::uint32_t word_at(const nic::NodeMemory& memory, std::uint64_t scratch, std::uint64_t i) {
  return static_cast<std::uint32_t>(memory.load(scratch + 4 * i, 4));
}

std::string said(std::uint64_t what, const Said& value) {
  const Subject& subject = kSubjects[what - kSaid];
  return fmt::format("{} {}", subject.name, subject.text(value));
}

}  // namespace

std::optional<CallDifference> read_difference(const nic::NodeMemory& memory, std::uint64_t scratch,
                                              std::uint64_t nodes) {
  if (!memory.contains(scratch, 4 * kSaid)) return {};
  const auto word = [&](std::uint64_t i) { return word_at(memory, scratch, i); };
  const std::uint32_t what = word(kWhat);
  if (what < kSaid || what >= kWords || word(kHere) >= nodes || word(kThere) >= nodes) return {};
  return CallDifference{.here = word(kHere),
                        .there = word(kThere),
                        .said_here = said(what, {word(kHere + 1), word(kHere + 2)}),
                        .said_there = said(what, {word(kThere + 1), word(kThere + 2)})};
}

// There is a record, and not what was there before, if its difference is none or one of two nodes,
// and its group has members.
std::optional<CallRecord> read_record(const nic::NodeMemory& memory, NodeId node,
                                      std::uint64_t scratch, std::uint64_t nodes) {
  if (!memory.contains(scratch, 4 * kWords)) return {};
  CallRecord record{.node = node};
  for (std::uint64_t i = 0; i < kWords; ++i) record.words[i] = word_at(memory, scratch, i);
  const std::uint32_t members = record.words[kMembers];
  if (members == 0 || members > nodes) return {};
  if (record.words[kWhat] != 0) {
    if (!read_difference(memory, scratch, nodes)) return {};
    return record;
  }
  for (std::uint64_t i = kHere; i < kSaid; ++i) {
    if (record.words[i] != 0) return {};
  }
  return record;
}

std::optional<CallDifference> find_difference(std::span<const CallRecord> records) {
  for (const CallRecord& record : records) {
    const CallRecord& first = records.front();
    for (std::uint64_t what = kSaid; what < kWords; ++what) {
      if (record.words[what] == first.words[what]) continue;
      const std::uint64_t from = what == kGroup + 1 ? kGroup : what;
      const auto says = [&](const CallRecord& of) {
        return said(from, {of.words[from], from == kGroup ? of.words[from + 1] : 0});
      };
      return CallDifference{.here = record.node,
                            .there = first.node,
                            .said_here = says(record),
                            .said_there = says(first)};
    }
  }
  return {};
}

std::string describe(const CallDifference& difference, const std::string& call,
                     const std::function<std::string(NodeId)>& shown) {
  return fmt::format("node {}: the call{} differs: {} here, {} at node {}", shown(difference.here),
                     call.empty() ? "" : " \"" + call + "\"", difference.said_here,
                     difference.said_there, shown(difference.there));
}

}  // namespace annelid::simulation
