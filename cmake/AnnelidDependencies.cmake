# External packages, all from Debian, each behind one imported target.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
pkg_check_modules(TOMLPLUSPLUS REQUIRED IMPORTED_TARGET tomlplusplus)
pkg_check_modules(LIBDW REQUIRED IMPORTED_TARGET libdw) # source lines of firmware

# SystemC: Debian ships a pkg-config file and no CMake package. The library was built as C++17, so
# every C++20 user must name that level, or the link fails on the API-version symbol.
find_package(SystemCLanguage CONFIG QUIET)
if(NOT TARGET SystemC::systemc)
  pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)
  add_library(SystemC::systemc INTERFACE IMPORTED)
  target_link_libraries(SystemC::systemc INTERFACE PkgConfig::SYSTEMC Threads::Threads)
endif()
target_compile_definitions(SystemC::systemc INTERFACE SC_CPLUSPLUS=201703L)

find_package(verilator 5.006 REQUIRED HINTS /usr/share/verilator)
if(ANNELID_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()
if(ANNELID_BENCH)
  find_package(benchmark REQUIRED)
endif()
