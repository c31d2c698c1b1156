#include "firmware/kit/single.hpp"

#include "firmware/kit/operation.hpp"

namespace annelid::firmware {

namespace send_receive_call {
reg::CallResult check(const Context& me);
Task run(Context& me);
}  // namespace send_receive_call

namespace kit {
namespace {

/// `peer` is the other end; of an exchange the one to which this process sends.
Words words_of(std::uint32_t peer, std::size_t bytes, std::uint32_t tag) {
  return {{reg::CallWord::kRoot, peer},
          {reg::CallWord::kCount, static_cast<std::uint32_t>(bytes)},
          {reg::CallWord::kTag, tag}};
}

}  // namespace

int send_by_rank(const Group& group, std::uint32_t to, const void* data, std::size_t bytes,
                 std::uint32_t tag) {
  return run_operation(words_of(to, bytes, tag), group, serve_by<send_call::check, send_call::run>,
                       input(data, bytes), {}, 0);
}

int receive_by_rank(const Group& group, std::uint32_t from, void* room, std::size_t bytes,
                    std::uint32_t tag) {
  return run_operation(words_of(from, bytes, tag), group,
                       serve_by<receive_call::check, receive_call::run>, {}, output(room, bytes),
                       0);
}

int exchange_by_rank(const Group& group, std::uint32_t to, const void* data, std::uint32_t from,
                     void* room, std::size_t bytes, std::uint32_t tag) {
  Words words = words_of(to, bytes, tag);
  words.set(reg::CallWord::kParameter0, from);
  return run_operation(words, group, serve_by<send_receive_call::check, send_receive_call::run>,
                       input(data, bytes), output(room, bytes), 0);
}

}  // namespace kit
}  // namespace annelid::firmware
