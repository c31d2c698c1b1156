#include "testbench/simulation/gdb_machine.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

#include "base/progress.hpp"
#include "simulation/debugger/gdb_server.hpp"
#include "systemc/modules/elaboration.hpp"

namespace annelid::test {
namespace {

using simulation::Descriptor;

struct Pair {
  Descriptor ours, servers;
};

/// The server's end has all that is said in its buffer.
Pair say(const std::string& said) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw std::runtime_error("no sockets");
  Pair pair{Descriptor(ends[0]), Descriptor(ends[1])};
  const auto bytes = static_cast<ssize_t>(said.size());
  if (::send(pair.ours.number(), said.data(), said.size(), MSG_DONTWAIT) != bytes)
    throw std::runtime_error("too much to say");
  ::shutdown(pair.ours.number(), SHUT_WR);
  return pair;
}

GdbTalk run(const nic::Image& image, int nodes, Descriptor line, Cycle limit) {
  const systemc::Elaboration elaboration;
  nic::NicConfig nic;
  nic.network.size = {nodes, 1, 1};
  nic.memory_bytes = 1U << 16;
  nic.run_ahead = 1;
  simulation::CoreProgram program;
  program.image = image;
  simulation::ProgramSimulation machine(program, {nic, {}, limit});
  simulation::GdbServer server{simulation::GdbConnection(std::move(line))};
  machine.debug(server);
  Progress silent;
  machine.run(silent);
  return {"", machine.ends(), machine.failure()};
}

}  // namespace

GdbTalk talk(const nic::Image& image, int nodes, const std::string& said, Cycle limit) {
  Pair pair = say(said);
  GdbTalk talk = run(image, nodes, std::move(pair.servers), limit);
  std::array<char, 4096> part{};
  for (ssize_t count = 0; (count = ::read(pair.ours.number(), part.data(), part.size())) > 0;)
    talk.sent.append(part.data(), static_cast<std::size_t>(count));
  return talk;
}

void talk_to_nobody(const nic::Image& image, int nodes, const std::string& said, Cycle limit) {
  Pair pair = say(said);
  pair.ours = Descriptor();
  (void)run(image, nodes, std::move(pair.servers), limit);
}

std::string packet(const std::string& contents) {
  unsigned sum = 0;
  for (const char c : contents) sum += static_cast<unsigned char>(c);
  return fmt::format("${}#{:02x}", contents, sum & 0xFF);
}

std::vector<std::string> packets_in(const std::string& sent) {
  std::vector<std::string> packets;
  for (std::size_t at = 0; (at = sent.find('$', at)) != std::string::npos; ++at) {
    const std::size_t end = sent.find('#', at);
    packets.push_back(sent.substr(at + 1, end - at - 1));
  }
  return packets;
}

}  // namespace annelid::test
