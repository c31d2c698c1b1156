// One Verilated router, accessed pin by pin, in any configuration. It knows neither SystemC's
// kernel nor the model. It only moves values between C++ and the pins of all_port_router and
// one_port_router (docs/internals/microarchitecture.md, section 8).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "systemc/network/config.hpp"
#include "systemc/network/router_state.hpp"

namespace annelid::systemc {

class RtlModel {
 public:
  virtual ~RtlModel() = default;

  /// Resets the router. It is then at the start of a cycle, with reset values and idle inputs.
  /// `last` has the greatest coordinates, which only rings need.
  virtual void reset(Address address, Address last) = 0;

  /// Sets an input of the current cycle, by link. clock() takes the inputs and makes them idle
  /// again.
  virtual void set_flit(Port in, const Flit& flit) = 0;
  virtual void set_credit(Port out, Vc vc) = 0;
  /// The clock edge that ends the cycle.
  virtual void clock() = 0;

  /// Reads an output of the current cycle, by link. Outputs depend on the registers only. False if
  /// there is no flit or credit.
  virtual bool flit(Port out, Flit& flit) const = 0;
  virtual bool credit(Port in, Vc& vc) const = 0;
  /// The registers at the start of the current cycle, read from the observation outputs, by port of
  /// the switches.
  [[nodiscard]] virtual RouterState observe() const = 0;
  /// The number of flits in the FIFO of an input VC of the switches.
  [[nodiscard]] virtual unsigned flits_in(Port port, Vc vc) const = 0;
  /// Whether no FIFO holds a flit. Flits may still be in switch and link registers.
  [[nodiscard]] virtual bool fifos_empty() const = 0;
  /// The number of flits that switch allocation grants in the current cycle.
  [[nodiscard]] virtual int grants() const = 0;
};

/// "all-port, 2 dimensions, 4 local ports, 1 VC, 1 local VC, control VCs, depth 4, 1 stage, ..."
std::string describe(const RouterConfig& config);

/// A row of rtl/configurations.txt.
struct ListedRouter {
  RouterConfig config;
  bool ci = false;         ///< every build Verilates it
  bool verilated = false;  ///< this build has Verilated it
};
const std::vector<ListedRouter>& listed_rtl_configurations();

/// The configurations that this build has Verilated.
std::vector<RouterConfig> rtl_configurations();

/// Makes a router of one configuration.
using RtlMaker = std::unique_ptr<RtlModel> (*)(const RouterConfig&);
/// Adds a router that was Verilated after the build. It stays for the life of the process.
void add_rtl_model(const RouterConfig& config, RtlMaker make);
/// Whether this configuration was Verilated.
[[nodiscard]] bool has_rtl_model(const RouterConfig& config);

/// Throw ConfigError (key "rtl") if this configuration was not Verilated.
void require_rtl_model(const RouterConfig& config);
std::unique_ptr<RtlModel> make_rtl_model(const RouterConfig& config);

}  // namespace annelid::systemc
