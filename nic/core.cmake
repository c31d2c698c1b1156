# The RV32IM core with its program loader, and what drives it from the NIC; knows nothing of the NIC
# around it.
annelid_library(annelid_core
  SOURCES core.cpp core_debug.cpp core_loop.cpp csr.cpp decode.cpp disassemble.cpp elf.cpp processor.cpp starting_ram.cpp
  PUBLIC annelid_interface
  PRIVATE fmt::fmt)
# Clang takes minutes to count the edges of the loop's many jumps for libFuzzer, which does not need them.
if(ANNELID_INSTRUMENT)
  set_source_files_properties(core_loop.cpp PROPERTIES
    COMPILE_OPTIONS "-fno-sanitize-coverage=inline-8bit-counters,pc-table;${annelid_fewer_checks}")
endif()
