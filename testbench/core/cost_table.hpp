// What an instruction costs, by its mnemonic: a second reading of docs/internals/nic/core.md.
#pragma once

#include <array>
#include <string>

#include "systemc/network/types.hpp"

namespace annelid::test {

bool is_branch(const std::string& mnemonic);

/// Without what crossing a word or sleeping adds. `jumped`: a branch was taken.
Cycle cost(const std::string& mnemonic, bool jumped);

/// Whether a load or store of this instruction word crosses a 4-byte boundary.
/// `x`: the registers before it.
bool crosses(const std::string& mnemonic, std::uint32_t word,
             const std::array<std::uint32_t, 32>& x);

}  // namespace annelid::test
