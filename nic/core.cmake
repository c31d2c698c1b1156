# The RV32IM core with its program loader, and what drives it from the NIC; knows nothing of the NIC
# around it.
annelid_library(annelid_core
  SOURCES core.cpp core_loop.cpp csr.cpp decode.cpp disassemble.cpp elf.cpp processor.cpp
  PRIVATE fmt::fmt)
