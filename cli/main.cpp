// The `annelid` program.
#include "cli/program.hpp"

// libsystemc wants this symbol; the program has a main() of its own.
extern "C" int sc_main(int, char**) { return 0; }

int main(int argc, char** argv) { return annelid::cli::run_program(argc, argv); }
