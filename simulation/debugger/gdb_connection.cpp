#include "simulation/debugger/gdb_connection.hpp"

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
#include <string_view>
#include <utility>

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

/// Whether the first byte that comes is one of the protocol. Waits for it.
bool speaks_protocol(const Descriptor& line) {
  constexpr std::string_view kFirst = "+-$\x03";
  char first = 0;
  ssize_t count = 0;
  do {
    count = ::recv(line.number(), &first, 1, MSG_PEEK);
  } while (count < 0 && errno == EINTR);
  return count == 1 && kFirst.find(first) != std::string_view::npos;
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  std::swap(number_, other.number_);
  return *this;
}

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

// ---- Port ---------------------------------------------------------------------------------------

GdbPort::GdbPort(std::uint16_t port) : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const auto refuse = [port] {
    throw InputError("--gdb", fmt::format("port {} ({})", port, std::strerror(errno)),
                     "a port that this user can listen on, or 0 for any");
  };
  if (listener_.number() < 0) refuse();
  const int on = 1;
  setsockopt(listener_.number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address = loopback(port);
  socklen_t length = sizeof address;
  if (bind(listener_.number(), reinterpret_cast<sockaddr*>(&address), length) != 0 ||
      listen(listener_.number(), SOMAXCONN) != 0 ||
      getsockname(listener_.number(), reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    refuse();
  }
  number_ = ntohs(address.sin_port);
}

GdbConnection GdbPort::accept(const std::function<void(std::uint16_t)>& listening) {
  if (listening) listening(number_);
  for (;;) {
    Descriptor line(::accept4(listener_.number(), nullptr, nullptr, SOCK_CLOEXEC));
    if (line.number() < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      throw RunFailure(std::string("--gdb: ") + std::strerror(errno));
    }
    if (!speaks_protocol(line)) continue;
    const int on = 1;
    setsockopt(line.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return GdbConnection(std::move(line));
  }
}

// ---- Packets ------------------------------------------------------------------------------------

/// Receives more. False: nothing has come, or nothing will come any more.
bool GdbConnection::fill(int flags) {
  std::array<char, 4096> part{};
  ssize_t count = 0;
  do {
    count = ::recv(line_.number(), part.data(), part.size(), flags);
  } while (count < 0 && errno == EINTR);
  if (count <= 0) {
    hung_up_ = count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
    return false;
  }
  input_.assign(part.data(), static_cast<std::size_t>(count));
  used_ = 0;
  return true;
}

std::optional<char> GdbConnection::next() {
  if (used_ == input_.size() && !fill(0)) return std::nullopt;
  return input_[used_++];
}

GdbConnection::Arrived GdbConnection::arrived() {
  for (;;) {
    while (used_ < input_.size()) {
      if (input_[used_] == '$') return Arrived::kNothing;
      if (input_[used_++] == *kInterrupt) return Arrived::kInterrupt;
    }
    if (!fill(MSG_DONTWAIT)) return hung_up_ ? Arrived::kHangUp : Arrived::kNothing;
  }
}

std::optional<std::string> GdbConnection::receive() {
  for (;;) {
    const std::optional<char> c = next();
    if (!c) return std::nullopt;
    if (*c == *kInterrupt) return kInterrupt;
    if (*c != '$') continue;  // + and -, which a line without losses does not need
    std::optional<std::string> contents = packet();
    if (!contents) return std::nullopt;
    const auto high = next(), low = next();
    if (!high || !low) return std::nullopt;
    if (acknowledges_) {
      const bool good = fmt::format("{:02x}", checksum(*contents)) == std::string{*high, *low};
      const char answer = good ? '+' : '-';
      (void)::send(line_.number(), &answer, 1, MSG_NOSIGNAL);
      if (!good) continue;
    }
    return contents;
  }
}

/// What stands before the #.
std::optional<std::string> GdbConnection::packet() {
  std::string contents;
  for (;;) {
    const auto c = next();
    if (!c) return std::nullopt;
    if (*c == '#') return contents;
    if (contents.size() == kLongestPacket) return std::nullopt;
    contents += *c;
  }
}

void GdbConnection::send(const std::string& contents) {
  const std::string packet = fmt::format("${}#{:02x}", contents, checksum(contents));
  for (std::size_t sent = 0; sent < packet.size();) {
    const ssize_t count =
        ::send(line_.number(), packet.data() + sent, packet.size() - sent, MSG_NOSIGNAL);
    if (count <= 0 && errno != EINTR) return;  // it has hung up, which receive() finds
    if (count > 0) sent += static_cast<std::size_t>(count);
  }
}

}  // namespace annelid::simulation
