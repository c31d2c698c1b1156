#include "firmware/platform/node.hpp"

#include <utility>

#include "firmware/platform/task.hpp"

namespace annelid::firmware {

FramePool& frames_of(Node& node) { return node.frames(); }

void Node::run() {
  for (;;) {
    if (take_completion()) continue;
    // While a call runs nobody waits for the next one, and EVENT need not be read.
    if (!call_waiter_ || (registers_.read(reg::kEvent) & reg::kEventCall) == 0) return;
    std::exchange(call_waiter_, nullptr).resume();
  }
}

bool Node::take_completion() {
  const std::uint32_t completion = registers_.read(reg::kCompletion);
  if (reg::kCompletionValidField.of(completion) == 0) return false;
  const bool received = reg::kCompletionReceiveField.of(completion) != 0;
  TransferTable& table = received ? receives_ : sends_;
  Transfer* transfer = table.release(reg::kCompletionIdField.of(completion));
  if (transfer != nullptr) {
    transfer->complete(received ? registers_.read(reg::kCompletionBytes) : 0);
  }
  return true;
}

Call Node::take_call() {
  Call call;
  call.ticket = reg::kCallTicketTicketField.of(registers_.read(reg::kCallTicket));
  const auto word = [this](reg::CallWord which) {
    return registers_.read(reg::kCall + 4 * static_cast<std::uint32_t>(which));
  };
  call.operation = static_cast<reg::Operation>(word(reg::CallWord::kOperation));
  call.algorithm = static_cast<reg::Algorithm>(word(reg::CallWord::kAlgorithm));
  const std::uint32_t root = word(reg::CallWord::kRoot);
  const auto x = static_cast<std::uint32_t>(size().x);
  call.root = {static_cast<std::uint8_t>(root % x), static_cast<std::uint8_t>(root / x), 0};
  call.offset = word(reg::CallWord::kSource);
  call.bytes = word(reg::CallWord::kCount);
  call.tag = word(reg::CallWord::kTag);
  algorithm_ = call.algorithm;
  return call;
}

Size Node::size() const {
  return {static_cast<int>(registers_.read(reg::kSizeX)),
          static_cast<int>(registers_.read(reg::kSizeY)),
          static_cast<int>(registers_.read(reg::kSizeZ))};
}

void Node::announce_wait(reg::AwaitWhat what, std::uint32_t step, Address peer) const {
  registers_.write(reg::kAwaitNode, peer.word());
  registers_.write(reg::kAwait,
                   reg::kAwaitWhatField.in(static_cast<std::uint32_t>(what)) |
                       reg::kAwaitAlgorithmField.in(static_cast<std::uint32_t>(algorithm_)) |
                       reg::kAwaitStepField.in(step));
}

}  // namespace annelid::firmware
