# Settings that every target shares.
option(ANNELID_TESTS "Build the test suite" ON)
set(ANNELID_TEST_SET all CACHE STRING
  "all tests; sanitized: those that CI runs under sanitizers; others: what that leaves out")
set_property(CACHE ANNELID_TEST_SET PROPERTY STRINGS all sanitized others)
if(NOT ANNELID_TEST_SET MATCHES "^(all|sanitized|others)$")
  message(FATAL_ERROR "ANNELID_TEST_SET: found '${ANNELID_TEST_SET}', expected all, sanitized or others")
endif()
set(ANNELID_MPI AUTO CACHE STRING "One network in several processes (mpirun): ON, OFF, or AUTO where MPI is found")
option(ANNELID_BENCH "Build the benchmarks" ON)
option(ANNELID_WERROR "Treat compiler warnings as errors" OFF)
option(ANNELID_INSTRUMENT
  "With Clang: libraries count what of them runs, for scripts/coverage, and for the fuzzers, which are built too" OFF)
set(ANNELID_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_COMPILE_WARNING_AS_ERROR ${ANNELID_WERROR})
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # What ccache asks for before it keeps what was compiled with precompiled headers. What a file depends on, the
  # compiler says: a preprocessor run to find out would make a first build longer.
  set(launcher env CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_DEPEND=1 ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()

if(ANNELID_SANITIZE)
  add_compile_options(-fsanitize=${ANNELID_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  # Programs lie at one address: the tables of sanitizers and coverage hold a million addresses, and a program that may
  # lie anywhere mends all of them each time it starts.
  add_link_options(-fsanitize=${ANNELID_SANITIZE} $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
endif()

# What the libraries are compiled with besides: the edges that guide libFuzzer, and the lines of scripts/coverage. Each
# process writes what it ran to the file that LLVM_PROFILE_FILE names, which the preset of the tests sets. Tests and
# other people's code are not counted.
if(ANNELID_INSTRUMENT)
  set(annelid_instrumentation -fsanitize-coverage=inline-8bit-counters,pc-table -fprofile-instr-generate -fcoverage-mapping
    -fprofile-list=${PROJECT_SOURCE_DIR}/cmake/counted.txt)
  add_link_options(-fprofile-instr-generate)
endif()
if(ANNELID_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Clang 14 cannot compile coroutines with `function`. AddressSanitizer finds what the other three look for, and a
  # build with them takes a quarter longer.
  add_compile_options(-fno-sanitize=function,null,object-size,vptr -Wno-unknown-warning-option)
  # For the few files with the longest functions: checks of each access, which AddressSanitizer checks too. Clang takes
  # minutes for them.
  set(annelid_fewer_checks -fno-sanitize=alignment,pointer-overflow)
endif()

# The warnings of the project's own code. Generated and third-party code does not link this target.
add_library(annelid_warnings INTERFACE)
target_compile_options(annelid_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-qual
  -Wimplicit-fallthrough -Wextra-semi
  # GCC 12 reports operator+(const char*, std::string) falsely (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)

# annelid_library(name SOURCES... [PUBLIC libs...] [PRIVATE libs...] [HEADERS libs...])
# A static library of this folder, included by its path from the root: #include "systemc/network/flit.hpp".
# HEADERS are private libraries of headers alone: who links an installed library does not need them.
# HOT are the sources of a library with annelid_short_build() in which every simulation spends time: they are optimized
# as ever. They are objects of the target NAME_hot.
function(annelid_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;HOT;PUBLIC;PRIVATE;HEADERS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  set(targets ${name})
  if(ARG_HOT)
    add_library(${name}_hot OBJECT ${ARG_HOT})
    target_include_directories(${name}_hot PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:${name}_hot>)
    annelid_together(${name}_hot)
    list(APPEND targets ${name}_hot)
  endif()
  foreach(target ${targets})
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_compile_options(${target} PRIVATE ${annelid_instrumentation})
    target_link_libraries(${target} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
    foreach(library ${ARG_HEADERS} annelid_warnings)
      target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:${library}>)
    endforeach()
  endforeach()
  annelid_installs(${name})
endfunction()

# annelid_installs(name): a library of ours that `cmake --install` installs (AnnelidInstall.cmake). Its users find
# headers in the tree, or where they are installed.
function(annelid_installs name)
  set_property(GLOBAL APPEND PROPERTY ANNELID_LIBRARIES ${name})
  set_property(TARGET ${name} PROPERTY INTERFACE_INCLUDE_DIRECTORIES
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>
    $<INSTALL_INTERFACE:include>)
  get_target_property(type ${name} TYPE)
  if(NOT type STREQUAL INTERFACE_LIBRARY)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
  endif()
endfunction()

option(ANNELID_UNITY "Compile several files of a library at once where that shortens a build; OFF for editors: the preset `edit`" ON)
# annelid_short_build(name): a library with little that is hot in it. Its files are compiled several at a time: most of the
# compiler's work is in headers of others, and the same for all of them. So names in their anonymous namespaces
# must differ.
function(annelid_short_build name)
  if(ANNELID_SANITIZE)
    target_compile_options(${name} PRIVATE -O0)
    if(TARGET ${name}_hot)
      target_compile_options(${name}_hot PRIVATE -O0)
    endif()
  else()
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-Og>)
  endif()
  annelid_together(${name})
endfunction()

# annelid_together(name): the same for a library that is optimized as ever.
function(annelid_together name)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${ANNELID_UNITY} UNITY_BUILD_BATCH_SIZE 36)
endfunction()
