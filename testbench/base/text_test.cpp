// Texts that a user has chosen: for terminals, shells and as names.
#include "base/text.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/child_process.hpp"
#include "base/input_error.hpp"

namespace annelid {
namespace {

const std::string kHostile[] = {"`touch pwned`",
                                "$(touch pwned)",
                                "a'b",
                                "a\"b",
                                "a\\",
                                "a b",
                                "-rf",
                                "*",
                                "~",
                                "#x",
                                ";x",
                                "a\nb",
                                "[exec x]",
                                "\x1b[2J",
                                "",
                                "<b>",
                                "!!",
                                "a\xff"};

TEST(ShellWord, IsOneWordThatAShellGivesBackUnchanged) {
  for (const std::string& text : kHostile) {
    const EndedProgram ended = run_child("sh", {"-c", "printf %s " + shell_word(text)}, "/");
    if (text.starts_with("-")) continue;  // printf's own affair
    EXPECT_EQ(ended.text, text) << text;
    EXPECT_EQ(ended.status, 0) << text;
  }
  EXPECT_EQ(shell_word("runs/edn-8x8.fst"), "runs/edn-8x8.fst");
}

TEST(TerminalText, ShowsControlCharactersAndBytesThatAreNoUtf8) {
  EXPECT_EQ(terminal_text("a\tb\nü€😀"), "a\tb\nü€😀");
  EXPECT_EQ(terminal_text("\x1b[2J"), "\\x1b[2J");
  EXPECT_EQ(terminal_text("a\rb\x07\x7f"), "a\\x0db\\x07\\x7f");
  EXPECT_EQ(terminal_text("\xc2\x9b"
                          "31m"),
            "\\xc2\\x9b31m");                                   // CSI as one character
  EXPECT_EQ(terminal_text("\xe2\x80\xae"), "\\xe2\\x80\\xae");  // turns the line round
  EXPECT_EQ(terminal_text("\xff\xc0\xaf\xe2\x82"), "\\xff\\xc0\\xaf\\xe2\\x82");
  EXPECT_EQ(terminal_text("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a pair
}

TEST(TerminalText, LetsNoColoursPass) {
  EXPECT_EQ(terminal_text("\033[32mheld\033[0m"), "\\x1b[32mheld\\x1b[0m");
  EXPECT_EQ(terminal_text("\033]0;title\a"), "\\x1b]0;title\\x07");
}

TEST(Excerpt, ShowsWhatNobodySees) {
  EXPECT_EQ(excerpt("\xef\xbb\xbfid,cycle"), "\\xef\\xbb\\xbfid,cycle");
  EXPECT_EQ(excerpt("a\xc2\xa0"
                    "b"),
            "a\\xc2\\xa0b");
  EXPECT_EQ(excerpt("ü€😀\n"), "ü€😀\\x0a");
  EXPECT_EQ(one_line("a\xc2\xa0"
                     "b"),
            "a\xc2\xa0"
            "b")
      << "a name stays as it is";
}

TEST(Excerpt, LeavesOutTheMiddleOfALongText) {
  const std::string text = std::string(30'000'000, 'x') + "end";
  EXPECT_EQ(excerpt(text, 8), "xxxx [29999997 bytes] nd");
  EXPECT_EQ(excerpt("12345678", 8), "12345678");
  // The limits fall into characters of several bytes, of which none is cut.
  EXPECT_EQ(excerpt("123€€€€4", 8), "123 [12 bytes] 4");
  EXPECT_LT(excerpt(std::string(5000, '\x80')).size(), 5000u);
  const InputError error("file:1", "\"" + text + "\"", "a shorter line");
  EXPECT_LT(std::string_view(error.what()).size(), 2000u);
  EXPECT_TRUE(std::string_view(error.what()).ends_with("end\", expected a shorter line"));
}

TEST(OneLine, HasNoLineEndsTabsAndNuls) {
  EXPECT_EQ(one_line("a\n  held   bytes"), "a\\x0a  held   bytes");
  EXPECT_EQ(one_line("a\tb\r"), "a\\x09b\\x0d");
  EXPECT_EQ(one_line(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(one_line("ü€😀 \\x0a"), "ü€😀 \\x0a");
  EXPECT_STREQ(InputError(std::string("a\0b", 3), "c\nd", "\033[31m").what(),
               "a\\x00b: found c\\x0ad, expected \\x1b[31m");
}

TEST(Names, AreRefusedIfAFolderOrATerminalCouldBeMisledByThem) {
  for (const char* good : {"edn", "a b", "ü", "it's", "`x`", "...", "<b>"}) {
    EXPECT_EQ(fault_of_name(good), "") << good;
  }
  for (const char* bad : {"", ".", "..", "../../evil", "/tmp/x", "a/b", "a\nb", "a\x1b[2J", "a\x7f",
                          "\xff", "\xc2\x9b"}) {
    EXPECT_NE(fault_of_name(bad), "") << bad;
  }
  EXPECT_EQ(fault_of_name(std::string(128, 'x')), "");
  EXPECT_NE(fault_of_name(std::string(129, 'x')), "");
  EXPECT_NE(fault_of_name(std::string("a\0b", 3)), "");
}

}  // namespace
}  // namespace annelid
