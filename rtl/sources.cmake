# The router's sources in compile order: the package, then leaves before their users. rtl.f says the
# same for the command lines of Verilator, Icarus and Yosys.
set(ANNELID_RTL_SOURCES
  ${CMAKE_CURRENT_LIST_DIR}/noc_pkg.sv
  ${CMAKE_CURRENT_LIST_DIR}/invariant.sv
  ${CMAKE_CURRENT_LIST_DIR}/flit_fifo.sv
  ${CMAKE_CURRENT_LIST_DIR}/rr_arbiter.sv
  ${CMAKE_CURRENT_LIST_DIR}/credit_counter.sv
  ${CMAKE_CURRENT_LIST_DIR}/route_xy.sv
  ${CMAKE_CURRENT_LIST_DIR}/input_vc.sv
  ${CMAKE_CURRENT_LIST_DIR}/input_port.sv
  ${CMAKE_CURRENT_LIST_DIR}/output_port.sv
  ${CMAKE_CURRENT_LIST_DIR}/crossbar.sv
  ${CMAKE_CURRENT_LIST_DIR}/mesh_router.sv)
