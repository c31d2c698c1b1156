// Sessions of gdb like those that its manual describes, on a node and on QEMU: gdb must print the
// same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "testbench/end_to_end/gdb_session.hpp"

namespace annelid::end_to_end {
namespace {

/// The lines have numbers from 1 on, which the sessions name.
constexpr const char* kOracleProgram = R"(#include <stdio.h>
volatile int counter;
int factorial(int n) {
  if (n < 2) return 1;
  return n * factorial(n - 1);
}
int add(int a, int b) {
  int sum = a + b;
  counter += sum;
  return sum;
}
int main(void) {
  int a = 5;
  int b = 3;
  b--;
  a = add(a, b);
  for (int i = 0; i < 3; i++) {
    counter = i;
    a += factorial(4);
  }
  printf("a = %d\n", a);
  return a == 79 ? 0 : 1;
}
)";

struct Dialogue {
  const char* name;
  const char* commands;
};

constexpr Dialogue kDialogues[] = {
    {"breakpoints",
     "break add\ntbreak factorial\nbreak 21\ninfo breakpoints\ncontinue\nbacktrace\ninfo args\n"
     "continue\nbacktrace\nprint n\ncontinue\nprint a\ninfo breakpoints\ncontinue\n"},
    {"jump to a breakpoint",
     "break 14\nbreak 15\ncontinue\njump 15\nprint b\njump 14\nset var $pc = $pc\ncontinue\nset "
     "var "
     "$entry = $pc\nbreak 16\ncontinue\nset var $pc = $entry\ncontinue\nprint b\ndelete\n"
     "tbreak 13\njump 13\ncontinue\n"},
    {"calls",
     "break main\ncontinue\nprint add(2, 3)\nprint counter\nprint factorial(5)\nbreak factorial\n"
     "print factorial(3)\nbacktrace\ncontinue\nprint n\ndelete\nfinish\nprint counter\n"
     "call (void)add(1, 1)\nprint counter\nset var counter = 7\nprint counter\ncontinue\n"},
    {"steps",
     "break main\ncontinue\nnext\nnext 2\nstep\ninfo args\nstepi\nnexti 3\nstep\nup\nprint "
     "a\ndown\n"
     "finish\nstep 3\nuntil 19\nadvance factorial\nuntil\nfinish\ninfo locals\nnext\nnext\nnext\n"
     "next\nuntil 21\nstepi\nx/i $pc\nstepi 5\nx/i $pc\ncontinue\n"},
    {"watchpoints",
     "watch counter\ncontinue\ncontinue\ncontinue\nprint counter\nwatch counter if counter == 2\n"
     "delete 1\ncontinue\nprint counter\ninfo watchpoints\ndelete\nbreak add\njump 16\nwatch sum\n"
     "continue\ncontinue\ndelete\ncontinue\n"},
    {"conditions and counts",
     "break factorial if n == 2\nignore 1 1\ncontinue\nprint n\nprint counter\nbacktrace\n"
     "condition 1 n == 3\ncontinue\nprint n\ntbreak factorial if n == 4\ndisable 1\ncontinue\n"
     "print counter\nenable once 1\ncontinue\ninfo breakpoints\ncommands 1\nsilent\n"
     "printf \"n is %d\\n\", n\nend\ncontinue\n"},
    {"frames",
     "break factorial if n == 1\ncontinue\nbacktrace\nframe 2\nprint n\nup\nprint n\nframe "
     "function "
     "main\nprint i\nframe 1\nfinish\nreturn 100\nbacktrace\nnext\nset var a = "
     "79\ndelete\ncontinue\n"},
};

/// What differs between the two machines, and in no other way than this.
std::string without_machine(std::string text) {
  text = std::regex_replace(text, std::regex(R"(\((process \d+|Remote target)\))"), "(it)");
  text = std::regex_replace(text, std::regex("Hardware watchpoint"), "Watchpoint");
  text = std::regex_replace(text, std::regex("hw watchpoint"), "watchpoint");
  return text;
}

TEST(GdbOracle, SessionsAreThoseOfQemu) {
  const Workplace w;
  const std::string elf = w.path("program.elf").string();
  const std::string source = w.file("program.c", kOracleProgram);
  ASSERT_EQ(w.annelid("firmware build " + source + " -o " + elf + " -- -O0").status, 0);
  for (const Dialogue& d : kDialogues) {
    SCOPED_TRACE(d.name);
    const Session s = debug(w, elf, d.commands, "firmware run " + elf);
    const std::string oracle = debug_under_qemu(w, elf, d.commands);
    EXPECT_EQ(without_machine(s.gdb), without_machine(oracle));
    EXPECT_THAT(s.gdb, ::testing::HasSubstr("[Inferior 1 (Remote target) exited"));
  }
}

}  // namespace
}  // namespace annelid::end_to_end
