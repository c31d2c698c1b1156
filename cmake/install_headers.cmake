# Installs the headers of the public API (public_headers.cmake) and those that they include below `destination`, and
# makes "systemc/fabric/fabric.hpp" of an include "annelid/systemc/...", so that no folder of a user can be taken for
# one of ours.
#
# source: the project's root. generated: the folder of generated headers. staging: where changed copies are kept.
# rooms: the folders whose headers may be public.
#
# Fails if a header includes a third-party library other than SystemC, or what is for the project's own sources alone:
# implementations, the pins of Verilated routers, and the kernels of planes, which are compiled for one kind of
# processor.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/public_headers.cmake)
string(REPLACE ";" "|" any_room "${rooms}")
set(kernels "planes/plane(_(rows|arbiters|links|pipeline|kernels?))?[.]hpp")
set(private "#include *(<(fmt|nlohmann|toml\\+\\+|CLI|elfutils|verilated|immintrin)|\"(systemc/(cosim/rtl_pins|${kernels})|[^\"]*_impl[.]hpp))")

set(waiting ${ANNELID_PUBLIC_HEADERS})
set(seen "")
while(waiting)
  list(POP_FRONT waiting header)
  if(header IN_LIST seen)
    continue()
  endif()
  list(APPEND seen ${header})
  set(file ${source}/${header})
  if(NOT EXISTS ${file})
    set(file ${generated}/${header})
  endif()
  file(READ ${file} text)
  if(text MATCHES "${private}")
    message(FATAL_ERROR "${header}: found ${CMAKE_MATCH_0}, which no public header may include")
  endif()
  string(REGEX MATCHALL "#include \"(${any_room})/[^\"]+" includes "${text}")
  list(TRANSFORM includes REPLACE "#include \"" "")
  list(APPEND waiting ${includes})
  string(REGEX REPLACE "(#include \")((${any_room})/)" "\\1annelid/\\2" text "${text}")
  file(CONFIGURE OUTPUT ${staging}/${header} CONTENT "${text}" @ONLY) # keeps the time of an unchanged file
  cmake_path(GET header PARENT_PATH folder)
  file(INSTALL ${staging}/${header} DESTINATION ${destination}/${folder})
endwhile()
