# `cpack`: three Debian packages, one for each component of AnnelidInstall.cmake. debian_files.cmake adds what every
# package of Debian has.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME annelid)
set(CPACK_PACKAGE_VENDOR "The Annelid maintainers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has a description of its own
set(CPACK_PACKAGE_CONTACT "The Annelid maintainers <maintainers@annelid.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program development documentation)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_files.cmake)
set(CPACK_ANNELID_SOURCE ${PROJECT_SOURCE_DIR})

set(what "Annelid simulates networks on chip, cycle by cycle: wormhole routers in a mesh
or a torus, and at every node a network interface that runs firmware.")

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME annelid)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "gtkwave, gnuplot-nox, verilator, g++, make")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS
  "annelid-doc, yosys, opensta, qflow-tech-osu018, nextpnr-ice40, gcc-riscv64-unknown-elf")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "simulator of wormhole networks and collective operations
${what}
This package has the program, its firmware, the routers in SystemVerilog and
ready-to-run scenarios.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libannelid-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "annelid (= ${PROJECT_VERSION}), libsystemc-dev, libfmt-dev, libtomlplusplus-dev, zlib1g-dev, libdw-dev")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "g++, cmake, pkg-config")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "libraries of the Annelid network simulator
${what}
This package has the headers and static libraries for programs that use it.")

set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_NAME annelid-doc)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)
set(CPACK_COMPONENT_DOCUMENTATION_DESCRIPTION "documents and examples of the Annelid network simulator
${what}
This package has tutorials, guides, reference pages and examples.")
include(CPack)
