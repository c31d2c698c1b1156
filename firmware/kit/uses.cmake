# cmake -DTABLE=table.inc -DUSES=uses.cpp -P uses.cmake: writes what NIC_USES can name (use.hpp).

# reg::Algorithm::kRecursiveDoubling becomes RECURSIVE_DOUBLING, and reg::Algorithm{64}, a code of one's own, 64.
function(kit_word code result)
  if(code MATCHES "^reg::[A-Za-z]+::k([A-Za-z0-9]+)$")
    string(REGEX REPLACE "([a-z0-9])([A-Z])" "\\1_\\2" word "${CMAKE_MATCH_1}")
  elseif(code MATCHES "^reg::[A-Za-z]+ *[{(] *([0-9]+)U? *[})]$")
    set(word ${CMAKE_MATCH_1})
  else()
    message(FATAL_ERROR "${TABLE}: found ${code}, expected a name as in reg::Algorithm::kEdn, or a code as in reg::Algorithm{64}")
  endif()
  string(TOUPPER "${word}" word)
  set(${result} ${word} PARENT_SCOPE)
endfunction()

file(STRINGS ${TABLE} lines REGEX "^(TREE|COLLECTIVE)[(]")
set(declarations)
set(pairs)
foreach(line IN LISTS lines)
  if(line MATCHES "^TREE[(]([^,]+), *([^,) ]+) *[)]")
    set(algorithm ${CMAKE_MATCH_1})
    set(name ${CMAKE_MATCH_2})
    string(APPEND declarations "namespace annelid::firmware::${name} { extern const TreeRule kRule; }\n")
    set(operations reg::Operation::kBroadcast reg::Operation::kReduce reg::Operation::kGather
      reg::Operation::kScatter reg::Operation::kAllReduce)
    set(serves "nullptr, nullptr, &kPlayer<OPERATION>, &${name}::kRule")
  elseif(line MATCHES "^COLLECTIVE[(]([^,]+), *([^,]+), *([^,) ]+) *[)]")
    set(operations ${CMAKE_MATCH_1})
    set(algorithm ${CMAKE_MATCH_2})
    set(name ${CMAKE_MATCH_3})
    string(APPEND declarations "namespace annelid::firmware::${name} { CallResult check(const Context&); Task run(Context&); }\n")
    set(serves "${name}::check, ${name}::run, nullptr, nullptr")
  else()
    message(FATAL_ERROR "${TABLE}: found ${line}, expected TREE(algorithm, name) or COLLECTIVE(operation, algorithm, name)")
  endif()
  foreach(operation IN LISTS operations)
    kit_word(${operation} operation_word)
    kit_word(${algorithm} algorithm_word)
    set(pair ${operation_word}_${algorithm_word})
    list(APPEND pairs ${pair})
    string(REPLACE OPERATION ${operation} entry "${serves}")
    string(APPEND entries_${pair} "\n    {${operation}, ${algorithm}, ${entry}},")
  endforeach()
endforeach()
list(REMOVE_DUPLICATES pairs)
set(arrays)
foreach(pair IN LISTS pairs)
  string(APPEND arrays "NIC_ENTRIES(${pair}) = {${entries_${pair}}};\n")
endforeach()
file(WRITE ${USES} "// Written by firmware/kit/uses.cmake.
#include \"firmware/kit/use.hpp\"
${declarations}
namespace annelid::firmware::kit {
#define NIC_ENTRIES(pair) \\
  extern \"C\" [[gnu::section(\".nic_uses.\" #pair), gnu::aligned(alignof(Use))]] constexpr Use nic_uses_##pair[]
${arrays}}
")
