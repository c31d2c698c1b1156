// It has no printf: that would make each program larger by its conversions of reals.
#include "firmware/kit/ccl_report.hpp"

#include "firmware/kit/include/string.h"
#include "firmware/kit/system.hpp"

namespace annelid::firmware::kit {
namespace {

constexpr std::uint32_t kMostValues = 4, kMostNodes = 8;

/// What the arguments of a function are called; nullptr if it has none of this kind.
struct Names {
  const char *routine, *peer, *length, *more[2];
};
constexpr Names kNames[] = {
    {"bcast", "orig", "bytes", {}},
    {"reduce", "dest", "count", {}},
    {"combine", nullptr, "count", {}},
    {"scatter", "orig", "bytes", {}},
    {"gather", "dest", "bytes", {}},
    {"concat", nullptr, "bytes", {}},
    {"index", nullptr, "bytes", {}},
    {"prefix", nullptr, "count", {}},
    {"shift", "steps", "bytes", {"cyclic", nullptr}},
    {"sync", nullptr, nullptr, {}},
    {"group", nullptr, nullptr, {"label", "checksum of the list"}},
    {"partition", nullptr, nullptr, {}},
    {"form2dgrid", nullptr, nullptr, {"x_size", "y_size"}},
    {"formgrid", nullptr, nullptr, {"dimensions", "checksum of the sizes"}},
    {"formsubcube", nullptr, nullptr, {"mask", nullptr}},
};
const Names& names_of(std::uint32_t routine) { return kNames[routine]; }

/// A line of text.
class Line {
 public:
  Line() { put("ccl: "); }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  ~Line() {
    put("\n");
    write_text(2, text_, length_);
  }

  Line& put(const char* text) {
    for (; *text != 0 && length_ < sizeof text_; ++text) text_[length_++] = *text;
    return *this;
  }
  Line& put(std::uint64_t value) {
    char digits[21];
    char* at = digits + sizeof digits;
    *--at = 0;
    do *--at = static_cast<char>('0' + value % 10);
    while ((value /= 10) != 0);
    return put(at);
  }
  Line& put_hex(std::uint32_t value) {
    char digits[] = "0x00000000";
    for (char* at = digits + sizeof digits - 2; value != 0; value /= 16, --at) {
      *at = "0123456789abcdef"[value % 16];
    }
    return put(digits);
  }
  Line& put_signed(std::uint32_t value) {
    if (value >> 31 == 0) return put(std::uint64_t{value});
    return put("-").put(std::uint64_t{0U - value});
  }
  Line& put_group(std::uint32_t pid, std::uint32_t counter) {
    if ((static_cast<pgid>(counter) << 32 | pid) == ALL) return put("ALL");
    return put("group ").put(std::uint64_t{counter}).put(" of node ").put(std::uint64_t{pid});
  }

