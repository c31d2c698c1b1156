# `cmake --install`: what annelid_library() has noted becomes a package that other projects use. The component `program`
# is the program and its files, `development` what other projects are built with, `documentation` the documents.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(ANNELID_DATA_DIR ${CMAKE_INSTALL_DATADIR}/annelid)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Annelid)

# --- libraries -----------------------------------------------------------------------------------
get_property(libraries GLOBAL PROPERTY ANNELID_LIBRARIES)
list(REMOVE_ITEM libraries annelid_cli)
foreach(library IN LISTS libraries)
  string(REGEX REPLACE "^annelid_" "" name ${library})
  set_target_properties(${library} PROPERTIES EXPORT_NAME ${name})
endforeach()
install(TARGETS ${libraries} EXPORT AnnelidTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(EXPORT AnnelidTargets NAMESPACE Annelid:: DESTINATION ${package_dir} COMPONENT development)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/AnnelidConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/AnnelidConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS ANNELID_DATA_DIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/AnnelidConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/AnnelidConfig.cmake
  ${PROJECT_BINARY_DIR}/package/AnnelidConfigVersion.cmake ${CMAKE_CURRENT_LIST_DIR}/AnnelidSystemC.cmake
  DESTINATION ${package_dir} COMPONENT development)

# pkg-config wants the libraries in the order in which the linker needs them: users before what they use, the
# reverse of the order of the folders.
set(ANNELID_PC_LIBRARIES "")
foreach(library IN LISTS libraries)
  get_target_property(type ${library} TYPE)
  if(type STREQUAL STATIC_LIBRARY)
    string(PREPEND ANNELID_PC_LIBRARIES "-l${library} ")
  endif()
endforeach()
set(ANNELID_PC_SYSTEM -pthread)
if(NOT ANNELID_RTL STREQUAL "none")
  string(APPEND ANNELID_PC_SYSTEM " -latomic") # of Verilator's runtime
endif()
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
  BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig OUTPUT_VARIABLE ANNELID_PREFIX_FROM_PC)
configure_file(${CMAKE_CURRENT_LIST_DIR}/annelid.pc.in ${PROJECT_BINARY_DIR}/package/annelid.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/annelid.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# --- headers -------------------------------------------------------------------------------------
set(rooms base interface reference firmware systemc deadlock traffic nic waves timeline simulation studies)
install(CODE "
  set(source \"${PROJECT_SOURCE_DIR}\")
  set(generated \"${PROJECT_BINARY_DIR}/generated\")
  set(staging \"${PROJECT_BINARY_DIR}/package/include\")
  set(destination \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_INCLUDEDIR}/annelid\")
  set(rooms ${rooms})
  include(\"${CMAKE_CURRENT_LIST_DIR}/install_headers.cmake\")" COMPONENT development)

# --- the program and its files -------------------------------------------------------------------
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
install(TARGETS annelid RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
get_property(firmware GLOBAL PROPERTY ANNELID_FIRMWARE_ELF)
install(FILES ${firmware} DESTINATION ${ANNELID_DATA_DIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/rtl ${PROJECT_SOURCE_DIR}/scenarios DESTINATION ${ANNELID_DATA_DIR}
  PATTERN *.py EXCLUDE PATTERN *.cmake EXCLUDE)
# By these, --rtl makes the routers that the program was built without.
foreach(file cosim/cosim_router.sv cosim/rtl_model.hpp cosim/rtl_model_of.hpp cosim/rtl_pins.hpp
    network/config.hpp network/flit.hpp network/router_state.hpp network/types.hpp)
  cmake_path(GET file PARENT_PATH folder)
  install(FILES ${PROJECT_SOURCE_DIR}/systemc/${file} DESTINATION ${ANNELID_DATA_DIR}/systemc/${folder})
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/generated/interface/router.hpp ${PROJECT_BINARY_DIR}/generated/interface/router_fields.inc
  DESTINATION ${ANNELID_DATA_DIR}/interface)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/firmware ${PROJECT_SOURCE_DIR}/examples/programs DESTINATION ${ANNELID_DATA_DIR})
install(DIRECTORY ${PROJECT_BINARY_DIR}/share/annelid/kit DESTINATION ${ANNELID_DATA_DIR})
install(FILES ${PROJECT_SOURCE_DIR}/Bender.yml DESTINATION ${ANNELID_DATA_DIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/waves/views DESTINATION ${ANNELID_DATA_DIR})
install(FILES ${PROJECT_BINARY_DIR}/share/annelid/commit DESTINATION ${ANNELID_DATA_DIR} OPTIONAL)

# The manual pages are what the program says of itself. Where there is no Python, there are none.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  install(CODE "
    set(pages \"${PROJECT_BINARY_DIR}/package/man1\")
    file(REMOVE_RECURSE \"\${pages}\")
    execute_process(COMMAND \"${Python3_EXECUTABLE}\" -B \"${PROJECT_SOURCE_DIR}/scripts/manual-pages\"
      \"$<TARGET_FILE:annelid>\" \"\${pages}\" COMMAND_ERROR_IS_FATAL ANY)
    file(INSTALL \"\${pages}\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}\")")
endif()

# --- documents -----------------------------------------------------------------------------------
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME documentation)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY docs examples reproduced DESTINATION ${CMAKE_INSTALL_DOCDIR} USE_SOURCE_PERMISSIONS)

# --- and away again ------------------------------------------------------------------------------
add_custom_target(uninstall
  COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -P ${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake
  COMMENT "Removes what cmake --install has installed" VERBATIM)

# The program looks for its files beside itself, at ../share/annelid; so does the one of the build tree, in cli/.
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/annelid)
foreach(folder rtl systemc)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${PROJECT_BINARY_DIR}/share/annelid/${folder} SYMBOLIC)
endforeach()
file(CREATE_LINK ${PROJECT_BINARY_DIR}/generated/interface ${PROJECT_BINARY_DIR}/share/annelid/interface SYMBOLIC)

include(AnnelidPackages)
