// What the papers' L is, the same in every item: all flits of a message, those of its bytes and the
// two that lead it. A channel carries all of them, and "L is the length of message, in flits" (Tsai
// 1997, 4.4.2).
//
// A formula over the message's bytes alone would leave out two flits of each message, which a
// simulation never does.
#pragma once

#include "reference/costs/formulas.hpp"

namespace annelid::reproduction {

inline constexpr double kFlitBytes = 8;
inline constexpr double kLeadFlits = 2;  ///< head and header

/// L of a message of so many bytes, in flits.
constexpr double message_flits(double bytes) { return kLeadFlits + bytes / kFlitBytes; }

/// L in bytes, for a machine whose time of a byte is given in place of that of a flit.
constexpr double message_bytes(double bytes) { return kFlitBytes * message_flits(bytes); }

/// For the formulas of algorithms that cut a message (Tsai 1997, 5.3), whose length is the sum of
/// the pieces: such a form over the flits of all bytes, with this cost, has two more flits in each
/// message that another waits for. Each of those is received, so the time goes to gamma. For
/// algorithms that cut nothing, it is the form at message_flits().
constexpr reference::formulas::Cost with_lead_flits(reference::formulas::Cost c) {
  c.gamma += kLeadFlits * c.beta;
  return c;
}

}  // namespace annelid::reproduction
