// The FST writer against what the FST library reads back.
#include "waves/fst_writer.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <stdexcept>

#include "testbench/waves/scratch.hpp"
#include "testbench/waves/wave_file.hpp"

namespace annelid::waves {
namespace {

using Changes = std::vector<WaveFile::Change>;

TEST(FstWriter, LevelsHoldUntilTheNextOne) {
  const Scratch scratch;
  FstWriter file(scratch / "a.fst");
  file.open_scope("top");
  file.open_scope("inner");
  const auto bits = file.add_bits("data", 64);
  const auto bit = file.add_bits("bit", 1);
  file.close_scope();
  const auto text = file.add_text("words");
  file.close_scope();
  EXPECT_EQ(file.name(bits), "top.inner.data[63:0]");
  EXPECT_EQ(file.name(bit), "top.inner.bit");
  EXPECT_EQ(file.name(text), "top.words");

  file.set_time(5);
  file.set(bits, 0x8000'0000'0000'0001);
  file.set(text, "one");
  file.set_time(6);
  file.set(bit, 1);
  file.set(text, "one");  // no change
  file.set_time(1'000'000'000'000);
  file.set(text, "two, longer");
  file.set_time(1'000'000'000'003);
  file.close();

  const WaveFile wave(scratch / "a.fst");
  EXPECT_EQ(wave.begin(), 5u);
  EXPECT_EQ(wave.end(), 1'000'000'000'003u);
  EXPECT_EQ(wave.bits("top.inner.data[63:0]", 7), 0x8000'0000'0000'0001u);
  EXPECT_EQ(wave.changes("top.words"), (Changes{{5, "one"}, {1'000'000'000'000, "two, longer"}}));
  EXPECT_EQ(wave.bits("top.inner.bit", 5), 0u);
  EXPECT_EQ(wave.bits("top.inner.bit", 6), 1u);
}

TEST(FstWriter, APulseEndsAfterOneUnitUnlessItPulsesOn) {
  const Scratch scratch;
  FstWriter file(scratch / "a.fst");
  const auto text = file.add_text("flit");
  const auto valid = file.add_bits("valid", 1);
  for (const std::uint64_t t : {0, 1, 2, 3, 4, 7, 8, 20}) {
    file.set_time(t);
    if (t == 1 || t == 2 || t == 4 || t == 8) {
      file.pulse(text, t == 2 ? "B" : "H");
      file.pulse(valid, 1);
    }
  }
  file.close();

  const WaveFile wave(scratch / "a.fst");
  EXPECT_EQ(wave.changes("flit"),
            (Changes{{0, ""}, {1, "H"}, {2, "B"}, {3, ""}, {4, "H"}, {5, ""}, {8, "H"}, {9, ""}}));
  // From 1 to 3 it is one pulse of two units: nothing is written at 2.
  EXPECT_EQ(wave.changes("valid"),
            (Changes{{0, "0"}, {1, "1"}, {3, "0"}, {4, "1"}, {5, "0"}, {8, "1"}, {9, "0"}}));
}

TEST(FstWriter, AliasesAreOneSignalWithTwoNames) {
  const Scratch scratch;
  FstWriter file(scratch / "a.fst");
  file.open_scope("sender");
  const auto out = file.add_bits("vc", 3);
  file.close_scope();
  file.open_scope("receiver");
  const auto in = file.add_alias("vc", out);
  file.close_scope();
  EXPECT_EQ(file.name(in), "receiver.vc[2:0]");
  file.set_time(0);
  file.set(out, 5);
  file.set_time(1);
  file.set(in, 6);
  file.set_time(2);
  file.close();

  const WaveFile wave(scratch / "a.fst");
  for (const char* name : {"sender.vc[2:0]", "receiver.vc[2:0]"}) {
    EXPECT_EQ(wave.changes(name), (Changes{{0, "101"}, {1, "110"}}));
  }
}

void write_something(const std::filesystem::path& path) {
  FstWriter file(path);
  const auto text = file.add_text("text");
  const auto bits = file.add_bits("bits", 16);
  for (std::uint64_t t = 0; t < 5000; ++t) {
    file.set_time(t);
    file.set(bits, t * 40503 % 65536);
    if (t % 7 < 3) file.pulse(text, std::to_string(t * t));
  }
  file.close();
}

TEST(FstWriter, EqualCallsGiveEqualBytes) {
  const Scratch scratch;
  write_something(scratch / "a.fst");
  write_something(scratch / "b.fst");
  EXPECT_GT(bytes_of(scratch / "a.fst").size(), 1000u);
  EXPECT_EQ(bytes_of(scratch / "a.fst"), bytes_of(scratch / "b.fst"));
  // The header names a time of writing; it must not be the clock's.
  EXPECT_NE(bytes_of(scratch / "a.fst").find("Thu Jan  1 00:00:00 1970"), std::string::npos);
}

// One engine passes through idle cycles that another skips, and both write the same file. Some of
// the idle times fall where a block ends: in a long file, and in one that keeps the last times
// only.
TEST(FstWriter, TimesWithoutChangesLeaveNoTrace) {
  const Scratch scratch;
  const auto write = [&](const char* name, bool idle, bool keep) {
    FstWriter file(scratch / name);
    const auto bits = file.add_bits("bits", 32);
    const auto pulse = file.add_bits("pulse", 1);
    const auto text = file.add_text("text");
    if (keep) file.keep_last(10);
    const std::uint64_t last = keep ? 2'000 : 1'200'000;
    for (std::uint64_t t = 0; t <= last; ++t) {
      const bool changes = t % 6 == 0 && t > 0 && (keep || t < last - 100);
      if (idle || changes || t == 0 || t == last) file.set_time(t);
      if (!changes) continue;
      file.set(bits, t);
      file.set(text, std::to_string(t) + " has so long a text that a block is soon full");
      if (t % 5 == 0) file.pulse(pulse, 1);
      if (keep && t == 1'200) file.release();
    }
    file.close();
  };
  for (const bool keep : {false, true}) {
    write("all.fst", true, keep);
    write("busy.fst", false, keep);
    EXPECT_TRUE(bytes_of(scratch / "all.fst") == bytes_of(scratch / "busy.fst")) << "keep " << keep;
  }
}

// More than one block: what a signal was before still holds, and the last value of a time counts.
TEST(FstWriter, ALongFileIsTheSameAsItsChanges) {
  const Scratch scratch;
  FstWriter file(scratch / "a.fst");
  const auto still = file.add_text("still");
  const auto text = file.add_text("text");
  const auto bits = file.add_bits("bits", 13);
  file.set(still, "as ever");
  Changes texts, numbers;
  for (std::uint64_t t = 10; t < 600'010; ++t) {
    file.set_time(t);
    file.set(bits, 8191);
    file.set(bits, t % 8191);
    file.set(text, std::to_string(t * t) + " is not short");
    texts.push_back({t, std::to_string(t * t) + " is not short"});
  }
  file.close();
  const WaveFile wave(scratch / "a.fst");
  EXPECT_EQ(wave.changes("text"), texts);
  EXPECT_EQ(wave.changes("still"), (Changes{{10, "as ever"}}));
  for (std::uint64_t t = 10; t < 600'010; t += 991) {
    ASSERT_EQ(wave.bits("bits[12:0]", t), t % 8191);
  }
}

TEST(FstWriter, KeepsTheLastTimesOnlyUntilItIsReleased) {
  const Scratch scratch;
  FstWriter file(scratch / "a.fst");
  const auto old = file.add_text("old");
  const auto bits = file.add_bits("bits", 32);
  file.keep_last(10);
  for (std::uint64_t t = 0; t <= 200; ++t) {
    file.set_time(t);
    file.set(bits, t);
    if (t == 5) file.set(old, "long ago");
    if (t == 100) file.release();
  }
  file.close();
  const WaveFile wave(scratch / "a.fst");
  EXPECT_LE(wave.begin(), 90u);
  EXPECT_GE(wave.begin(), 85u);
  EXPECT_EQ(wave.end(), 200u);
  EXPECT_EQ(wave.changes("old"), (Changes{{wave.begin(), "long ago"}}));
  for (std::uint64_t t = wave.begin(); t <= 200; ++t) EXPECT_EQ(wave.bits("bits[31:0]", t), t);
}

TEST(FstWriter, OnlyACompleteFileHasTheName) {
  const Scratch scratch;
  std::ofstream(scratch / "a.fst") << "what was there before";
  {
    FstWriter file(scratch / "a.fst");
    file.set_time(1);
    EXPECT_EQ(bytes_of(scratch / "a.fst"), "what was there before");
  }
  EXPECT_EQ(bytes_of(scratch / "a.fst"), "what was there before");
  EXPECT_EQ(scratch.entries(), 1);
  write_something(scratch / "a.fst");
  EXPECT_EQ(scratch.entries(), 1);
  EXPECT_EQ(WaveFile(scratch / "a.fst").end(), 4999u);
}

std::string error_of(const std::filesystem::path& path) {
  try {
    FstWriter file(path);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

TEST(FstWriter, AnUnwritablePathIsNamed) {
  const Scratch scratch;
  const auto missing = scratch / "no/such/folder/a.fst";
  EXPECT_EQ(error_of(missing),
            "waveform: found \"" + missing.string() +
                "\", which cannot be written: No such file or directory, expected a path where a "
                "file can be made");
  std::filesystem::create_directory(scratch / "folder");
  EXPECT_EQ(error_of(scratch / "folder"),
            "waveform: found \"" + (scratch / "folder").string() +
                "\", which cannot be written: Is a directory, expected a path where a file can be "
                "made");
  EXPECT_EQ(scratch.entries(), 1);
}

TEST(FstWriter, AFileThatIsCutOffIsNotKept) {
  const Scratch scratch;
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit limited = before;
  limited.rlim_cur = 4000;  // bytes; the file needs more
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limited), 0);
  std::string error;
  try {
    write_something(scratch / "a.fst");
  } catch (const std::runtime_error& caught) {
    error = caught.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(error,
            "waveform: \"" + (scratch / "a.fst").string() + "\" cannot be written: File too large");
  EXPECT_EQ(scratch.entries(), 0);
}

}  // namespace
}  // namespace annelid::waves
