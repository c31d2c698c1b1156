# cpack runs this before it packs: it gives each package what every package of Debian has, and lists for lintian what is
# meant to be as it is.
cmake_minimum_required(VERSION 3.25)
set(names program:annelid development:libannelid-dev documentation:annelid-doc)

# The changelog in Debian's format, from the headings of CHANGELOG.md: "## 0.2.0 - 2026-11-23".
file(STRINGS ${CPACK_ANNELID_SOURCE}/CHANGELOG.md headings REGEX "^## [0-9.]+ - [0-9-]+$")
set(changelog "")
foreach(heading IN LISTS headings)
  string(REGEX MATCH "^## ([0-9.]+) - ([0-9-]+)$" heading "${heading}")
  set(version ${CMAKE_MATCH_1})
  execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C date -u -R -d ${CMAKE_MATCH_2}
    OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(APPEND changelog "annelid (${version}) unstable; urgency=medium\n\n"
    "  * Version ${version}. CHANGELOG.md of annelid-doc says what is new.\n\n"
    " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n\n")
endforeach()

set(copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Annelid

Files: *
Copyright: 2026 The Annelid maintainers
License: Apache-2.0
 On Debian systems, the text of the licence is in /usr/share/common-licenses/Apache-2.0.
")

# The simulated cores run RISC-V programs: they are data of the simulator, for every machine.
set(annelid_overrides "annelid: arch-dependent-file-in-usr-share [usr/share/annelid/*]
annelid: binary-from-other-architecture [usr/share/annelid/*]
annelid: statically-linked-binary [usr/share/annelid/*]
annelid: unstripped-binary-or-object [usr/share/annelid/*]
")
set(libannelid-dev_overrides "")
set(annelid-doc_overrides "")

foreach(name IN LISTS names)
  string(REGEX REPLACE ":.*" "" component ${name})
  string(REGEX REPLACE ".*:" "" package ${name})
  set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}/usr/share)
  file(WRITE ${share}/doc/${package}/changelog "${changelog}")
  execute_process(COMMAND gzip -9nf ${share}/doc/${package}/changelog COMMAND_ERROR_IS_FATAL ANY)
  if(component STREQUAL "documentation")
    file(REMOVE ${share}/doc/annelid/copyright) # the program's package has it
  endif()
  file(WRITE ${share}/doc/${package}/copyright "${copyright}")
  if(${package}_overrides)
    file(WRITE ${share}/lintian/overrides/${package} "${${package}_overrides}")
  endif()
endforeach()
