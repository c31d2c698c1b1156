// The line to gdb: TCP on this machine, and the packets of gdb's remote protocol.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace annelid::simulation {

class GdbConnection {
 public:
  /// Listens on a port of the loopback interface; 0 is any free port. Throws InputError if the port
  /// cannot be had.
  explicit GdbConnection(std::uint16_t port);
  GdbConnection(const GdbConnection&) = delete;
  GdbConnection& operator=(const GdbConnection&) = delete;
  ~GdbConnection();

  [[nodiscard]] std::uint16_t port() const { return port_; }
  /// Waits until gdb connects.
  void accept();

  /// Waits for the next packet, and returns its contents. Nothing, if gdb has hung up. What gdb
  /// sends to interrupt the program is the packet kInterrupt.
  std::optional<std::string> receive();
  static constexpr const char* kInterrupt = "\x03";
  void send(const std::string& contents);
  /// Whether gdb has sent something, or has hung up.
  [[nodiscard]] bool has_input() const;
  /// Acknowledgements end with QStartNoAckMode.
  void stop_acknowledging() { acknowledges_ = false; }

 private:
  std::optional<char> next();

  int listener_ = -1, line_ = -1;
  std::uint16_t port_ = 0;
  bool acknowledges_ = true;
  std::string input_;
  std::size_t used_ = 0;
};

}  // namespace annelid::simulation
