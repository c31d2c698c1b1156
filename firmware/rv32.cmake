# annelid_rv32_program(out.elf SOURCES ... LINKER_SCRIPT script.ld [LINK_OPTIONS ...]
#                      [INCLUDES folders... [CHANGES sources...]] [DEPENDS targets...] [SIZES sizes.txt])
# Paths are from the project's root, or absolute. INCLUDES are searched before the project's root.
# SIZES names a file that gets the bytes of each source in the program; they are printed too.
# What the firmware compiles (the global property ANNELID_RV32_COMPILED) is compiled once: other programs link the same
# objects. INCLUDES change what a source sees, so a program with INCLUDES compiles all of its sources. If CHANGES names
# the sources of the firmware that see something else, it compiles only these and its own.
# Compiles and links for the modelled core: RV32IM, freestanding. CMake has one compiler per language
# and project, and it is the host's; so these are custom commands, one per source.
# A folder that calls this includes this file.
find_program(RV32_CXX riscv64-unknown-elf-g++ REQUIRED)
find_program(RV32_SIZE riscv64-unknown-elf-size REQUIRED)
find_program(RV32_AR riscv64-unknown-elf-ar REQUIRED)
find_program(RV32_STRIP riscv64-unknown-elf-strip REQUIRED)
execute_process(COMMAND ${RV32_CXX} -dumpversion OUTPUT_VARIABLE rv32_version
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH "^[0-9]+" rv32_version ${rv32_version})

