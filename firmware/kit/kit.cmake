# The kit for programs of the nodes: libkit.a, start-up code, linker script and headers, in share/annelid/kit of the
# build tree and of an installation. `annelid firmware build` uses them.
set(kit_folder ${PROJECT_BINARY_DIR}/share/annelid/kit)
file(MAKE_DIRECTORY ${kit_folder})

# What NIC_USES can name, from a table: this project's own, or one with collectives of a reader's.
function(annelid_kit_uses uses table)
  add_custom_command(OUTPUT ${uses}
    COMMAND ${CMAKE_COMMAND} -DTABLE=${table} -DUSES=${uses} -P ${PROJECT_SOURCE_DIR}/firmware/kit/uses.cmake
    DEPENDS ${table} ${PROJECT_SOURCE_DIR}/firmware/kit/uses.cmake
    COMMENT "Naming the collectives of ${table}"
    VERBATIM)
endfunction()
set(uses ${PROJECT_BINARY_DIR}/generated/kit/uses.cpp)
annelid_kit_uses(${uses} ${PROJECT_SOURCE_DIR}/firmware/collectives/table.inc)

# --- for native programs -------------------------------------------------------------------------
# The sources of the kit for the host, in a library of which a program takes what it needs: `annelid firmware build --native`
# makes a shared object of it. Names of the C library are the kit's own, so there is no hosted C++ library either.
file(GLOB kit_native_sources RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS kit/*.cpp kit/native/*.cpp)
list(REMOVE_ITEM kit_native_sources kit/runtime.cpp)
# A program has other functions in the place of those of the table.
set(kit_native_code ${FIRMWARE_SOURCES})
list(REMOVE_ITEM kit_native_code collectives/table.cpp collectives/tuned.cpp)
add_library(annelid_kit_native_code OBJECT ${kit_native_code})
add_library(annelid_kit_native STATIC ${kit_native_sources} ${uses})
foreach(library annelid_kit_native_code annelid_kit_native)
  target_link_libraries(${library} PRIVATE annelid_interface annelid_warnings)
  target_include_directories(${library} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
  target_include_directories(${library} SYSTEM PRIVATE kit/native/freestanding kit/freestanding platform/rv32/freestanding)
  target_compile_options(${library} PRIVATE -O2 -g0 -ffreestanding -ffp-contract=off -fvisibility=hidden
    -fno-threadsafe-statics -ffunction-sections -fdata-sections $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique -Wno-subobject-linkage>)
  if(ANNELID_SANITIZE)
    target_compile_options(${library} PRIVATE -fno-sanitize=all) # a program is linked without the sanitizers' libraries
  endif()
  set_target_properties(${library} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON)
endforeach()
annelid_together(annelid_kit_native_code)
target_sources(annelid_kit_native PRIVATE $<TARGET_OBJECTS:annelid_kit_native_code>)
set_target_properties(annelid_kit_native PROPERTIES ARCHIVE_OUTPUT_DIRECTORY ${kit_folder} OUTPUT_NAME kit_native)

# --- the library ---------------------------------------------------------------------------------
file(GLOB kit_sources RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS kit/*.cpp)
annelid_rv32_objects(kit_objects FOLDER kit
  SOURCES ${kit_sources} ${uses} firmware/platform/rv32/memory_functions.cpp firmware/platform/rv32/runtime.cpp ${core_sources}
  DEPENDS ${NIC_CODES_HEADER})
annelid_rv32_objects(kit_start FOLDER kit SOURCES firmware/kit/start.S)
add_custom_command(OUTPUT ${kit_folder}/libkit.a
  COMMAND ${CMAKE_COMMAND} -E rm -f ${kit_folder}/libkit.a
  COMMAND ${RV32_AR} rcsD ${kit_folder}/libkit.a ${kit_objects}
  DEPENDS ${kit_objects} annelid_firmware_elf
  COMMENT "Linking RV32 library libkit.a"
  VERBATIM)
add_custom_command(OUTPUT ${kit_folder}/start.o
  COMMAND ${RV32_STRIP} --strip-debug --keep-section=.debug_frame -o ${kit_folder}/start.o ${kit_start} # it names this folder
  DEPENDS ${kit_start} VERBATIM)
# Copies, so that the folder is complete by itself.
set(kit_files)
file(GLOB kit_headers RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/kit CONFIGURE_DEPENDS kit/include/*.h kit/include/c* kit/freestanding/bits/*.h)
foreach(file program.ld native/native.ld native/freestanding/bit ${kit_headers})
  add_custom_command(OUTPUT ${kit_folder}/${file}
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_SOURCE_DIR}/kit/${file} ${kit_folder}/${file}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/kit/${file} VERBATIM)
  list(APPEND kit_files ${kit_folder}/${file})
endforeach()
foreach(file bits/os_defines.h)
  add_custom_command(OUTPUT ${kit_folder}/freestanding/${file}
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_SOURCE_DIR}/platform/rv32/freestanding/${file} ${kit_folder}/freestanding/${file}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/platform/rv32/freestanding/${file} VERBATIM)
  list(APPEND kit_files ${kit_folder}/freestanding/${file})
endforeach()
add_custom_command(OUTPUT ${kit_folder}/include/nic_codes.h
  COMMAND ${CMAKE_COMMAND} -E copy ${NIC_CODES_HEADER} ${kit_folder}/include/nic_codes.h
  DEPENDS ${NIC_CODES_HEADER} annelid_registers_header VERBATIM)
list(APPEND kit_files ${kit_folder}/include/nic_codes.h)

# --- for collectives -----------------------------------------------------------------------------
# The firmware without its table, and what a collective and a table are compiled with: `annelid firmware build --table`
# makes the firmware again, with collectives of the user in it.
set(collectives_folder ${kit_folder}/collectives)
set(collectives_sources ${program_sources})
list(REMOVE_ITEM collectives_sources firmware/collectives/table.cpp firmware/platform/rv32/crt0.S)
annelid_rv32_objects(collectives_objects FOLDER kit SOURCES ${collectives_sources})
add_custom_command(OUTPUT ${collectives_folder}/libfirmware.a
  COMMAND ${CMAKE_COMMAND} -E rm -f ${collectives_folder}/libfirmware.a
  COMMAND ${RV32_AR} rcsD ${collectives_folder}/libfirmware.a ${collectives_objects}
  DEPENDS ${collectives_objects} annelid_firmware_elf
  COMMENT "Linking RV32 library libfirmware.a"
  VERBATIM)
list(APPEND kit_files ${collectives_folder}/libfirmware.a)
function(annelid_kit_copy from to)
  add_custom_command(OUTPUT ${collectives_folder}/${to}
    COMMAND ${CMAKE_COMMAND} -E copy ${from} ${collectives_folder}/${to}
    DEPENDS ${from} ${ARGN} VERBATIM)
  set(kit_files ${kit_files} ${collectives_folder}/${to} PARENT_SCOPE)
endfunction()
annelid_kit_copy(${PROJECT_BINARY_DIR}/firmware/firmware.rv32/firmware/platform/rv32/crt0.S.o crt0.o annelid_firmware_elf)
annelid_kit_copy(${CMAKE_CURRENT_SOURCE_DIR}/platform/rv32/link.ld link.ld)
annelid_kit_copy(${CMAKE_CURRENT_SOURCE_DIR}/platform/rv32/freestanding/bits/os_defines.h freestanding/bits/os_defines.h)
annelid_kit_copy(${PROJECT_BINARY_DIR}/generated/interface/registers.hpp interface/registers.hpp annelid_registers_header)
file(GLOB collectives_files RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/interface/*.hpp
  *.hpp platform/*.hpp communication/*.hpp collectives/*.hpp collectives/*/*.hpp collectives/table.cpp collectives/table.inc)
foreach(file IN LISTS collectives_files)
  annelid_kit_copy(${PROJECT_SOURCE_DIR}/${file} ${file})
endforeach()

add_custom_target(annelid_kit ALL DEPENDS annelid_kit_native ${kit_folder}/libkit.a ${kit_folder}/start.o ${kit_files})
