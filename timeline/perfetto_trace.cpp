#include "timeline/perfetto_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/json.hpp"
#include "systemc/network/route.hpp"
#include "timeline/stall.hpp"

namespace annelid::timeline {
namespace {

enum Process : int { kSteps = 1, kMessages, kNodes, kChannels, kControl, kCores };
constexpr std::uint64_t kStallTrack = 1'000'000'000;  // behind those of the steps
constexpr std::array kProcessNames = {"steps",    "messages",        "nodes",
                                      "channels", "control packets", "cores"};

struct StepSlice {
  Cycle begin = kNever, end = 0;
  std::uint64_t messages = 0, waited = 0;
};

class Trace {
 public:
  explicit Trace(const RecordedRun& run) : run_(run), network_(run.network) {}

  std::string text() {
    for (std::size_t p = 0; p < kProcessNames.size(); ++p) {
      if (p + 1 == kCores && run_.cores.empty()) continue;
      const int pid = static_cast<int>(p) + 1;
      metadata("process_name", pid, 0, fmt::format(R"("name":"{}")", kProcessNames[p]));
      metadata("process_sort_index", pid, 0, fmt::format(R"("sort_index":{})", pid));
    }
    steps();
    stall();
    for (JourneyId id = 0; id < run_.journeys.size(); ++id) journey(id);
    cores();
    return fmt::format(
        "{{\"displayTimeUnit\":\"ms\",\"otherData\":{{\"title\":{},\"network\":{},"
        "\"unit\":\"1 cycle is shown as 1 us\"}},\"traceEvents\":[\n{}\n]}}\n",
        json_text(nlohmann::json(run_.title)), json_text(nlohmann::json(run_.network_text)),
        events_);
  }

 private:
  template <typename... Arguments>
  void event(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    if (!events_.empty()) events_ += ",\n";
    fmt::format_to(std::back_inserter(events_), format, std::forward<Arguments>(arguments)...);
  }