# The cross compiler comes without C++ headers. Those of the host's libstdc++ of the same version work
# freestanding once their one question about the operating system is answered (freestanding/bits).
file(GLOB rv32_config_headers /usr/include/*/c++/${rv32_version})
if(NOT EXISTS /usr/include/c++/${rv32_version} OR NOT rv32_config_headers)
  message(FATAL_ERROR "${RV32_CXX} ${rv32_version} needs the headers of libstdc++ ${rv32_version} "
    "(package libstdc++-${rv32_version}-dev) in /usr/include/c++/${rv32_version}")
endif()
list(GET rv32_config_headers 0 rv32_config_headers)

# -misa-spec=2.2 accepts CSR instructions and still finds the libgcc of rv32im. Loops in memcpy must
# not become calls of memcpy. No exceptions, no RTTI, no locks or exit handlers for statics.
set(RV32_FLAGS -march=rv32im -misa-spec=2.2 -mabi=ilp32 -ffreestanding)
# Debug information, without variables, is for traces and traps. It is no part of what is loaded.
# The files are the same bytes wherever they are built: sources are in /annelid, and the last mapping counts first. GCC
# hands the assembler only those of debug information.
set(rv32_paths)
foreach(map ${PROJECT_SOURCE_DIR}=/annelid ${PROJECT_BINARY_DIR}=/annelid/build)
  list(APPEND rv32_paths -ffile-prefix-map=${map} -fdebug-prefix-map=${map})
endforeach()
set(RV32_CXXFLAGS ${RV32_FLAGS} -g1 ${rv32_paths} -std=c++20 -fno-exceptions -fno-rtti -fno-threadsafe-statics
  -fno-use-cxa-atexit -fno-tree-loop-distribute-patterns -ffunction-sections -fdata-sections
  -I${PROJECT_SOURCE_DIR} -I${PROJECT_BINARY_DIR}/generated
  -isystem ${CMAKE_CURRENT_LIST_DIR}/platform/rv32/freestanding
  -isystem /usr/include/c++/${rv32_version} -isystem ${rv32_config_headers}
  $<TARGET_PROPERTY:annelid_warnings,INTERFACE_COMPILE_OPTIONS>
  $<$<BOOL:${ANNELID_WERROR}>:-Werror>)

# The sources on a message's path are built to be fast, all others to be small: RAM is 256 KiB. In the platform's folder,
# [^lr] leaves out the recorder, which works only while a call is prepared, and calls within a node.
set(RV32_FAST
  firmware/platform/[^lr]
  firmware/platform/rv32/
  firmware/program/
  firmware/communication/point_to_point.cpp
  firmware/communication/ranks.cpp
  firmware/collectives/edn/edn_mesh.cpp
  firmware/collectives/edn/edn_mesh_geometry.cpp
  firmware/collectives/edn/edn_mesh_startup.cpp
  firmware/collectives/edn/edn_optimal.cpp
  firmware/collectives/exchanges/leaders_scan.cpp
  firmware/collectives/exchanges/simultaneous_binomial.cpp
  firmware/collectives/intercom/hybrid_plan.cpp
  firmware/collectives/pipelines/ranked_scan.cpp
  firmware/collectives/pipelines/ranked_trees.cpp
  firmware/collectives/players/player.cpp
  firmware/collectives/players/ranked.cpp
  firmware/collectives/players/streams.cpp
  firmware/collectives/rings/scatter_allgather.cpp
  firmware/collectives/table.cpp
  firmware/collectives/trees/broadcast.cpp
  firmware/collectives/trees/halving.cpp
  firmware/collectives/trees/recursive_doubling.cpp
  firmware/collectives/trees/tree.cpp
  firmware/collectives/two_trees/two_tree.cpp
  firmware/collectives/two_trees/two_trees.cpp
  kit/print.cpp
  kit/format.cpp
  kit/decimal.cpp)
list(JOIN RV32_FAST "|" RV32_FAST) # a regular expression

# Adds to `objects`. Of an inline function that several sources have, the linker takes the first: the fast one.
macro(annelid_rv32_collect object)
  if(optimize STREQUAL -O2)
    list(PREPEND objects ${object})
  else()
    list(APPEND objects ${object})
  endif()
endmacro()

# annelid_rv32_objects(result FOLDER name SOURCES ... [INCLUDES ... [CHANGES ...]] [DEPENDS ...]): as for
# annelid_rv32_program. Sets `result` to the objects, in the order of linking, and `result`_target to the target that
# makes those that are shared.
function(annelid_rv32_objects result)
  cmake_parse_arguments(ARG "" "FOLDER" "SOURCES;INCLUDES;CHANGES;DEPENDS" ${ARGN})
  set(name ${ARG_FOLDER})
  list(TRANSFORM ARG_INCLUDES PREPEND -I)
  set(objects)
  set(compiled)
  if(ARG_CHANGES OR NOT ARG_INCLUDES)
    get_property(compiled GLOBAL PROPERTY ANNELID_RV32_COMPILED)
    list(REMOVE_ITEM compiled ${ARG_CHANGES})
  endif()
  foreach(source ${ARG_SOURCES})
    set(optimize -Os -msave-restore)
    if(source MATCHES "${RV32_FAST}")
      set(optimize -O2)
    endif()
    if(source IN_LIST compiled)
      annelid_rv32_collect(${PROJECT_BINARY_DIR}/firmware/firmware.rv32/${source}.o)
      set(firmware_target annelid_firmware_elf)
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE path)
    set(object ${source})
    if(IS_ABSOLUTE ${source})
      cmake_path(RELATIVE_PATH object BASE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
    endif()
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.rv32/${object}.o)
    get_filename_component(folder ${object} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${RV32_CXX} ${ARG_INCLUDES} ${RV32_CXXFLAGS} ${optimize} -MMD -MT ${object} -MF ${object}.d
              -c ${path} -o ${object}
      DEPENDS ${path} ${ARG_DEPENDS} annelid_registers_header
              ${PROJECT_BINARY_DIR}/generated/interface/registers.hpp
      DEPFILE ${object}.d
      COMMENT "Building RV32 object ${source}.o"
      COMMAND_EXPAND_LISTS VERBATIM)
    annelid_rv32_collect(${object})
  endforeach()
  set(${result} ${objects} PARENT_SCOPE)
  set(${result}_target ${firmware_target} PARENT_SCOPE)
endfunction()

function(annelid_rv32_program elf)
  cmake_parse_arguments(ARG "" "LINKER_SCRIPT;SIZES" "SOURCES;LINK_OPTIONS;INCLUDES;CHANGES;DEPENDS" ${ARGN})
  get_filename_component(name ${elf} NAME_WE)
  annelid_rv32_objects(objects FOLDER ${name}
    SOURCES ${ARG_SOURCES} INCLUDES ${ARG_INCLUDES} CHANGES ${ARG_CHANGES} DEPENDS ${ARG_DEPENDS})
  set(script ${PROJECT_SOURCE_DIR}/${ARG_LINKER_SCRIPT})
  set(report ${RV32_SIZE} ${elf})
  if(ARG_SIZES)
    set(report awk -v root=${PROJECT_SOURCE_DIR} -f ${PROJECT_SOURCE_DIR}/firmware/report_sizes.awk
        ${elf}.map > ${ARG_SIZES} COMMAND cat ${ARG_SIZES})
  endif()
  add_custom_command(
    OUTPUT ${elf}
    BYPRODUCTS ${ARG_SIZES}
    COMMAND ${RV32_CXX} ${RV32_FLAGS} -nostdlib -nostartfiles -static -Wl,--gc-sections
            -Wl,--fatal-warnings -Wl,--build-id=none -Wl,-Map=${elf}.map ${ARG_LINK_OPTIONS}
            -T ${script} ${objects} -lgcc -o ${elf}
    COMMAND ${report}
    DEPENDS ${objects} ${objects_target} ${script} ${PROJECT_SOURCE_DIR}/firmware/report_sizes.awk
    COMMENT "Linking RV32 program ${name}.elf"
    VERBATIM)
endfunction()
