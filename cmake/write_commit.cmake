# Writes the commit of the sources, and whether anything differs from it, for the program that is built from them:
#   cmake -DSOURCE=project -DFILE=share/annelid/commit -P write_commit.cmake
# Without git, or outside of a repository, there is no such file, and the program's commit is unknown.
execute_process(COMMAND git rev-parse --verify --short=10 HEAD WORKING_DIRECTORY ${SOURCE}
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(NOT failed STREQUAL "0")
  file(REMOVE ${FILE})
  return()
endif()
string(SUBSTRING ${commit} 0 10 commit)
# Files that git does not know count: a source may be among them.
execute_process(COMMAND git status --porcelain WORKING_DIRECTORY ${SOURCE}
  OUTPUT_VARIABLE changes ERROR_QUIET RESULT_VARIABLE failed)
set(state changed)
if(failed STREQUAL "0" AND changes STREQUAL "")
  set(state clean)
endif()
file(CONFIGURE OUTPUT ${FILE} CONTENT "${commit} ${state}\n")
