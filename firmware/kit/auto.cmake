# cmake -DTUNED=tuned.inc|... -DFALLBACKS=tuned_lookup.inc -DOPERATION=kBroadcast -DAUTO=auto.cpp -P auto.cmake
# Writes what a program has that makes one operation by AUTO: the rows of the tables for this operation, and the names
# of the algorithms in them, so that the linker takes these and no others (auto.hpp).
include(${CMAKE_CURRENT_LIST_DIR}/kit_word.cmake)

# Algorithms that a program gets only if it names them: the blocks of edn-optimal take 25 KB of a core's RAM, and it is
# the fastest for a few hundred bytes alone. Where the program has no algorithm of a row, the lookup goes on.
set(too_large kEdnOptimal)

set(algorithms)
set(row_lines)
set(row_count 0)
set(table)        # the one whose rows are read: its initializer without its rows
set(first_row 0)
foreach(kind TABLE PREPARED)
  set(lines_${kind})
endforeach()

macro(end_table)
  if(table)
    math(EXPR rows "${row_count} - ${first_row}")
    string(APPEND lines_${kind_of_table} "\n    {${table}, ${first_row}, ${rows}},")
  endif()
  set(table)
endmacro()

string(REPLACE "|" ";" TUNED "${TUNED}")
foreach(file IN LISTS TUNED)
  file(STRINGS ${file} lines REGEX "^TUNED_(TABLE|PREPARED|ROW)[(]")
  foreach(line IN LISTS lines)
    if(line MATCHES "^TUNED_(TABLE|PREPARED)[(]([^,]+), *([^,]+), *([^,]+), *([^,]+), *([^)]+)[)]")
      end_table()
      set(kind_of_table ${CMAKE_MATCH_1})
      if(CMAKE_MATCH_2 STREQUAL OPERATION)
        set(network "${CMAKE_MATCH_3}, ${CMAKE_MATCH_4}")
        set(table "reg::Operation::${OPERATION}, ${network}, ${CMAKE_MATCH_6}, ${CMAKE_MATCH_5}")
        set(first_row ${row_count})
      endif()
    elseif(table AND line MATCHES "^TUNED_ROW[(]([^,]+), *([^,]+), *([^)]+)[)]")
      string(APPEND row_lines
        "\n    {${CMAKE_MATCH_1}, static_cast<std::uint8_t>(reg::Algorithm::${CMAKE_MATCH_2}), ${CMAKE_MATCH_3}},")
      list(APPEND algorithms ${CMAKE_MATCH_2})
      math(EXPR row_count "${row_count} + 1")
    endif()
  endforeach()
  end_table()
endforeach()

file(STRINGS ${FALLBACKS} lines REGEX "^ +{${OPERATION}, reg::Algorithm::")
foreach(line IN LISTS lines)
  string(REGEX MATCH "reg::Algorithm::(k[A-Za-z0-9]+)" found "${line}")
  list(APPEND algorithms ${CMAKE_MATCH_1})
endforeach()
list(REMOVE_DUPLICATES algorithms)
list(REMOVE_ITEM algorithms ${too_large})

kit_word(reg::Operation::${OPERATION} operation_word)
set(declarations)
set(candidates)
foreach(algorithm IN LISTS algorithms)
  kit_word(reg::Algorithm::${algorithm} algorithm_word)
  string(APPEND declarations "extern \"C\" const Use nic_uses_${operation_word}_${algorithm_word}[];\n")
  string(APPEND candidates "\n    nic_uses_${operation_word}_${algorithm_word},")
endforeach()

# An array of nothing is none.
set(rows_of "{}")
if(row_lines)
  set(rows_of "kRowsOfTables")
  set(row_lines "constexpr TunedRow kRowsOfTables[] = {${row_lines}};\n")
endif()
foreach(kind TABLE PREPARED)
  set(tables_of_${kind} "{}")
  if(lines_${kind})
    set(tables_of_${kind} "kTables${kind}")
    set(lines_${kind} "constexpr TunedTable kTables${kind}[] = {${lines_${kind}}};\n")
  endif()
endforeach()

file(WRITE ${AUTO} "// Written by firmware/kit/auto.cmake.
#include \"firmware/kit/auto.hpp\"

namespace annelid::firmware::kit {
${declarations}
namespace {
[[maybe_unused]] constexpr bool kMesh = false, kRings = true, kAllPort = false, kOnePort = true;
using enum Ranks::Embedding;
${row_lines}${lines_PREPARED}${lines_TABLE}constexpr const Use* kCandidates[] = {${candidates}};
constexpr AutoTables kTables = {${tables_of_PREPARED}, ${tables_of_TABLE}, ${rows_of}, kCandidates};
CallResult serve_by_auto(Context& me, std::optional<Task>& task) { return serve_auto(kTables, me, task); }
}
NIC_AUTO(${operation_word}) = {
    {reg::Operation::${OPERATION}, reg::Algorithm::kAuto, nullptr, nullptr, nullptr, nullptr, serve_by_auto}};
}
")
