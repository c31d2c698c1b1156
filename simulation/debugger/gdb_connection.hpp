// The line to gdb: TCP on this machine, and the packets of gdb's remote protocol.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace annelid::simulation {

/// A descriptor, which is closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

class GdbConnection {
 public:
  /// The most bytes between $ and # of a packet.
  static constexpr std::size_t kLongestPacket = 0x4000;

  /// `line` is connected.
  explicit GdbConnection(Descriptor line) : line_(std::move(line)) {}

  /// Waits for the next packet, and returns its contents. Nothing, if gdb has hung up, or has sent
  /// a packet that is too long. What gdb sends to interrupt the program is the packet kInterrupt.
  std::optional<std::string> receive();
  static constexpr const char* kInterrupt = "\x03";
  void send(const std::string& contents);

  /// What has come while the program runs, without waiting. A packet stays for receive().
  enum class Arrived : std::uint8_t { kNothing, kInterrupt, kHangUp };
  [[nodiscard]] Arrived arrived();
  void hang_up() { line_ = Descriptor(); }
  /// Acknowledgements end with QStartNoAckMode.
  void stop_acknowledging() { acknowledges_ = false; }

 private:
  std::optional<char> next();
  bool fill(int flags);
  std::optional<std::string> packet();

  Descriptor line_;
  bool acknowledges_ = true, hung_up_ = false;
  std::string input_;
  std::size_t used_ = 0;
};

/// A port of the loopback interface, on which gdb connects.
class GdbPort {
 public:
  /// 0 is any free port. Throws InputError if the port cannot be had.
  explicit GdbPort(std::uint16_t port);

  [[nodiscard]] std::uint16_t number() const { return number_; }
  /// Tells `listening` the port's number, and waits until gdb connects. Hangs up on who speaks
  /// another protocol: a web page can let a browser connect to any port of this machine, but not
  /// choose the first byte.
  GdbConnection accept(const std::function<void(std::uint16_t)>& listening);

 private:
  Descriptor listener_;
  std::uint16_t number_ = 0;
};

}  // namespace annelid::simulation
