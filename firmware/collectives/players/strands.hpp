// Strands: parts of a schedule that a process plays at the same time, each as a coroutine of its
// own. docs/internals/algorithms/all-ports.md, "How a node plays its strands".
#pragma once

#include "firmware/collectives/collective.hpp"
#include "firmware/communication/window.hpp"

namespace annelid::firmware {

/// A message of a strand.
struct StrandMessage {
  Address peer;
  Buffer buffer;  ///< what is sent; where a message, or what it is combined to, goes
  std::uint32_t step = 0;
  // A receive that combines does buffer := operand ⊕ message. The operand may be the buffer.
  std::uint32_t operand = 0, stage = 0;
};

/// Starts the receive of a message, which is combined by the call's OPERATOR if `combines`.
template <std::uint32_t N>
void add_receive(Context& me, Window<N>& receives, const StrandMessage& m, bool combines) {
  const Message received = message(me, m.peer, m.buffer, m.step);
  if (!combines) {
    receives.add(me, Direction::kReceive, received);
    return;
  }
  const auto op = static_cast<reg::Operator>(me.call().operator_code());
  const std::uint32_t combine = m.operand == m.buffer.offset
                                    ? combining(op, me.call().type())
                                    : combining_apart(op, me.call().type());
  receives.add(me, received, ReceiveOptions{combine, m.stage, m.operand});
}

/// Plays one strand. In each round it receives receives(round) messages and then sends sends(round)
/// messages. The sends of a round wait for those of the rounds before. Up to `kReceives` receives
/// are posted ahead, so that no neighbour waits for an offer. Where members of a ring send more
/// messages in a round, each of them takes as many as it sends meanwhile. So none of them waits for
/// a receive that another one cannot post before its own messages have left.
template <std::uint32_t kReceives, std::uint32_t kSends, typename Strand>
Task play_strand(Context& me, Strand strand) {
  Window<kReceives> receives;
  Window<kSends> sends;
  std::uint32_t posting = 0, posted = 0;  // the round of the next receive, and its number there
  const auto post = [&] {
    while (posting < strand.rounds() && !receives.full()) {
      if (posted == strand.receives(posting)) {
        ++posting;
        posted = 0;
        continue;
      }
      add_receive(me, receives, strand.receive(posting, posted++), strand.combines());
    }
  };
  post();
  std::uint32_t taken = 0;  // of the round's messages
  for (std::uint32_t round = 0; round < strand.rounds(); ++round) {
    for (; taken < strand.receives(round); ++taken) {
      co_await receives.oldest();
      post();
    }
    taken = 0;
    while (!sends.empty()) co_await sends.oldest();
    for (std::uint32_t i = 0; i < strand.sends(round); ++i) {
      if (i >= kReceives) {  // a message of the next round, which the neighbour sends in this one
        co_await receives.oldest();
        post();
        ++taken;
      }
      if (sends.full()) co_await sends.oldest();
      const StrandMessage m = strand.send(round, i);
      sends.add(me, Direction::kSend, message(me, m.peer, m.buffer, m.step));
    }
  }
  while (!sends.empty()) co_await sends.oldest();
  co_return CallResult::kSuccess;
}

}  // namespace annelid::firmware
