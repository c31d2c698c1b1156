// A line or a ring of nodes with one holder, halved until every node is a segment of its own: the
// recursive doubling of docs/internals/algorithms/operations.md, "Halving a line".
#pragma once

#include <vector>

namespace annelid::reference {

/// A message from one position of a line or ring to another. The receiver then holds the segment of
/// `length` positions from `first` on (in a ring, modulo its size).
struct Halving {
  int from, to;
  int first, length;
};

/// The messages by steps, ceil(log2 size) of them: halving[0] is step 1.
using Halvings = std::vector<std::vector<Halving>>;

/// Positions are 0 .. size - 1. The lower half has ceil(length / 2) of them.
Halvings halved_line(int size, int holder);

/// Positions are 0 .. size - 1. The holder's half has ceil(length / 2) of them, so no message is
/// longer than what its sender keeps. A holder in the middle is in the lower half.
Halvings halved_line_keeping_more(int size, int holder);

/// Positions count from the holder on. The lower half has floor(length / 2) of them, so all
/// messages go up.
Halvings halved_ring(int size, int holder);

}  // namespace annelid::reference
