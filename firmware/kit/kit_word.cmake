# How NIC_USES names a code. TABLE is the file that has it.

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
