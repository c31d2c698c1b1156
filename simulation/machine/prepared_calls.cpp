#include "simulation/machine/prepared_calls.hpp"

#include <cstddef>

#include "simulation/scenario/memory_layout.hpp"

namespace annelid::simulation {
namespace {

using Word = reg::CallWord;

/// The ordinary call's words at a node.
const nic::Call& words_at(const HostCall& host, std::size_t place) {
  return host.calls.empty() ? host.call : host.calls[place];
}

/// At each node the operation, with the node's own handle.
HostCall with_handles(reg::Operation operation, const HostCall& ordinary,
                      const std::vector<PreparedAnswer>& answers) {
  HostCall host;
  host.nodes = ordinary.nodes;
  for (std::size_t place = 0; place < host.nodes.size(); ++place) {
    nic::Call call;
    call.set(Word::kOperation, static_cast<std::uint32_t>(operation))
        .set(Word::kTag, words_at(ordinary, place)[Word::kTag])
        .set(Word::kParameter0, answers[host.nodes[place]].handle);
    host.calls.push_back(call);
  }
  return host;
}

}  // namespace

HostCall preparing_call(const HostCall& ordinary, const PreparedLayout& layout,
                        const std::vector<std::unique_ptr<nic::Nic>>& nics) {
  const auto word = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
  HostCall host;
  host.nodes = ordinary.nodes;
  host.call.set(Word::kOperation, word(static_cast<std::uint64_t>(reg::Operation::kPrepare)))
      .set(Word::kSource, word(layout.words.offset))
      .set(Word::kTarget, word(layout.answer.offset))
      .set(Word::kScratch, word(layout.list.offset))
      .set(Word::kCount, word(layout.list.bytes))
      .set(Word::kTag, words_at(ordinary, 0)[Word::kTag]);
  for (std::size_t place = 0; place < host.nodes.size(); ++place) {
    const NodeId node = host.nodes[place];
    if (!nics[node]) continue;
    std::vector<std::byte> bytes;
    for (const std::uint32_t word_of_call : words_at(ordinary, place).words) {
      append_word(bytes, word_of_call);
    }
    nics[node]->memory().write(layout.words.offset, bytes);
  }
  return host;
}

std::vector<PreparedAnswer> read_answers(const HostCall& ordinary, const PreparedLayout& layout,
                                         const std::vector<std::unique_ptr<nic::Nic>>& nics) {
  constexpr std::uint32_t kWord = 4;
  std::vector<PreparedAnswer> answers(nics.size());
  for (const NodeId node : ordinary.nodes) {
    if (!nics[node]) continue;
    const nic::NodeMemory& memory = nics[node]->memory();
    const auto read = [&memory](std::uint64_t offset) {
      return static_cast<std::uint32_t>(memory.load(offset, kWord));
    };
    answers[node] = {read(layout.answer.offset), read(layout.answer.offset + kWord)};
  }
  return answers;
}

HostCall starting_call(const HostCall& ordinary, const std::vector<PreparedAnswer>& answers) {
  HostCall host = with_handles(reg::Operation::kStart, ordinary, answers);
  host.after = ordinary.after;
  host.start = ordinary.start;
  host.skew = ordinary.skew;
  host.seed = ordinary.seed;
  return host;
}

HostCall freeing_call(const HostCall& ordinary, const std::vector<PreparedAnswer>& answers) {
  return with_handles(reg::Operation::kFree, ordinary, answers);
}

}  // namespace annelid::simulation
