# How tests are built.
# The tests' own code is compiled for a short build, what they test as ever. (-fpch-preprocess is for ccache.)
set(tests_own_code $<$<CONFIG:Release>:-Og> $<$<CONFIG:RelWithDebInfo>:-O0>
  $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)

# The headers that nearly every test includes, compiled once: half of a test's compile time. Two of them, as <systemc>
# asks for its library.
function(annelid_test_headers name)
  add_library(${name} OBJECT ${PROJECT_SOURCE_DIR}/testbench/headers.cpp)
  target_compile_options(${name} PRIVATE ${tests_own_code})
  target_link_libraries(${name} PRIVATE annelid_warnings GTest::gtest GTest::gmock nlohmann_json::nlohmann_json)
  target_precompile_headers(${name} PRIVATE
    <algorithm> <functional> <map> <memory> <optional> <string> <vector> <gmock/gmock.h> <gtest/gtest.h>
    <nlohmann/json.hpp>)
endfunction()
annelid_test_headers(annelid_test_headers)
annelid_test_headers(annelid_test_headers_systemc)
target_link_libraries(annelid_test_headers_systemc PRIVATE SystemC::systemc)
target_precompile_headers(annelid_test_headers_systemc PRIVATE <systemc>)

# For programs whose cases use SystemC.
add_library(annelid_elaboration_each OBJECT ${PROJECT_SOURCE_DIR}/testbench/elaboration_each.cpp)
target_include_directories(annelid_elaboration_each PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(annelid_elaboration_each PRIVATE annelid_warnings GTest::gtest)

# annelid_unsanitized_cases(variable test (CASES REASON)...): the filters of all CASES in one. Each has its reason.
function(annelid_unsanitized_cases variable test)
  set(filters "")
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest cases reason)
    if(NOT reason MATCHES " ")
      message(FATAL_ERROR "${test}: UNSANITIZED \"${cases}\": found '${reason}', expected the reason")
    endif()
    list(APPEND filters ${cases})
  endwhile()
  list(JOIN filters ":" filters)
  set(${variable} "${filters}" PARENT_SCOPE)
endfunction()

# annelid_test(name SOURCES... LIBS... [LABELS...] [UNSANITIZED (CASES REASON)...] [ALONE]): one GoogleTest program. CTest
# runs every case in a process of its own, scripts/test several cases in one process (testbench/together.py) unless they
# are ALONE.
# CI runs each fast test once, under sanitizers, and the others in the release build (ANNELID_TEST_SET). UNSANITIZED
# cases are for the release build alone: a filter of GoogleTest, and the reason why they are not made cheaper. They get
# a label that ends in `unsanitized`. A program that has such cases is in both builds. In a folder that sets
# annelid_without_sanitizers, all tests are in the release build alone.
# ANY_PROGRAM: see annelid_program_test.
function(annelid_test name)
  cmake_parse_arguments(ARG "ALONE;ANY_PROGRAM" "" "SOURCES;LIBS;LABELS;UNSANITIZED" ${ARGN})
  if(ARG_ALONE)
    list(APPEND ARG_LABELS alone)
  endif()
  set(too_long ${annelid_without_sanitizers})
  if("${ARG_LABELS};${ARG_LIBS}" MATCHES "slow|full|schedules|annelid_rtl")
    set(too_long ON)
  endif()
  set(chosen ON)
  if(ANNELID_TEST_SET STREQUAL "sanitized" AND (too_long OR ARG_ANY_PROGRAM))
    set(chosen OFF)
  elseif(ANNELID_TEST_SET STREQUAL "others" AND NOT too_long AND NOT ARG_UNSANITIZED AND NOT ARG_ANY_PROGRAM)
    set(chosen OFF)
  endif()
  add_executable(${name} $<TARGET_OBJECTS:annelid_test_main> ${ARG_SOURCES})
  target_compile_options(${name} PRIVATE ${tests_own_code})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} annelid_warnings GTest::gtest GTest::gmock)
  if(ARG_LIBS MATCHES "annelid_(systemc|nic|traffic|waves|cosim)(;|$)")
    target_precompile_headers(${name} REUSE_FROM annelid_test_headers_systemc)
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:annelid_elaboration_each>)
  else()
    target_precompile_headers(${name} REUSE_FROM annelid_test_headers)
  endif()
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
  annelid_together(${name})
  if(NOT chosen)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  else()
    set(prefix)
    if("full" IN_LIST ARG_LABELS) # a fast test may be a part of a long one, with the same name
      set(prefix TEST_PREFIX full.)
    endif()
    # Without values: each parameter has a name, and what gtest prints of it can be an address that changes.
    set(discover DISCOVERY_TIMEOUT 60 NO_PRETTY_VALUES ${prefix})
    annelid_unsanitized_cases(cases ${name} ${ARG_UNSANITIZED})
    if(cases)
      set(label ${ARG_LABELS} unsanitized)
      list(JOIN label "-" label)
      gtest_discover_tests(${name} TEST_FILTER "${cases}" TEST_LIST unsanitized ${discover}
        PROPERTIES TIMEOUT 600 LABELS "${label}")
      set(cases TEST_FILTER "-${cases}")
    endif()
    list(JOIN ARG_LABELS "-" label) # one: gtest_discover_tests() takes no list
    gtest_discover_tests(${name} ${cases} ${discover} PROPERTIES TIMEOUT 600 LABELS "${label}")
  endif()
endfunction()

# Runs the program for all of them.
add_library(annelid_program_runner OBJECT ${PROJECT_SOURCE_DIR}/testbench/end_to_end/program.cpp)
target_compile_options(annelid_program_runner PRIVATE ${tests_own_code})
target_compile_definitions(annelid_program_runner PRIVATE
  ANNELID_PROGRAM="$<TARGET_FILE:annelid>"
  ANNELID_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_include_directories(annelid_program_runner PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(annelid_program_runner PRIVATE annelid_warnings GTest::gtest GTest::gmock nlohmann_json::nlohmann_json)
target_precompile_headers(annelid_program_runner REUSE_FROM annelid_test_headers)

# annelid_program_test(name SOURCES... [LIBS...] LABELS... [UNSANITIZED...]): a test that runs the program as its user does, with
# testbench/end_to_end/program.hpp. It is compiled once, in the release build. There CI runs it with the program of the
# sanitizer build, which the variable ANNELID_PROGRAM names (test preset sanitized-program). Its label is program-any.
function(annelid_program_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS;LABELS;UNSANITIZED" ${ARGN})
  if(NOT annelid_without_sanitizers)
    list(TRANSFORM ARG_LABELS REPLACE "^program$" "program-any")
  endif()
  annelid_test(${name} ANY_PROGRAM
    SOURCES $<TARGET_OBJECTS:annelid_program_runner> ${ARG_SOURCES}
    LIBS ${ARG_LIBS} nlohmann_json::nlohmann_json
    LABELS ${ARG_LABELS}
    UNSANITIZED ${ARG_UNSANITIZED})
  add_dependencies(${name} annelid)
  target_compile_definitions(${name} PRIVATE
    ANNELID_PROGRAM="$<TARGET_FILE:annelid>"
    ANNELID_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
endfunction()
