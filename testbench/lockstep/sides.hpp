// The two routers of a lockstep run behind one interface: a cycle's inputs go in, its outputs come
// out.
#pragma once

#include <memory>

#include "systemc/cosim/rtl_model.hpp"
#include "testbench/lockstep/geometry.hpp"
#include "testbench/lockstep/neighbours.hpp"
#include "testbench/systemc/one_router.hpp"

namespace annelid::lockstep {

class ModelSide {
 public:
  ModelSide(const systemc::RouterConfig& config, const Place& place);
  [[nodiscard]] systemc::RouterState state() const { return router_.state(); }
  Response cycle(const Stimulus& stimulus);

 private:
  void put(const Stimulus& stimulus);

  systemc::RouterConfig config_;
  systemc::OneRouter router_;
};

class RtlSide {
 public:
  /// `noise` is put on the pins that the router must not read.
  RtlSide(const systemc::RouterConfig& config, const Place& place, Random& noise);
  [[nodiscard]] systemc::RouterState state() const;
  Response cycle(const Stimulus& stimulus);

 private:
  [[nodiscard]] Response outputs() const;

  systemc::RouterConfig config_;
  std::unique_ptr<systemc::RtlModel> rtl_;
};

}  // namespace annelid::lockstep
