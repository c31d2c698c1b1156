# The RV32IM core and its program loader; knows nothing of the NIC around it.
annelid_library(annelid_core
  SOURCES core.cpp decode.cpp elf.cpp
  PRIVATE fmt::fmt)
