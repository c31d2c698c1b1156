// Open messages: receives from any process and with any tag (docs/internals/nic/messages.md).
#include "firmware/communication/point_to_point.hpp"
#include "firmware/kit/include/ccl.h"
#include "firmware/kit/operation.hpp"
#include "firmware/kit/single.hpp"

namespace annelid::firmware {
namespace {

using reg::CallResult;
using reg::CallWord;

/// What the last open receive got. The kit's calls block, so there is one at a time.
nic_envelope last_received{};

constexpr Address kAnyNode = Address::from_word(reg::kAnyNode);

// PARAMETER_0 of a receive says whether any process may be the source, and PARAMETER_1 whether the
// message may have any tag.

CallResult check_send(const Context& me) {
  const Call& call = me.call();
  const bool fits = call.root() < me.group().size() && me.is_message(call.source(), call.bytes());
  return fits ? CallResult::kSuccess : CallResult::kBadArgument;
}

Task run_send(Context& me) {
  const Call& call = me.call();
  Message open = message(me, me.group().address(call.root()), {call.source(), call.bytes()}, 1);
  open.tag |= reg::kSendTagOpenField.in(1);
  co_await Transfer{me, Direction::kSend, open};
  co_return CallResult::kSuccess;
}

CallResult check_receive(const Context& me) {
  const Call& call = me.call();
  const bool fits = (call.parameter(0) != 0 || call.root() < me.group().size()) &&
                    me.is_message(call.target(), call.bytes());
  return fits ? CallResult::kSuccess : CallResult::kBadArgument;
}

Task run_receive(Context& me) {
  const Call& call = me.call();
  const Address from = call.parameter(0) != 0 ? kAnyNode : me.group().address(call.root());
  Message open = message(me, from, {call.target(), call.bytes()}, 1);
  open.tag |= reg::kRecvTagOpenField.in(1) | reg::kRecvTagAnyTagField.in(call.parameter(1));
  const std::uint32_t bytes = co_await Transfer{me, Direction::kReceive, open};
  // The registers are still those of this message: its completion has resumed this coroutine.
  const Registers& own = me.node().registers();
  const Address source = Address::from_word(own.read(reg::kCompletionNode));
  last_received = {me.node().topology().pid(source),
                   static_cast<unsigned>(own.read(reg::kCompletionTag)), bytes};
  co_return CallResult::kSuccess;
}

}  // namespace
}  // namespace annelid::firmware

using namespace annelid;
using namespace annelid::firmware;
using namespace annelid::firmware::kit;

extern "C" {

int nic_send_open(unsigned to, const void* data, size_t bytes, unsigned tag) {
  const Words words{{CallWord::kRoot, to},
                    {CallWord::kCount, static_cast<std::uint32_t>(bytes)},
                    {CallWord::kTag, tag}};
  return run_operation(words, all_nodes(), serve_by<check_send, run_send>, input(data, bytes), {},
                       0);
}

int nic_receive_open(unsigned from, void* room, size_t bytes, unsigned tag,
                     nic_envelope* envelope) {
  const bool any_source = from == NIC_ANY, any_tag = tag == NIC_ANY;
  const Words words{{CallWord::kRoot, any_source ? 0 : from},
                    {CallWord::kCount, static_cast<std::uint32_t>(bytes)},
                    {CallWord::kTag, any_tag ? 0 : tag},
                    {CallWord::kParameter0, any_source ? 1U : 0U},
                    {CallWord::kParameter1, any_tag ? 1U : 0U}};
  const int result = run_operation(words, all_nodes(), serve_by<check_receive, run_receive>, {},
                                   output(room, bytes), 0);
  if (envelope != nullptr && result == number_of(CallResult::kSuccess)) *envelope = last_received;
  return result;
}

int bsend(unsigned dest, const void* data, size_t bytes, unsigned tag) {
  return nic_send_open(dest, data, bytes, tag);
}

int brecv(unsigned orig, void* data, size_t bytes, unsigned tag, nic_envelope* envelope) {
  return nic_receive_open(orig, data, bytes, tag, envelope);
}

}  // extern "C"
