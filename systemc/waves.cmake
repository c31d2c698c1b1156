# Waveforms. The FST library is the copy that ships with Verilator: no Debian package has it alone.
find_path(ANNELID_FSTAPI_DIR fstapi.h
  HINTS ${VERILATOR_ROOT}/include $ENV{VERILATOR_ROOT}/include /usr/share/verilator/include
  PATH_SUFFIXES gtkwave REQUIRED)
add_library(annelid_fstapi STATIC
  ${ANNELID_FSTAPI_DIR}/fstapi.c ${ANNELID_FSTAPI_DIR}/fastlz.c ${ANNELID_FSTAPI_DIR}/lz4.c)
target_include_directories(annelid_fstapi SYSTEM PUBLIC ${ANNELID_FSTAPI_DIR})
target_compile_definitions(annelid_fstapi PRIVATE FST_CONFIG_INCLUDE="fst_config.h")
# Not our code: its warnings and its unaligned accesses are not ours to mend.
target_compile_options(annelid_fstapi PRIVATE -w -fno-sanitize=all)
target_link_libraries(annelid_fstapi PUBLIC ZLIB::ZLIB)

annelid_library(annelid_waves
  SOURCES fst_block.cpp fst_file.cpp fst_reader.cpp fst_writer.cpp gtkw.cpp packet_texts.cpp
    wave_records.cpp wave_registers.cpp wave_signals.cpp wave_trace.cpp wave_view.cpp
  PUBLIC annelid_systemc
  PRIVATE annelid_fstapi fmt::fmt)
