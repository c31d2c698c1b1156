#include "testbench/nic/fuzz/counts.hpp"

#include <sstream>

namespace annelid::nic::fuzz {

Counts& Counts::operator+=(const Counts& other) {
  const auto add = [](auto& to, const auto& from) { to += from; };
  add(wire.flits, other.wire.flits), add(wire.data, other.wire.data);
  add(wire.eager, other.wire.eager), add(wire.control, other.wire.control);
  add(wire.offers, other.wire.offers), add(wire.parks, other.wire.parks);
  add(wire.asks, other.wire.asks), add(wire.frees, other.wire.frees);
  add(wire.kept_hits, other.wire.kept_hits), add(wire.waiting_hits, other.wire.waiting_hits);
  add(wire.several, other.wire.several), add(wire.alternating, other.wire.alternating);
  add(messages, other.messages), add(flits, other.flits), add(own, other.own);
  add(strided, other.strided), add(triggered, other.triggered);
  add(explicit_port, other.explicit_port), add(quiet, other.quiet), add(empty, other.empty);
  add(longest, other.longest), add(combined, other.combined), add(chained, other.chained);
  add(failed, other.failed), add(apart, other.apart), add(eager_direct, other.eager_direct);
  add(eager_placed, other.eager_placed), add(sends_full, other.sends_full);
  add(receives_full, other.receives_full), add(unexpected, other.unexpected);
  add(waited, other.waited), add(in_turn, other.in_turn);
  return *this;
}

std::string to_string(const Counts& c) {
  std::ostringstream out;
  out << c.messages << " messages, " << c.flits << " flits (" << c.wire.flits
      << " on channels with control), " << c.own << " to the own node\n"
      << c.wire.data << " by offer (" << c.wire.kept_hits << " kept, " << c.wire.waiting_hits
      << " waiting), " << c.wire.eager << " eager (" << c.eager_direct << " seen direct, "
      << c.eager_placed << " placed)\n"
      << c.wire.control << " control: " << c.wire.offers << " offers, " << c.wire.parks
      << " parks, " << c.wire.asks << " asks, " << c.wire.frees << " frees, " << c.wire.several
      << " say several\n"
      << c.unexpected << " before their receive, " << c.triggered << " triggered, " << c.strided
      << " strided, " << c.explicit_port << " by explicit port, " << c.quiet << " quiet ends\n"
      << c.combined << " combined, " << c.chained << " of them behind another, " << c.apart
      << " with an operand apart, " << c.failed << " failed, " << c.empty << " empty, " << c.longest
      << " of 64 KiB, " << c.wire.alternating << " alternations of virtual channels\n"
      << c.sends_full << " and " << c.receives_full << " times no place for a send, a receive, "
      << c.waited << " times one waited for another\n";
  return out.str();
}

}  // namespace annelid::nic::fuzz
