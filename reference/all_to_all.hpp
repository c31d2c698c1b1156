// All-to-all of Tsai 1997, Section 5.5.2, and of Bala and others 1995 (CCL), Section 4.2. `bytes`
// is the length of one block, from one node to another. A node sends no message to itself. All
// functions throw std::invalid_argument above 4096 nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "reference/network.hpp"

namespace annelid::reference {

/// Algorithm A: N - 1 steps. In step i, rank r sends to rank r + i.
Schedule direct_all_to_all(const Network& net, std::uint64_t bytes);
/// The same with N * N lengths of blocks: those from rank 0 to each rank, then those from rank 1,
/// and so on. Throws std::invalid_argument for another number of lengths.
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

/// Returns the steps of CCL's index on n ranks. A radix of 0 stands for 2, and one above n for n.
/// Throws std::invalid_argument for a radix of 1.
std::vector<IndexStep> index_steps(int n, std::uint32_t radix);

/// The index by a radix: about (r - 1) log_r N steps. Throws as index_steps() does.
Schedule radix_all_to_all(const Network& net, std::uint64_t bytes, std::uint32_t radix);

}  // namespace annelid::reference
