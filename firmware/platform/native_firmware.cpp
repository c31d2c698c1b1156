// The host build's entry: the same node and the same coroutines, resumed by the NIC's model.
#include <cstdio>
#include <cstdlib>

#include "firmware/collectives/table.hpp"
#include "firmware/native.hpp"
#include "firmware/platform/node.hpp"
#include "firmware/platform/stop.hpp"

namespace annelid::firmware {
namespace {

class HostedNode final : public NativeFirmware {
 public:
  explicit HostedNode(RegisterBus& bus) : node_(Registers(bus)), main_(serve(node_)) {}

  void run() override {
    if (!started_) {
      started_ = true;
      main_.start();
    }
    node_.run();
  }

 private:
  Node node_;  // before the coroutine that lives in it
  Task main_;
  bool started_ = false;
};

}  // namespace

void stop(const char* reason) {
  std::fprintf(stderr, "firmware: %s\n", reason);
  std::abort();
}

std::unique_ptr<NativeFirmware> make_native_firmware(RegisterBus& bus) {
  return std::make_unique<HostedNode>(bus);
}

}  // namespace annelid::firmware
