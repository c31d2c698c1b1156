# The register map as a C++ header, for firmware (both builds), model and tests:
#   #include "nic_registers.hpp"    with target_link_libraries(... nic_registers)
# A file of its own, guarded, because firmware/ comes before nic/ and needs it as well.
include_guard(GLOBAL)

add_executable(generate_registers ${CMAKE_CURRENT_LIST_DIR}/generate_registers.cpp)
target_link_libraries(generate_registers PRIVATE PkgConfig::TOMLPLUSPLUS annelid_warnings)

set(NIC_REGISTERS_DIR ${PROJECT_BINARY_DIR}/generated)
set(NIC_REGISTERS_HEADER ${NIC_REGISTERS_DIR}/nic_registers.hpp)
file(MAKE_DIRECTORY ${NIC_REGISTERS_DIR})
add_custom_command(
  OUTPUT ${NIC_REGISTERS_HEADER}
  COMMAND generate_registers ${CMAKE_CURRENT_LIST_DIR}/registers.toml ${NIC_REGISTERS_HEADER}
  DEPENDS generate_registers ${CMAKE_CURRENT_LIST_DIR}/registers.toml
  COMMENT "Generating nic_registers.hpp")
add_custom_target(nic_registers_header DEPENDS ${NIC_REGISTERS_HEADER})

add_library(nic_registers INTERFACE)
target_include_directories(nic_registers INTERFACE ${NIC_REGISTERS_DIR})
add_dependencies(nic_registers nic_registers_header)