  void metadata(const char* what, int pid, std::uint64_t tid, const std::string& value) {
    event(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{{}}}}})", what, pid, tid, value);
  }

  /// A slice, from cycle `begin` to before cycle `end`; `name` and `args` need no escapes.
  void slice(int pid, std::uint64_t tid, Cycle begin, Cycle end, const std::string& name,
             const std::string& args) {
    event(R"({{"ph":"X","name":"{}","ts":{},"dur":{},"pid":{},"tid":{},"args":{{{}}}}})", name,
          begin, end - begin, pid, tid, args);
  }

  [[nodiscard]] std::string node(NodeId n) const {
    return node_name(network_.router, network_.address(n));
  }
  [[nodiscard]] std::string node(Address a) const { return node_name(network_.router, a); }
  [[nodiscard]] std::string way(const Journey& j) const {
    return node(j.info.head.source) + " → " + node(j.info.head.destination);
  }

  static std::string number(const Journey& j) {
    return fmt::format(R"("{}":{})", j.info.control ? "control_packet" : "message", j.number);
  }

  void steps() {
    std::map<std::pair<std::size_t, std::uint32_t>, StepSlice> spans;  // by tag and step
    const bool several = !run_.names_by_tag.empty();
    for (const Journey& j : run_.journeys) {
      if (j.info.control) continue;
      StepSlice& span = spans[{several ? j.info.head.tag : 0U, j.info.step}];
      span.begin = std::min(span.begin, j.hops.front().head());
      span.end = std::max(span.end, end_of(j));
      ++span.messages;
      span.waited += j.waited();
    }
    std::uint64_t row = 0;
    for (const auto& [key, span] : spans) {
      const auto& [tag, label] = key;
      const std::string call = call_name(tag);
      const std::string name = fmt::format("{}{}step {}", call, call.empty() ? "" : ": ", label);
      const std::uint64_t track = several ? ++row : label;
      metadata("thread_name", kSteps, track, fmt::format(R"("name":"{}")", name));
      slice(kSteps, track, span.begin, span.end, name,
            fmt::format(R"("messages":{},"head_wait_cycles":{})", span.messages, span.waited));
    }
  }

  void cores() {
    for (NodeId n = 0; n < run_.cores.size(); ++n) {
      if (run_.cores[n].empty()) continue;
      metadata("thread_name", kCores, n, fmt::format(R"("name":"{}")", node(n)));
      for (const CoreSpell& spell : run_.cores[n]) {
        slice(kCores, n, spell.begin, spell.end, "at work", "");
      }
    }
  }

  /// A message that has not arrived lasts as long as the run.
  [[nodiscard]] Cycle end_of(const Journey& j) const {
    return j.arrived ? j.hops.back().end() : run_.end;
  }

  void stall() {
    const Stall& stall = run_.stall;
    if (stall.stops.empty()) return;
    std::string numbers, waits;
    for (const Stop& stop : stall.stops) {
      numbers += fmt::format("#{} → ", run_.journeys[stop.packet].number_text());
      waits += (waits.empty() ? "" : "; ") + describe(run_, stop);
    }
    numbers += stall.circle ? fmt::format("#{}", run_.journeys[stall.stops[0].packet].number_text())
                            : "its NIC";
    metadata("thread_name", kSteps, kStallTrack, R"("name":"deadlock")");
    slice(kSteps, kStallTrack, stall.since, run_.end, "deadlock: " + numbers,
          fmt::format(R"("waits":"{}")", waits));
  }

  /// `,"tree":2`, if the schedule has trees.
  [[nodiscard]] std::string tree(JourneyId id) const {
    if (run_.trees.empty() || run_.trees[id] == 0) return "";
    return fmt::format(R"(,"tree":{})", run_.trees[id]);
  }
  /// `,"call":"rows: row 3"`, if the run has several.
  [[nodiscard]] std::string call(const Journey& j) const {
    const std::string name = call_name(j.info.head.tag);
    return name.empty() ? "" : fmt::format(R"(,"call":"{}")", name);
  }
  /// With escapes; empty if the tag has no name.
  [[nodiscard]] std::string call_name(std::size_t tag) const {
    if (tag >= run_.names_by_tag.size()) return "";
    const std::string quoted = json_text(nlohmann::json(run_.names_by_tag[tag]));
    return quoted.substr(1, quoted.size() - 2);
  }

  void journey(JourneyId id) {
    const Journey& j = run_.journeys[id];
    const int pid = j.info.control ? kControl : kMessages;
    const std::uint64_t tid = id + 1;
    const std::string name = way(j);
    metadata("thread_name", pid, tid, fmt::format(R"("name":"#{} {}")", j.number_text(), name));
    slice(pid, tid, j.hops.front().head(), end_of(j),
          name + (j.arrived ? "" : " (has not arrived)"),
          fmt::format(R"({},"tag":{}{},"step":{}{},"bytes":{},"flits":{},"head_wait_cycles":{})",
                      number(j), j.info.head.tag, call(j), j.info.step, tree(id), j.info.bytes,
                      j.hops.front().flits(), j.waited()));
    for (std::size_t h = 0; h < j.hops.size(); ++h) router(j, h, pid, tid);
    for (const Hop& hop : j.hops) channel(id, hop);
    if (!j.arrived) return;
    const Hop &out = j.hops.front(), &in = j.hops.back();
    event(R"({{"ph":"s","cat":"message","name":"message","id":{},"ts":{},"pid":{},"tid":{}}})", id,
          out.head(), kNodes, track(out));
    event(
        R"({{"ph":"f","bp":"e","cat":"message","name":"message","id":{},"ts":{},"pid":{},"tid":{}}})",
        id, in.head(), kNodes, track(in));
  }

  /// The head in the router behind channel `h`, or, behind the last one, the flits that follow it.
  void router(const Journey& j, std::size_t h, int pid, std::uint64_t tid) {
    const Hop& hop = j.hops[h];
    if (h + 1 == j.hops.size()) {
      const std::string name = j.arrived ? "arrives at " + node(hop.node) : "has not arrived";
      slice(pid, tid, hop.head(), end_of(j), name, "");
      if (j.last_wait && j.last_wait->since < end_of(j))
        last_wait(*j.last_wait, end_of(j), pid, tid);
      return;
    }
    const Hop& next = j.hops[h + 1];
    const std::string wanted = channel_name(network_.router, next.channel);
    slice(pid, tid, hop.head(), next.head(), fmt::format("{} for {}", node(next.node), wanted), "");
    if (next.waits.empty()) return;
    std::string causes;
    for (const Wait& w : next.waits) causes += (causes.empty() ? "" : "; ") + cause(w);
    slice(pid, tid, next.head() - next.waited(), next.head(), "waits for " + wanted,
          fmt::format(R"("cause":"{}")", causes));
  }

  void last_wait(const LastWait& wait, Cycle end, int pid, std::uint64_t tid) {
    slice(pid, tid, wait.since, end,
          fmt::format("waits at {} for {}", node(wait.node),
                      channel_name(network_.router, wait.wanted)),
          fmt::format(R"("cause":"{}")", cause(wait.cause, wait.packet)));
  }

  [[nodiscard]] std::string cause(const Wait& w) const {
    return fmt::format("{} cycles: {}", w.cycles, cause(w.cause, w.packet));
  }
  [[nodiscard]] std::string cause(WaitCause cause, JourneyId packet) const {
    constexpr std::array kTexts = {"behind", "the channel has", "the other VC of its input has",
                                   "no room left by", "unknown"};
    std::string text = kTexts.at(static_cast<std::size_t>(cause));
    if (packet != kNobody) {
      const Journey& other = run_.journeys[packet];
      text += fmt::format(" #{} {}", other.number_text(), way(other));
    }
    return text;
  }

  [[nodiscard]] std::uint64_t track(const Hop& hop) const {
    return run_.place(hop.node, hop.channel, hop.vc) + 1;
  }

  void channel(JourneyId id, const Hop& hop) {
    const bool local =
        hop.channel >= systemc::kFirstInjection || network_.router.is_ejection(hop.channel);
    const int pid = local ? kNodes : kChannels;
    if (named_.insert(track(hop)).second) {
      const std::string vc = run_.vcs() > 1 ? fmt::format(" VC {}", hop.vc) : "";
      metadata("thread_name", pid, track(hop),
               fmt::format(R"("name":"{} {}{}")", node(hop.node),
                           channel_name(network_.router, hop.channel), vc));
      metadata("thread_sort_index", pid, track(hop), fmt::format(R"("sort_index":{})", track(hop)));
    }
    const Journey& j = run_.journeys[id];
    const Cycle end = hop.held ? run_.end : hop.end();
    slice(pid, track(hop), hop.head(), end,
          fmt::format("#{} {}{}", j.number_text(), way(j), hop.held ? " (holds it)" : ""),
          fmt::format(R"({},"step":{},"flits":{},"cycles_without_a_flit":{})", number(j),
                      j.info.step, hop.flits(), end - hop.head() - hop.flits()));
  }

  const RecordedRun& run_;
  const systemc::NetworkConfig& network_;
  std::string events_;
  std::set<std::uint64_t> named_;  // tracks
};

}  // namespace

std::string perfetto_trace(const RecordedRun& run) { return Trace(run).text(); }

}  // namespace annelid::timeline