 private:
  char text_[200];
  std::uint32_t length_ = 0;
};

/// An argument: its words in a record, and its name.
struct Argument {
  std::uint32_t word, words;
  const char* name;
};

void put_value(Line& line, const Argument& argument, const std::uint32_t* record) {
  const std::uint32_t value = record[argument.word];
  switch (argument.word) {
    case kRoutine:
      line.put(names_of(value).routine);
      return;
    case kGroupId:
      line.put_group(value, record[kGroupId + 1]);
      return;
    case kPeer:
      line.put_signed(value);
      return;
    case kFunction:
      if ((value & kOfTheNic) == 0) {
        line.put("a function at ").put_hex(value).put(", of elements of ");
        line.put(std::uint64_t{record[kFunction + 1]}).put(" bytes");
      } else {
        const char* const op = name_of(static_cast<reg::Operator>(value & 0xFF));
        const char* const type = name_of(static_cast<reg::Type>(value >> 8 & 0xFF));
        line.put(op == nullptr ? "?" : op).put(" of ").put(type == nullptr ? "?" : type);
      }
      return;
    default:
      line.put(std::uint64_t{value});
  }
}

/// Whether the records of two ranks say the same.
bool same(const std::uint32_t* records, const Argument& a, std::uint32_t x, std::uint32_t y) {
  return memcmp(records + x * kRecordWords + a.word, records + y * kRecordWords + a.word,
                a.words * sizeof(std::uint32_t)) == 0;
}

void put_node(Line& line, std::uint32_t count, std::uint32_t pid) {
  line.put(count == 1 ? " " : ", ").put(std::uint64_t{pid});
}

/// The values of an argument, each with those who said it. Returns whether there are several.
bool report(const Members& members, const std::uint32_t* records, const Argument& argument) {
  bool differs = false;
  for (std::uint32_t rank = 1; rank < members.size && !differs; ++rank) {
    differs = !same(records, argument, 0, rank);
  }
  if (!differs) return false;
  std::uint32_t values = 0;
  for (std::uint32_t rank = 0; rank < members.size; ++rank) {
    std::uint32_t before = 0;
    while (before < rank && !same(records, argument, before, rank)) ++before;
    if (before < rank) continue;  // which was said already
    if (++values > kMostValues) {
      Line().put("  and other values");
      break;
    }
    Line line;
    line.put("  ").put(argument.name).put(" ");
    put_value(line, argument, records + rank * kRecordWords);
    std::uint32_t count = 0, put = 0;
    for (std::uint32_t other = rank; other < members.size; ++other) {
      count += same(records, argument, rank, other) ? 1 : 0;
    }
    line.put(count == 1 ? ": node" : ": nodes");
    for (std::uint32_t other = rank; other < members.size && put < kMostNodes; ++other) {
      if (same(records, argument, rank, other)) put_node(line, ++put, members.pid(other));
    }
    if (count > put) line.put(" and ").put(std::uint64_t{count - put}).put(" more");
  }
  return true;
}

/// "bcast, group 1 of node 4"
Line& put_call(Line& line, const std::uint32_t* record) {
  line.put(names_of(record[kRoutine]).routine).put(", ");
  return line.put_group(record[kGroupId], record[kGroupId + 1]);
}

}  // namespace

bool report_differences(const Members& members, const std::uint32_t* records) {
  const Argument all{0, kRecordWords, ""};
  bool equal = true;
  for (std::uint32_t rank = 1; rank < members.size; ++rank) {
    equal = equal && same(records, all, 0, rank);
  }
  if (equal) return false;
  Line().put("the members do not agree about their call of ").put(names_of(records[0]).routine);
  // Arguments of different functions cannot be compared.
  if (report(members, records, {kRoutine, 1, "function"})) return true;
  const Names& names = names_of(records[0]);
  const Argument arguments[] = {
      {kGroupId, 2, "G ="},          {kMembers, 1, "members"}, {kPeer, 1, names.peer},
      {kLength, 1, names.length},    {kFunction, 2, "rfunc"},  {kMore, 1, names.more[0]},
      {kMore + 1, 1, names.more[1]},
  };
  for (const Argument& argument : arguments) (void)report(members, records, argument);
  return true;
}

void report_missing(const Members& members, const std::uint32_t* own, const std::uint32_t* missing,
                    std::uint32_t count, bool more, std::uint64_t cycles) {
  Line line;
  put_call(line, own).put(": in ").put(cycles).put(" cycles nothing has come from ");
  line.put(count == 1 ? "node" : "nodes");
  for (std::uint32_t i = 0; i < count; ++i) put_node(line, i + 1, members.pid(missing[i]));
  if (more) line.put("; others were not asked");
}

void report_silence(const Members& members, const std::uint32_t* own, std::uint64_t cycles) {
  Line line;
  put_call(line, own).put(": in ").put(cycles).put(" cycles no verdict has come from node ");
  line.put(std::uint64_t{members.pid(0)}).put(", the first member");
}

bool report_no_process(const Members& members) {
  for (std::uint32_t rank = 0; rank < members.size; ++rank) {
    if (members.pid(rank) < nic_nodes()) continue;
    Line().put("group: there is no node ").put(std::uint64_t{members.pid(rank)});
    return true;
  }
  return false;
}

void report_not_in_list() { Line().put("group: this process is not in its list"); }

void report_no_group(Routine routine, pgid group) {
  Line line;
  line.put(names_of(static_cast<std::uint32_t>(routine)).routine).put(": this process has no ");
  line.put_group(static_cast<std::uint32_t>(group), static_cast<std::uint32_t>(group >> 32));
}

}  // namespace annelid::firmware::kit
