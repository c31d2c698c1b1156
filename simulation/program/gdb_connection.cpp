#include "simulation/program/gdb_connection.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/input_error.hpp"
#include "base/run_failure.hpp"

namespace annelid::simulation {
namespace {

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

unsigned checksum(const std::string& contents) {
  unsigned sum = 0;
  for (const char c : contents) sum += static_cast<unsigned char>(c);
  return sum & 0xFF;
}

}  // namespace

GdbConnection::GdbConnection(std::uint16_t port) {
  const auto refuse = [&] {
    const std::string why = std::strerror(errno);
    if (listener_ >= 0) close(listener_);
    throw InputError("--gdb", fmt::format("port {} ({})", port, why),
                     "a port that this user can listen on, or 0 for any");
  };
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener_ < 0) refuse();
  const int on = 1;
  setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address = loopback(port);
  socklen_t length = sizeof address;
  if (bind(listener_, reinterpret_cast<sockaddr*>(&address), length) != 0 ||
      listen(listener_, 1) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    refuse();
  }
  port_ = ntohs(address.sin_port);
}

GdbConnection::~GdbConnection() {
  if (line_ >= 0) close(line_);
  close(listener_);
}

void GdbConnection::accept() {
  do {
    line_ = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  } while (line_ < 0 && errno == EINTR);
  if (line_ < 0) throw RunFailure(std::string("--gdb: ") + std::strerror(errno));
  const int on = 1;
  setsockopt(line_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

bool GdbConnection::has_input() const {
  if (used_ < input_.size()) return true;
  pollfd one{line_, POLLIN, 0};
  return poll(&one, 1, 0) > 0;
}

std::optional<char> GdbConnection::next() {
  if (used_ == input_.size()) {
    std::array<char, 4096> part{};
    ssize_t count = 0;
    do {
      count = ::recv(line_, part.data(), part.size(), 0);
    } while (count < 0 && errno == EINTR);
    if (count <= 0) return std::nullopt;
    input_.assign(part.data(), static_cast<std::size_t>(count));
    used_ = 0;
  }
  return input_[used_++];
}

std::optional<std::string> GdbConnection::receive() {
  for (;;) {
    std::optional<char> c = next();
    if (!c) return std::nullopt;
    if (*c == *kInterrupt) return kInterrupt;
    if (*c != '$') continue;  // + and -, which a line without losses does not need
    std::string contents;
    while ((c = next()) && *c != '#') contents += *c;
    const auto high = next(), low = next();
    if (!c || !high || !low) return std::nullopt;
    if (acknowledges_) {
      const bool good = fmt::format("{:02x}", checksum(contents)) == std::string{*high, *low};
      const char answer = good ? '+' : '-';
      if (::send(line_, &answer, 1, MSG_NOSIGNAL) != 1) return std::nullopt;
      if (!good) continue;
    }
    return contents;
  }
}

void GdbConnection::send(const std::string& contents) {
  const std::string packet = fmt::format("${}#{:02x}", contents, checksum(contents));
  for (std::size_t sent = 0; sent < packet.size();) {
    const ssize_t count = ::send(line_, packet.data() + sent, packet.size() - sent, MSG_NOSIGNAL);
    if (count <= 0 && errno != EINTR) return;  // it has hung up, which receive() finds
    if (count > 0) sent += static_cast<std::size_t>(count);
  }
}

}  // namespace annelid::simulation
