# Installs headers below `destination`, and makes "systemc/router/fabric.hpp" of an include "annelid/systemc/...",
# so that no folder of a user can be taken for one of ours.
#
# source: the project's root. generated: the folder of generated headers. rooms: the folders whose headers are
# public. A header that includes a third-party library is for the project's own sources alone, and stays here;
# so does what includes the pins of Verilated routers, and what is compiled for one kind of processor: the kernels of
# planes, of which a user's program needs the network and its state alone.
string(REPLACE ";" "|" any_room "${rooms}")
set(kernels "router/plane(_(rows|arbiters|links|pipeline|kernels?))?[.]hpp")
set(private "#include *(<(fmt|nlohmann|toml\\+\\+|CLI|elfutils|verilated|immintrin)|\"systemc/(cosim/rtl_pins|${kernels}))")

foreach(root ${source} ${generated})
  set(globs ${rooms})
  list(TRANSFORM globs REPLACE "(.+)" "${root}/\\1/*.hpp")
  file(GLOB_RECURSE headers RELATIVE ${root} ${globs})
  list(FILTER headers EXCLUDE REGEX "^firmware/kit/") # of programs for the core, which have headers of their own
  foreach(header IN LISTS headers)
    file(READ ${root}/${header} text)
    if(text MATCHES "${private}")
      continue()
    endif()
    string(REGEX REPLACE "(#include \")((${any_room})/)" "\\1annelid/\\2" text "${text}")
    file(CONFIGURE OUTPUT ${staging}/${header} CONTENT "${text}" @ONLY) # keeps the time of an unchanged file
    cmake_path(GET header PARENT_PATH folder)
    file(INSTALL ${staging}/${header} DESTINATION ${destination}/${folder})
  endforeach()
endforeach()
