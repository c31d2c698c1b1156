// The native routers of a fabric: one array for each configuration, and one for each network in
// planes.
#pragma once

#include <memory>
#include <vector>

#include "systemc/cut/cut.hpp"
#include "systemc/kernel/router_array.hpp"
#include "systemc/kernel/router_array_host.hpp"
#include "systemc/kernel/router_assembly.hpp"
#include "systemc/planes/plane_network.hpp"

namespace annelid::systemc {

/// How native routers are stepped. The results do not depend on it.
enum class KernelKind : std::uint8_t {
  kAutomatic,  ///< in planes where possible
  kRouters,    ///< each router by itself
};

class RouterArrays {
 public:
  explicit RouterArrays(RouterArrayHost& host) : host_(host) {}

  /// To be called before the first router is made.
  void set_kernel(KernelKind kind, PlaneBackend backend) {
    kernel_ = kind;
    backend_ = backend;
  }

  /// The routers of this configuration, to add one to them and to join them. With a cut, only those
  /// of its slab. Throws std::logic_error after start().
  [[nodiscard]] RouterAssembly& assembly(const NetworkConfig& network, Cut* cut);
  /// Whether a network may run in planes.
  [[nodiscard]] bool have_planes_for(const NetworkConfig& network) const {
    return kernel_ == KernelKind::kAutomatic && PlaneNetwork::covers(network);
  }
  /// A whole network in planes, without routers, for the sources and sinks of all its nodes. To be
  /// called before start().
  RouterArray& run_in_planes(const NetworkConfig& network, PlaneTerminals& terminals, Cut* cut);

  /// Nothing else will be added or joined.
  void start();
  [[nodiscard]] bool are_started() const { return started_; }
  /// The routers that were added to the assembly of this configuration, or null if there are none.
  /// After start().
  [[nodiscard]] RouterArray* find(const NetworkConfig& network) const;

  [[nodiscard]] auto begin() const { return arrays_.begin(); }
  [[nodiscard]] auto end() const { return arrays_.end(); }
  [[nodiscard]] std::size_t size() const { return arrays_.size(); }
  /// Of each array; null if one cannot repeat cycles.
  [[nodiscard]] const std::vector<RepeatingRouters*>& repeating() const { return repeating_; }
  /// An array takes flits from sources of its own.
  [[nodiscard]] bool have_sources() const { return have_sources_; }
  /// An array sends flits in the cycle after their grant.
  [[nodiscard]] bool are_pipelined() const { return pipelined_; }

 private:
  RouterArrayHost& host_;
  KernelKind kernel_ = KernelKind::kAutomatic;
  PlaneBackend backend_ = PlaneBackend::kBest;
  std::vector<std::unique_ptr<RouterAssembly>> assemblies_;  // until start()
  std::vector<std::unique_ptr<RouterArray>> arrays_;         // what runs
  std::size_t whole_ = 0;  // the first of them are whole networks in planes
  std::vector<RepeatingRouters*> repeating_;
  bool started_ = false, have_sources_ = false, pipelined_ = false;
};

}  // namespace annelid::systemc
