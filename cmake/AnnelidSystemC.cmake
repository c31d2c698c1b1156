# The target SystemC::systemc; also part of the installed package. Debian ships a pkg-config file and no CMake
# package. The library was built as C++17, so every C++20 user must name that level, or the link fails on the
# API-version symbol.
find_package(SystemCLanguage CONFIG QUIET)
if(NOT TARGET SystemC::systemc)
  pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)
  add_library(SystemC::systemc INTERFACE IMPORTED)
  target_link_libraries(SystemC::systemc INTERFACE PkgConfig::SYSTEMC Threads::Threads)
endif()
target_compile_definitions(SystemC::systemc INTERFACE SC_CPLUSPLUS=201703L)
