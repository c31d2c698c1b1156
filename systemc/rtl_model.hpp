// One Verilated router, pin by pin, whatever its configuration. Knows nothing of SystemC's kernel
// and nothing of the model: it only moves values between C++ and the pins of rtl/mesh_router.sv.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "systemc/config.hpp"
#include "systemc/router_state.hpp"

namespace annelid {

class RtlModel {
 public:
  virtual ~RtlModel() = default;

  /// Resets the router; it is then at the start of a cycle with reset values and idle inputs.
  virtual void reset(Address address) = 0;

  /// Inputs of the current cycle; clock() takes them and makes all inputs idle again.
  virtual void set_flit(Port in, const Flit& flit) = 0;
  virtual void set_credit(Port out, Vc vc) = 0;
  /// The edge that ends the cycle.
  virtual void clock() = 0;

  /// Outputs in the current cycle: functions of the registers. False if there is none.
  virtual bool flit(Port out, Flit& flit) const = 0;
  virtual bool credit(Port in, Vc& vc) const = 0;
  /// The registers at the start of the current cycle, from the observation outputs.
  virtual void observe(RouterState& state) const = 0;
};

/// The configurations that the build has Verilated (rtl/CMakeLists.txt lists them).
const std::vector<RouterConfig>& rtl_configurations();

/// Throws ConfigError (key "rtl") if this configuration was not Verilated.
std::unique_ptr<RtlModel> make_rtl_model(const RouterConfig& config);

}  // namespace annelid
