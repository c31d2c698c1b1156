// Messages between two processes of a group, as the program's functions need them.
#pragma once

#include "firmware/kit/kit.hpp"

namespace annelid::firmware {

namespace send_call {
reg::CallResult check(const Context& me);
Task run(Context& me);
}  // namespace send_call
namespace receive_call {
reg::CallResult check(const Context& me);
Task run(Context& me);
}  // namespace receive_call

namespace kit {

const Group& all_nodes();

int send_by_rank(const Group& group, std::uint32_t to, const void* data, std::size_t bytes,
                 std::uint32_t tag);
int receive_by_rank(const Group& group, std::uint32_t from, void* room, std::size_t bytes,
                    std::uint32_t tag);
int exchange_by_rank(const Group& group, std::uint32_t to, const void* data, std::uint32_t from,
                     void* room, std::size_t bytes, std::uint32_t tag);

}  // namespace kit
}  // namespace annelid::firmware
