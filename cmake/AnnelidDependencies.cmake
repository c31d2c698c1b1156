# External packages, all from Debian, each behind one imported target.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
if(ANNELID_SANITIZE)
  target_compile_options(fmt::fmt INTERFACE "SHELL:-include ${PROJECT_SOURCE_DIR}/cmake/format_once.hpp")
endif()
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
pkg_check_modules(TOMLPLUSPLUS REQUIRED IMPORTED_TARGET tomlplusplus)
pkg_check_modules(LIBDW REQUIRED IMPORTED_TARGET libdw) # source lines of firmware

include(AnnelidSystemC)

find_package(verilator 5.006 REQUIRED HINTS /usr/share/verilator)
if(ANNELID_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()
if(ANNELID_BENCH)
  find_package(benchmark REQUIRED)
endif()
