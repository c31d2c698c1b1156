// Calls that are prepared once and started many times.
#pragma once

#include "firmware/kit/include/nic.h"
#include "firmware/kit/operation.hpp"

namespace annelid::firmware::kit {

/// Prepares a call with the tag of the program, and says in `request` what it has taken. Memory
/// that was taken from `from` on is the request's too, and is given back if there is none.
int prepare_call(Words words, const Group& group, const Served& served, const Area& source,
                 const Area& target, unsigned tag, std::uint32_t from, nic_prepared& request);

/// Writes the list of a call whose words are complete behind all memory that was taken.
int prepare_list(const LocalCall::Words& words, const Group& group, Node::Serve serve,
                 nic_prepared& request);

}  // namespace annelid::firmware::kit
