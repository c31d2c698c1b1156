# The router's sources in compile order, from the list that the command lines of Verilator, Icarus and
# Yosys use too.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/rtl.f ANNELID_RTL_SOURCES)
list(TRANSFORM ANNELID_RTL_SOURCES PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/rtl.f)
