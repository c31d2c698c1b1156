# The wrapper that makes a Verilated router a node of the network.
annelid_library(annelid_rtl_router
  SOURCES rtl_router.cpp
  PUBLIC annelid_systemc annelid_rtl_models)
