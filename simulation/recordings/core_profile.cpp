#include "simulation/recordings/core_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text.hpp"

namespace annelid::simulation {
namespace {

constexpr std::uint32_t kWfi = 0x10500073, kMret = 0x30200073;
constexpr std::uint32_t kJal = 0x6f, kJalr = 0x67;
constexpr std::size_t kMostCalls = 4096;
constexpr const char* kNowhere = "?";

std::uint32_t opcode(std::uint32_t word) { return word & 0x7f; }
/// Whether a jump keeps the address behind it in ra or t0, by which calls return.
bool is_call(std::uint32_t word) {
  const std::uint32_t link = word >> 7 & 31;
  return (opcode(word) == kJal || opcode(word) == kJalr) && (link == 1 || link == 5);
}
bool may_return(std::uint32_t word) {
  return word == kMret || (opcode(word) == kJalr && !is_call(word));
}

/// "src/main.c:12" as file and line.
std::pair<std::string, std::string> file_and_line(const SourceLines& lines, std::size_t word) {
  const std::string at = lines.at(static_cast<std::uint32_t>(4 * word));
  const std::size_t colon = at.rfind(':');
  if (colon == std::string::npos) return {kNowhere, "0"};
  return {one_line(at.substr(0, colon)), at.substr(colon + 1)};
}

}  // namespace

CoreProfile::Count& CoreProfile::Count::operator+=(const Count& other) {
  cycles += other.cycles;
  instructions += other.instructions;
  return *this;
}

CoreProfile::CoreProfile(const nic::Image& image, ProfileBy by)
    : image_(image),
      by_(by),
      words_(nic::kRamBytes / 4),
      function_of_(nic::kRamBytes / 4),
      contexts_(1) {
  for (std::size_t word = 0; word < function_of_.size(); ++word) {
    const auto* f = image.find_function(static_cast<std::uint32_t>(4 * word));
    function_of_[word] = f == nullptr ? image.functions.size()
                                      : static_cast<std::size_t>(f - image.functions.data());
  }
  contexts_[0].function = image.functions.size();
}

// ---- What one core does -------------------------------------------------------------------------

/// What was under way lasted up to this cycle; but for its first cycle a WFI's time is sleep. A
/// core that is ahead of the network when the run ends has begun its last instruction after the
/// end.
void CoreProfile::Node::until(Cycle cycle) {
  if (ended_ || cycle <= since_) return;
  const Cycle awake = slept_ ? 1 : cycle - since_;
  profile_.words_[word_].cycles += awake;
  if (profile_.follows_calls()) profile_.contexts_[context_].count.cycles += awake;
  profile_.asleep_ += cycle - since_ - awake;
}

void CoreProfile::Node::retired(const nic::Retired& i) {
  until(i.cycle);
  word_ = i.pc / 4;
  since_ = i.cycle;
  slept_ = i.word == kWfi;
  ended_ = false;
  ++profile_.words_[word_].instructions;
  if (!profile_.follows_calls()) return;
  follow(i);
  ++profile_.contexts_[context_].count.instructions;
}

void CoreProfile::Node::trapped(Cycle cycle, const nic::Trap& trap) {
  until(cycle);
  if (trap.pc / 4 < profile_.words_.size()) word_ = trap.pc / 4;
  since_ = cycle;
  slept_ = ended_ = false;
  if (!profile_.follows_calls()) return;
  last_ = {};
  push({trap.pc, trap.pc, context_, true});
}

void CoreProfile::Node::end(Cycle cycle) {
  until(cycle);
  ended_ = true;
}

void CoreProfile::Node::push(const Frame& frame) {
  if (frames_.size() == kMostCalls) frames_.erase(frames_.begin());
  frames_.push_back(frame);
}

/// Ends the calls up to the last one that returns here, if there is one. Otherwise the jump was no
/// return: one to a function that takes the place of another one, say. A handler may return behind
/// the instruction that trapped.
void CoreProfile::Node::return_to(std::uint32_t pc) {
  const auto ends = [pc](const Frame& f) { return f.back == pc || (f.trap && f.back + 4 == pc); };
  const auto frame = std::find_if(frames_.rbegin(), frames_.rend(), ends);
  if (frame != frames_.rend()) frames_.erase(std::prev(frame.base()), frames_.end());
}

void CoreProfile::Node::follow(const nic::Retired& i) {
  const bool called = is_call(last_.word);
  if (called) {
    push({last_.pc + 4, last_.pc, context_, false});
  } else if (may_return(last_.word)) {
    return_to(i.pc);
  }
  last_ = i;
  const Frame caller = frames_.empty() ? Frame{} : frames_.back();
  context_ = profile_.context_of(caller.context, caller.site, profile_.function_of_[i.pc / 4]);
  if (called) ++profile_.contexts_[context_].calls;
}

std::size_t CoreProfile::context_of(std::size_t parent, std::uint32_t site, std::size_t function) {
  const auto [known, is_new] =
      known_contexts_.try_emplace({parent, site, function}, contexts_.size());
  if (is_new) contexts_.push_back({parent, function, site, 0, {}});
  return known->second;
}

// ---- The profile --------------------------------------------------------------------------------

const std::string& CoreProfile::name_of(std::size_t function) const {
  static const std::string none = kNowhere;
  return function < image_.functions.size() ? image_.functions[function].name : none;
}

CoreProfile::Count CoreProfile::total() const {
  Count sum;
  for (const Count& c : words_) sum += c;
  return sum;
}

std::string CoreProfile::table(std::vector<Row> rows, const char* title) const {
  const Count sum = total();
  std::erase_if(rows,
                [](const Row& r) { return r.count.cycles == 0 && r.count.instructions == 0; });
  std::ranges::stable_sort(rows, std::ranges::greater(),
                           [](const Row& r) { return r.count.cycles; });
  std::string text =
      fmt::format("{:>7} {:>14} {:>14}  {}\n", "percent", "cycles", "instructions", title);
  for (const Row& r : rows) {
    text +=
        fmt::format("{:>7.2f} {:>14} {:>14}  {}\n",
                    100.0 * static_cast<double>(r.count.cycles) / static_cast<double>(sum.cycles),
                    r.count.cycles, r.count.instructions, one_line(r.name));
  }
  text += fmt::format("{:>7} {:>14} {:>14}  {}\n", "", sum.cycles, sum.instructions, "all, awake");
  text += fmt::format("{:>7} {:>14} {:>14}  {}\n", "", asleep_, "", "asleep in WFI");
  return text;
}

std::string CoreProfile::by_function() const {
  std::vector<Row> rows;
  for (std::size_t f = 0; f <= image_.functions.size(); ++f) rows.push_back({name_of(f), {}});
  for (std::size_t word = 0; word < words_.size(); ++word) {
    rows[function_of_[word]].count += words_[word];
  }
  return table(std::move(rows), "function");
}

std::string CoreProfile::by_line(const SourceLines& lines) const {
  std::map<std::string, Count> counts;
  for (std::size_t word = 0; word < words_.size(); ++word) {
    if (words_[word].instructions == 0 && words_[word].cycles == 0) continue;
    const std::string at = lines.at(static_cast<std::uint32_t>(4 * word));
    counts[(at.empty() ? kNowhere : at) + "  " + name_of(function_of_[word])] += words_[word];
  }
  std::vector<Row> rows;
  rows.reserve(counts.size());
  for (const auto& [name, count] : counts) rows.push_back({name, count});
  return table(std::move(rows), "source line  function");
}

std::string CoreProfile::by_caller() const {
  std::map<std::pair<std::size_t, std::size_t>, Count> counts;
  for (const Context& c : contexts_) {
    counts[{c.function, contexts_[c.parent].function}] += c.count;
  }
  std::vector<Row> rows;
  rows.reserve(counts.size());
  for (const auto& [functions, count] : counts) {
    rows.push_back({name_of(functions.first) + "  <  " + name_of(functions.second), count});
  }
  return table(std::move(rows), "function  <  its caller");
}

std::string CoreProfile::folded() const {
  std::map<std::string, std::uint64_t> stacks;
  std::vector<std::string> names(contexts_.size());  // of stacks; a context comes after its parent
  for (std::size_t i = 1; i < contexts_.size(); ++i) {
    std::string name = one_line(name_of(contexts_[i].function));
    std::ranges::replace(name, ';', ':');
    const std::string& callers = names[contexts_[i].parent];
    names[i] = callers.empty() ? name : fmt::format("{};{}", callers, name);
    if (contexts_[i].count.cycles > 0) stacks[names[i]] += contexts_[i].count.cycles;
  }
  std::string text;
  for (const auto& [stack, cycles] : stacks) text += fmt::format("{} {}\n", stack, cycles);
  return text;
}

std::string CoreProfile::callgrind(const SourceLines& lines) const {
  // With the functions that they call; a context comes after its parent.
  std::vector<Count> inclusive;
  for (const Context& c : contexts_) inclusive.push_back(c.count);
  for (std::size_t i = contexts_.size(); i-- > 1;) inclusive[contexts_[i].parent] += inclusive[i];
  // By caller, address of the call, and callee.
  std::map<std::size_t, std::map<std::pair<std::uint32_t, std::size_t>, Arc>> arcs;
  for (std::size_t i = 1; i < contexts_.size(); ++i) {
    const Context& c = contexts_[i];
    if (c.parent == 0) continue;
    Arc& arc = arcs[contexts_[c.parent].function][{c.site, c.function}];
    arc.calls += c.calls;
    arc.count += inclusive[i];
  }
  std::map<std::size_t, std::map<std::pair<std::string, std::string>, Count>> own;
  for (std::size_t word = 0; word < words_.size(); ++word) {
    if (words_[word].instructions == 0 && words_[word].cycles == 0) continue;
    own[function_of_[word]][file_and_line(lines, word)] += words_[word];
  }
  const auto home = [&](std::size_t function) {
    return function < image_.functions.size()
               ? file_and_line(lines, image_.functions[function].address / 4)
               : std::pair<std::string, std::string>{kNowhere, "0"};
  };
  const Count sum = total();
  std::string text = fmt::format(
      "# callgrind format\nversion: 1\ncreator: annelid\npositions: line\n"
      "events: Cycles Instructions\nsummary: {} {}\n",
      sum.cycles, sum.instructions);
  for (const auto& [function, counts] : own) {
    text += fmt::format("\nfl={}\nfn={}\n", home(function).first, one_line(name_of(function)));
    for (const auto& [at, count] : counts) {
      text +=
          fmt::format("fi={}\n{} {} {}\n", at.first, at.second, count.cycles, count.instructions);
    }
    for (const auto& [call, arc] : arcs[function]) {
      const auto site = file_and_line(lines, call.first / 4), callee = home(call.second);
      text +=
          fmt::format("fi={}\ncfi={}\ncfn={}\ncalls={} {}\n{} {} {}\n", site.first, callee.first,
                      one_line(name_of(call.second)), std::max<std::uint64_t>(arc.calls, 1),
                      callee.second, site.second, arc.count.cycles, arc.count.instructions);
    }
  }
  return text;
}

std::string CoreProfile::text(const SourceLines& lines) const {
  switch (by_) {
    case ProfileBy::kFunction:
      break;
    case ProfileBy::kLine:
      return by_line(lines);
    case ProfileBy::kCaller:
      return by_caller();
    case ProfileBy::kFolded:
      return folded();
    case ProfileBy::kCallgrind:
      return callgrind(lines);
  }
  return by_function();
}

}  // namespace annelid::simulation
