# The public API: what a user's program may include, as <annelid/...>. docs/how-to/use-the-library.md names the
# libraries. `cmake --install` installs these headers, and those that they include.
set(ANNELID_PUBLIC_HEADERS
  # What all of them use: errors, and the progress of a long job.
  base/child_process.hpp base/input_error.hpp base/progress.hpp base/run_failure.hpp base/version.hpp
  # Annelid::systemc and Annelid::cosim
  systemc/analysis/deadlock.hpp systemc/analysis/flit_log.hpp systemc/analysis/observer_tee.hpp
  systemc/analysis/packet_tracker.hpp systemc/cosim/rtl_model.hpp systemc/cosim/rtl_router.hpp
  systemc/network/config.hpp systemc/network/node_text.hpp systemc/network/observer.hpp
  systemc/network/router_state.hpp systemc/modules/elaboration.hpp systemc/fabric/fabric.hpp
  systemc/modules/local_port.hpp systemc/modules/network.hpp
  # Annelid::nic, and the registers of the NIC
  interface/names.hpp interface/registers.hpp nic/nic.hpp nic/nic_config.hpp nic/nic_observer.hpp
  # Annelid::traffic
  traffic/analysis.hpp traffic/endpoints.hpp traffic/injection.hpp traffic/open_loop.hpp traffic/packet_log.hpp
  traffic/pattern.hpp traffic/saturation.hpp traffic/statistics.hpp traffic/synthetic.hpp traffic/trace_file.hpp
  traffic/trace_workload.hpp traffic/workload.hpp traffic/zero_load.hpp
  # Annelid::waves and Annelid::timeline
  waves/fst_reader.hpp waves/fst_writer.hpp waves/gtkw.hpp waves/wave_trace.hpp
  timeline/journeys.hpp timeline/page.hpp timeline/perfetto_trace.hpp timeline/stall.hpp timeline/waits.hpp
  # Annelid::reference
  reference/catalogue.hpp reference/costs/ccl_model.hpp reference/costs/communication_models.hpp
  reference/checks/contention.hpp
  reference/costs/critical_path.hpp reference/schedule/data_flow.hpp reference/schedule/embedding.hpp
  reference/costs/formulas.hpp
  reference/costs/latency.hpp reference/operations.hpp reference/costs/tau_model.hpp
  # Annelid::simulation
  simulation/program_run.hpp simulation/run.hpp simulation/scenario/scenario.hpp
  simulation/scenario/traffic_scenario.hpp simulation/traffic_run.hpp
  # Annelid::studies, Annelid::cost, Annelid::reproduction
  studies/check/check.hpp studies/cost/estimate.hpp studies/reproduce/reproduce.hpp studies/schedule/drawing.hpp
  studies/schedule/text.hpp studies/sweep/sweep.hpp studies/tau/tau.hpp studies/tune/tune.hpp)
