// All-to-all of Tsai 1997, Section 5.5.2, and of Bala and others 1995 (CCL), Section 4.2. `bytes`
// is the length of one block, from one node to another. A node sends no message to itself. All
// functions throw std::invalid_argument above 4096 nodes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reference/schedule/network.hpp"

namespace annelid::reference {

/// Algorithm A: N - 1 steps. In step i, rank r sends to rank r + i.
Schedule direct_all_to_all(const Network& net, std::uint64_t bytes);
/// Algorithm A with N * N lengths of blocks: those from rank 0 to each rank, then those from rank
/// 1, and so on. Throws std::invalid_argument for another number of lengths.
Schedule direct_all_to_all(const Network& net, const std::vector<std::uint64_t>& lengths);

/// Algorithm B: one message a step, N (N - 1) steps; the last message of a rank starts the next.
Schedule token_all_to_all(const Network& net, std::uint64_t bytes);

/// A step of CCL's index by a radix: every rank sends the blocks of these distances, in this order,
/// to the rank that is `shift` further. The steps of one place move different blocks. So they need
/// not wait for each other.
struct IndexStep {
  int place = 0;  ///< of the digit
  int shift = 0;
  std::vector<int> distances;
};

/// The radices of the places 0 .. 3, from the words PARAMETER_1 and PARAMETER_0 of a call: 16 bits
/// each, 0 for the same as the place before (place 0: for 2). Throws std::invalid_argument for a
/// radix of 1, and for one that follows a 0.
std::vector<std::uint32_t> radices_of(std::uint32_t parameter_1, std::uint32_t parameter_0);

/// Returns the steps of CCL's index on n ranks. The radices are those of the places from 0 on; the
/// last one holds for all further places. Expects one at least, each 2 or more.
std::vector<IndexStep> index_steps(int n, std::span<const std::uint32_t> radices);

/// The index by radices: with one radix r, about (r - 1) log_r N steps.
Schedule radix_all_to_all(const Network& net, std::uint64_t bytes,
                          std::span<const std::uint32_t> radices);

}  // namespace annelid::reference
