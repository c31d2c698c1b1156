# For editors: compile_commands.json lists what targets of this build compile. Sources that the cross compiler alone
# compiles, by custom commands, and those that only a build by Clang has, are listed by targets that nothing builds.
include(${PROJECT_SOURCE_DIR}/firmware/rv32.cmake)
file(GLOB_RECURSE core_sources CONFIGURE_DEPENDS
  firmware/platform/rv32/*.cpp firmware/*_rv32.cpp firmware/program/rv32_*.cpp firmware/kit/runtime.cpp
  testbench/firmware/*_rv32.cpp testbench/end_to_end/programs/*.cpp examples/programs/*.cpp)
add_library(annelid_editor_core OBJECT EXCLUDE_FROM_ALL ${core_sources})
target_include_directories(annelid_editor_core PRIVATE
  ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated firmware/kit/include ${PROJECT_BINARY_DIR}/share/annelid/kit/include)
target_include_directories(annelid_editor_core SYSTEM BEFORE PRIVATE
  firmware/platform/rv32/freestanding /usr/include/c++/${rv32_version} ${rv32_config_headers})
target_compile_options(annelid_editor_core PRIVATE
  --target=riscv32-unknown-elf -march=rv32im -mabi=ilp32 -nostdinc++ -ffreestanding -fno-exceptions -fno-rtti)

add_library(annelid_editor_fuzzer OBJECT EXCLUDE_FROM_ALL testbench/fuzz/fuzz_target.cpp)
target_include_directories(annelid_editor_fuzzer PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
