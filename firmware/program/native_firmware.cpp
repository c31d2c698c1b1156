// The host build's entry: the same node and the same coroutines, resumed by the NIC's model.
#include <optional>
#include <stdexcept>
#include <string>

#include "firmware/collectives/collective.hpp"
#include "firmware/native.hpp"
#include "firmware/platform/node.hpp"
#include "firmware/platform/stop.hpp"
#include "firmware/program/holding_firmware.hpp"

namespace annelid::firmware {
namespace {

class HostedNode final : public NativeFirmware {
 public:
  HostedNode(RegisterBus& bus, bool holds) : bus_(bus), holds_(holds) {}

  void run() override {
    // Made in the first cycle: it reads registers.
    if (!node_) {
      node_.emplace(Registers(bus_), Memory(bus_), serve, holds_);
      start_collectives(*node_);
    }
    node_->run();
  }

 private:
  RegisterBus& bus_;
  bool holds_;
  std::optional<Node> node_;
};

}  // namespace

void stop(const char* reason) { throw std::logic_error(std::string("firmware: ") + reason); }

void leave_coroutine() { throw; }

std::unique_ptr<NativeFirmware> make_native_firmware(RegisterBus& bus) {
  return std::make_unique<HostedNode>(bus, false);
}
std::unique_ptr<NativeFirmware> make_holding_firmware(RegisterBus& bus) {
  return std::make_unique<HostedNode>(bus, true);
}

}  // namespace annelid::firmware
