#include "systemc/fabric/router_arrays.hpp"

#include <stdexcept>
#include <utility>

#include "systemc/planes/plane_array.hpp"
#include "systemc/planes/plane_assembly.hpp"

namespace annelid::systemc {

RouterAssembly& RouterArrays::assembly(const NetworkConfig& network, Cut* cut) {
  if (started_) throw std::logic_error("no router can be added or joined after the elaboration");
  for (const auto& assembly : assemblies_) {
    if (assembly->view().network() == network) return *assembly;
  }
  assemblies_.push_back(have_planes_for(network)
                            ? std::make_unique<PlaneAssembly>(network, host_, backend_, cut)
                            : RouterAssembly::make(network, host_, cut));
  pipelined_ |= network.router.stages > 1;
  return *assemblies_.back();
}

RouterArray& RouterArrays::run_in_planes(const NetworkConfig& network, PlaneTerminals& terminals,
                                         Cut* cut) {
  if (started_) throw std::logic_error("no network can be added after the elaboration");
  arrays_.push_back(std::make_unique<PlaneArray>(network, host_, backend_, terminals, cut));
  whole_ = arrays_.size();
  pipelined_ |= network.router.stages > 1;
  return *arrays_.back();
}

void RouterArrays::start() {
  started_ = true;
  for (auto& assembly : std::exchange(assemblies_, {})) {
    arrays_.push_back(RouterAssembly::start(std::move(assembly)));
  }
  for (const auto& array : arrays_) {
    have_sources_ |= array->has_sources();
    repeating_.push_back(array->repeating());
  }
}

RouterArray* RouterArrays::find(const NetworkConfig& network) const {
  for (std::size_t i = whole_; i < arrays_.size(); ++i) {
    if (arrays_[i]->network() == network) return arrays_[i].get();
  }
  return nullptr;
}

}  // namespace annelid::systemc
