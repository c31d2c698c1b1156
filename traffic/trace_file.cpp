#include "traffic/trace_file.hpp"

#include <algorithm>
#include <istream>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/parse_number.hpp"
#include "base/split.hpp"

namespace annelid::traffic {
namespace {

constexpr std::string_view kTitles = "id,cycle,source,destination,bytes,after";
constexpr std::size_t kColumns = 6;

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

std::vector<std::string_view> trimmed_parts(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts = split(text, separator);
  for (std::string_view& part : parts) part = trimmed(part);
  return parts;
}

std::uint64_t number(std::size_t line, const char* column, std::string_view text,
                     std::uint64_t most) {
  const auto value = parse_number<std::uint64_t>(text);
  if (!value || *value > most) {
    throw TraceError(line, column, quoted(text), "an integer, 0.." + std::to_string(most));
  }
  return *value;
}

/// A line, and the ids that it waits for, which may stand further down.
struct Row {
  TraceMessage message;
  std::vector<std::string> after;
};

Row parse(std::size_t line, std::string_view text, NodeId nodes) {
  const auto columns = trimmed_parts(text, ",");
  if (columns.size() != kColumns) {
    throw TraceError(line, "line", std::to_string(columns.size()) + " columns",
                     "6: " + std::string(kTitles));
  }
  if (columns[0].empty()) throw TraceError(line, "id", "nothing", "a name or number");
  Row row;
  TraceMessage& m = row.message;
  m.line = line;
  m.id = columns[0];
  m.cycle = number(line, "cycle", columns[1], Cycle{1} << 62);
  m.source = static_cast<NodeId>(number(line, "source", columns[2], nodes - 1));
  m.destination = static_cast<NodeId>(number(line, "destination", columns[3], nodes - 1));
  m.bytes = static_cast<std::uint32_t>(number(line, "bytes", columns[4], kLongestMessage));
  if (columns[5].empty()) return row;
  for (const std::string_view id : trimmed_parts(columns[5], ";")) row.after.emplace_back(id);
  return row;
}

/// Arrivals in an order in which each message's predecessors come first must reach all of them.
void require_acyclic(const std::vector<TraceMessage>& trace) {
  std::vector<std::size_t> waits(trace.size());
  std::vector<std::vector<std::size_t>> followers(trace.size());
  std::vector<std::size_t> ready;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    waits[i] = trace[i].after.size();
    for (const std::size_t before : trace[i].after) followers[before].push_back(i);
    if (waits[i] == 0) ready.push_back(i);
  }
  for (std::size_t k = 0; k < ready.size(); ++k) {
    for (const std::size_t next : followers[ready[k]]) {
      if (--waits[next] == 0) ready.push_back(next);
    }
  }
  if (ready.size() == trace.size()) return;
  // Going back from a message that waits, along messages that wait, closes a cycle.
  std::size_t at = static_cast<std::size_t>(
      std::ranges::find_if(waits, [](std::size_t n) { return n > 0; }) - waits.begin());
  std::vector<bool> seen(trace.size());
  while (!seen[at]) {
    seen[at] = true;
    at = *std::ranges::find_if(trace[at].after, [&](std::size_t b) { return waits[b] > 0; });
  }
  throw TraceError(trace[at].line, "after", quoted(trace[at].id) + ", which waits for itself",
                   "messages that do not wait for each other in a cycle");
}

}  // namespace

std::vector<TraceMessage> read_trace(std::istream& in, NodeId nodes) {
  std::vector<Row> rows;
  std::unordered_map<std::string, std::size_t> places;
  std::string text;
  bool titles = false;
  for (std::size_t line = 1; std::getline(in, text); ++line) {
    const std::string_view content = trimmed(text);
    if (content.empty() || content.front() == '#') continue;
    if (!titles) {
      if (content != kTitles) {
        throw TraceError(line, "titles", quoted(content), quoted(kTitles));
      }
      titles = true;
      continue;
    }
    rows.push_back(parse(line, content, nodes));
    const auto [place, is_new] = places.emplace(rows.back().message.id, rows.size() - 1);
    if (!is_new) {
      throw TraceError(line, "id", quoted(place->first) + " again", "each id once");
    }
  }
  if (rows.empty()) throw TraceError(0, "trace", "no messages", "at least one");

  std::vector<TraceMessage> trace;
  trace.reserve(rows.size());
  for (Row& row : rows) {
    for (const std::string& id : row.after) {
      const auto place = places.find(id);
      if (place == places.end()) {
        throw TraceError(row.message.line, "after", quoted(id), "an id of the trace");
      }
      row.message.after.push_back(place->second);
    }
    trace.push_back(std::move(row.message));
  }
  require_acyclic(trace);
  return trace;
}

}  // namespace annelid::traffic
