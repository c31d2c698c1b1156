// The server of gdb's protocol and a machine, with all that gdb sends said in advance. It is in a
// socket when the machine starts, so nothing here waits for anything.
#pragma once

#include <string>
#include <vector>

#include "simulation/program_simulation.hpp"

namespace annelid::test {

struct GdbTalk {
  std::string sent;                       ///< all that the server has sent
  std::vector<simulation::NodeEnd> ends;  ///< of the run, by node
  std::string failure;                    ///< of the run; "" if it did not fail
};

/// Runs the program on a row of nodes. Then gdb hangs up, and the run goes on without it.
GdbTalk talk(const nic::Image& image, int nodes, const std::string& said, Cycle limit = 10'000);

/// Runs the program while gdb hangs up before it reads anything: what the server sends is lost.
void talk_to_nobody(const nic::Image& image, int nodes, const std::string& said, Cycle limit);

/// "$contents#checksum".
std::string packet(const std::string& contents);
/// The contents of all packets in what the server has sent.
std::vector<std::string> packets_in(const std::string& sent);

}  // namespace annelid::test
