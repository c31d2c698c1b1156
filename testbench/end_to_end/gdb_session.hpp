// Sessions with annelid --gdb, on 2x2 nodes if a test says nothing else: of gdb-multiarch, which
// reads a script, and of bare packets.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {

/// Builds a C program; returns the path of its ELF file.
inline std::string build_program(const Workplace& w, const std::string& source) {
  const std::string elf = w.path("program.elf").string();
  EXPECT_EQ(
      w.annelid("firmware build " + w.file("program.c", source) + " -o " + elf + " -- -O1").status,
      0);
  return elf;
}

struct Session {
  std::string gdb;  ///< what gdb prints
  std::string run;  ///< what annelid prints
  std::string status;
};

/// Runs annelid with these arguments, and these commands in gdb. The shell waits for the line that
/// names the port, and not for that of the session before.
inline Session debug(const Workplace& w, const std::string& elf, const std::string& commands,
                     const std::string& run) {
  w.file("commands", "set pagination off\nset confirm off\n" + commands);
  const Outcome o =
      w.shell("rm -f port.txt; $A " + run +
              " --gdb 0 > run.txt 2> port.txt & "
              "while ! grep -qs localhost: port.txt && kill -0 $!; do sleep 0.01; done; "
              "timeout 60 gdb-multiarch -nx -batch -ex \"target remote "
              "localhost:$(sed -n 's/.*localhost://p' port.txt)\" "
              "-x commands " +
              elf + " > gdb.txt 2>&1; wait $!; echo $? > status.txt");
  EXPECT_EQ(o.status, 0) << o.err;
  return {w.text("gdb.txt"), w.text("run.txt"), w.text("status.txt")};
}

/// Runs the program on 2x2 nodes.
inline Session debug(const Workplace& w, const std::string& elf, const std::string& commands) {
  return debug(w, elf, commands, "firmware run " + elf + " --size 2x2");
}

/// Sends packets, and returns each with its answer.
inline Outcome ask(const Workplace& w, const std::string& elf, const std::string& packets) {
  w.file("ask.py", R"(import socket, sys
line = socket.create_connection(("localhost", int(sys.argv[1]))).makefile("rwb", 0)
def until(end):
    text = b""
    while not text.endswith(end):
        text += line.read(1)
    return text[:-1]
for packet in sys.argv[2:]:
    line.write(b"$%s#%02x" % (packet.encode(), sum(packet.encode()) & 255))
    until(b"$")
    print(packet, until(b"#").decode())
    line.read(2)
)");
  return w.shell("$A firmware run " + elf +
                 " --size 2x2 --gdb 0 > run.txt 2> port.txt & "
                 "while ! grep -qs localhost: port.txt && kill -0 $!; do sleep 0.01; done; "
                 "python3 ask.py $(sed -n 's/.*localhost://p' port.txt) " +
                 packets + "; wait $!");
}

}  // namespace annelid::end_to_end
