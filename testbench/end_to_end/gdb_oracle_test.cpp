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
int plus(int a, int b) {
  int sum = a + b;
  counter += sum;
  return sum;
}
int main(void) {
  int a = 5;
  int b = 3;
  b--;
  a = plus(a, b);
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
     "break plus\ntbreak factorial\nbreak 21\ninfo breakpoints\ncontinue\nbacktrace\ninfo args\n"
     "continue\nbacktrace\nprint n\ncontinue\nprint a\ninfo breakpoints\ncontinue\n"},
    {"jump to a breakpoint",
     "break 14\nbreak 15\ncontinue\njump 15\nprint b\njump 14\nset var $pc = $pc\ncontinue\nset "
     "var "
     "$entry = $pc\nbreak 16\ncontinue\nset var $pc = $entry\ncontinue\nprint b\ndelete\n"
     "tbreak 13\njump 13\ncontinue\n"},
    {"calls",
     "break main\ncontinue\nprint plus(2, 3)\nprint counter\nprint factorial(5)\nbreak factorial\n"
     "print factorial(3)\nbacktrace\ncontinue\nprint n\ndelete\nfinish\nprint counter\n"
     "call (void)plus(1, 1)\nprint counter\nset var counter = 7\nprint "
     "counter\ncontinue\ncontinue\n"},
    {"steps",
     "break main\ncontinue\nnext\nnext 2\nstep\ninfo args\nstepi\nnexti 3\nstep\nup\nprint "
     "a\ndown\n"
     "finish\nstep 3\nuntil 19\nadvance factorial\nuntil\nfinish\ninfo locals\nnext\nnext\nnext\n"
     "next\nuntil 21\nstepi\nx/i $pc\nstepi 5\nx/i $pc\ncontinue\n"},
    {"watchpoints",
     "watch counter\ncontinue\ncontinue\ncontinue\nprint counter\nwatch counter if counter == 2\n"
     "delete 1\ncontinue\nprint counter\ninfo watchpoints\ndelete\nbreak plus\njump 16\nwatch sum\n"
     "continue\ncontinue\ndelete\ncontinue\n"},
    {"conditions and counts",
     "break factorial if n == 2\nignore 1 1\ncontinue\nprint n\nprint counter\nbacktrace\n"
     "condition 1 n == 3\ncontinue\nprint n\ntbreak factorial if n == 4\ndisable 1\ncontinue\n"
     "print counter\nenable once 1\ncontinue\ninfo breakpoints\ncommands 1\nsilent\n"
     "printf \"n is %d\\n\", n\nend\ncontinue\n"},
    {"frames",
     "break factorial if n == 1\ncontinue\nbacktrace\nframe 2\nprint n\nup\nprint n\nframe "
     "function "
     "main\nprint i\nframe 1\nfinish\nreturn 100\nbacktrace\nnext\nnext\nprint a\nset var a = 7\n"
     "print a\ndelete\ncontinue\n"},
};

/// The part behind the start, without what differs between the two machines in no other way than
/// this.
std::string without_machine(std::string text) {
  text.erase(0, text.find("_start ()"));
  text = std::regex_replace(text, std::regex(R"(\((process \d+|Remote target)\))"), "(it)");
  text = std::regex_replace(text, std::regex("Hardware watchpoint"), "Watchpoint");
  return std::regex_replace(text, std::regex(" hw watchpoint "), " watchpoint    ");
}

/// gdb reads the commands from its input, so that errors do not end the session. QEMU has no
/// watchpoints for gdb, which then makes steps and looks at the values itself.
constexpr const char* kSession = R"(cat > session.sh <<'end'
{ echo "target remote $2"; cat commands; } |
  timeout 60 gdb-multiarch -nx -q -iex "set prompt" -iex "set can-use-hw-watchpoints $1" \
    program.elf > $3 2>&1
end
rm -f port.txt line
$A firmware run program.elf --gdb 0 > /dev/null 2> port.txt &
while ! grep -qs localhost: port.txt; do sleep 0.01; done
bash session.sh 1 localhost:$(sed -n 's/.*localhost://p' port.txt) annelid.txt
qemu-riscv32 -g line program.elf > /dev/null 2>&1 &
while ! test -S line; do sleep 0.01; done
bash session.sh 0 line qemu.txt
wait
)";

TEST(GdbOracle, SessionsAreThoseOfQemu) {
  const Workplace w;
  const std::string source = w.file("program.c", kOracleProgram);
  const std::string elf = w.path("program.elf").string();
  ASSERT_EQ(w.annelid("firmware build " + source + " -o " + elf + " -- -O0").status, 0);
  for (const Dialogue& d : kDialogues) {
    SCOPED_TRACE(d.name);
    w.file("commands", std::string("set pagination off\nset confirm off\n") + d.commands);
    ASSERT_EQ(w.shell(kSession).status, 0);
    const std::string session = without_machine(w.text("annelid.txt"));
    EXPECT_EQ(session, without_machine(w.text("qemu.txt")));
    EXPECT_THAT(session, ::testing::HasSubstr("[Inferior 1 (it) exited"));
  }
}

}  // namespace
}  // namespace annelid::end_to_end
