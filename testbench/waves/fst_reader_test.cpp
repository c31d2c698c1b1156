// The reader of FST files: what GTKWave's library reads too, and no harm from a damaged file.
#include "waves/fst_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <set>

#include "base/child_process.hpp"
#include "base/input_error.hpp"
#include "testbench/parameter_name.hpp"
#include "testbench/waves/scratch.hpp"
#include "testbench/waves/wave_file.hpp"
#include "waves/fst_writer.hpp"
#include "waves/wave_trace.hpp"
#include "waves/wave_views.hpp"

namespace annelid::waves {
namespace {

using ::testing::HasSubstr;

/// All kinds of signals, an alias, and several blocks if `times` is large.
void write_all_kinds(const std::filesystem::path& path, std::uint64_t times) {
  FstWriter file(path);
  file.open_scope("top");
  const auto bit = file.add_bits("bit", 1);
  const auto text = file.add_text("text");
  file.open_scope("inner");
  const auto still = file.add_bits("still", 12);
  const auto word = file.add_bits("word", 64);
  file.close_scope();
  file.add_alias("again", word);
  file.close_scope();
  file.set(still, 0xabc);
  for (std::uint64_t t = 0; t < times; ++t) {
    file.set_time(7 + t * 3 + t / 50);
    file.set(word, t * 0x9e37'79b9'7f4a'7c15);
    if (t % 3 == 1) file.pulse(bit, 1);
    if (t % 5 < 2) file.set(text, "number " + std::to_string(t));
  }
  file.close();
}

/// Two routers whose flits wait for each other at the end, after a message of one flit.
void write_waveform(const std::filesystem::path& path) {
  systemc::NetworkConfig config{{2, 1, 1}, {}};
  WaveTrace wave(path, config, {}, [](NodeId, unsigned, systemc::RouterState&) {});
  const Port local = config.router.injection_input(0);
  const systemc::HeadFields packet{{1, 0, 0}, {0, 0, 0}, 3};
  const systemc::Flit flit{systemc::pack(packet), 0, true, true};
  for (Cycle t = 0; t < 12; ++t) {
    wave.cycle(t);
    if (t == 2) {
      wave.packet(t, 0, 0, {packet, false, 16, 2});
      wave.injected(t, 0, 0, flit);
    }
    if (t == 3) wave.moved(t, 0, local, 0, kPlusX, flit);
    if (t == 4) wave.moved(t, 1, kMinusX, 0, config.router.ejection_output(0), flit);
    if (t < 5) continue;
    wave.blocked(t, 0, kPlusX, 0, kPlusX, systemc::BlockCause::kNoCredit);
    wave.blocked(t, 1, kMinusX, 0, kMinusX, systemc::BlockCause::kNoCredit);
  }
  wave.close();
}

void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

void read_all(const std::filesystem::path& path) {
  FstReader file(path);
  std::vector<std::uint32_t> signals;
  for (const FstReader::Name& name : file.names()) signals.push_back(name.signal);
  (void)file.read(signals);
}

void make_all_views(const std::filesystem::path& path) {
  const std::array<std::function<void(WaveContents&)>, 6> views = {
      [](WaveContents& file) { (void)file.messages(); },
      [](WaveContents& file) { (void)message_view(file, 1); },
      [](WaveContents& file) { (void)router_view(file, "1,0"); },
      [](WaveContents& file) { (void)step_view(file, 2); },
      [](WaveContents& file) { (void)nics_view(file); },
      [](WaveContents& file) { (void)deadlock_view(file); }};
  WaveContents file(path);
  for (const auto& view : views) {
    try {
      view(file);
    } catch (const InputError&) {  // another view may still be possible
    }
  }
}

/// The message of the InputError, "" without one. Any other exception fails the test.
std::string error_of(const std::function<void()>& read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// Reads the file with each byte changed in several ways. The result says how many were errors.
std::size_t change_each_byte(const std::filesystem::path& path, const std::vector<int>& flips,
                             void (*read)(const std::filesystem::path&)) {
  const std::string good = bytes_of(path);
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  const auto put = [&](std::size_t at, char byte) {
    file.seekp(static_cast<std::streamoff>(at)).put(byte).flush();
  };
  std::size_t errors = 0;
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const int flip : flips) {
      SCOPED_TRACE(::testing::Message() << "byte " << at << " ^ " << flip);
      put(at, static_cast<char>(good[at] ^ flip));
      std::string error;
      EXPECT_NO_THROW(error = error_of([&] { read(path); }));
      if (!error.empty()) {
        ++errors;
        EXPECT_THAT(error, HasSubstr(path.string() + ": found "));
      }
    }
    put(at, good[at]);
  }
  return errors;
}

class FstReaderOf : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(FstReaderOf, ReadsWhatTheLibraryReads) {
  const Scratch scratch;
  write_all_kinds(scratch / "a.fst", GetParam());
  FstReader file(scratch / "a.fst");
  const WaveFile expected(scratch / "a.fst");
  EXPECT_EQ(file.begin(), expected.begin());
  EXPECT_EQ(file.end(), expected.end());
  ASSERT_EQ(file.names().size(), 5u);
  EXPECT_EQ(expected.size(), 5u);
  for (const FstReader::Name& name : file.names()) {
    std::vector<WaveFile::Change> changes;
    const auto all_changes = file.read({name.signal});
    for (const auto& [time, value] : all_changes.at(0)) changes.push_back({time, value});
    EXPECT_EQ(changes, expected.changes(name.full)) << name.full;
  }
}

INSTANTIATE_TEST_SUITE_P(Times, FstReaderOf, ::testing::Values(1, 2, 40, 300'000),
                         test::ParameterName());

TEST(FstReader, ReadsAWaveformAsTheLibraryDoes) {
  const Scratch scratch;
  write_waveform(scratch / "a.fst");
  FstReader file(scratch / "a.fst");
  const WaveFile expected(scratch / "a.fst");
  EXPECT_EQ(file.names().size(), expected.size());
  for (const FstReader::Name& name : file.names()) {
    const auto& changes = expected.changes(name.full);
    const auto all_changes = file.read({name.signal});
    ASSERT_EQ(all_changes.at(0).size(), changes.size()) << name.full;
    EXPECT_EQ(all_changes[0].back().time, changes.back().time) << name.full;
  }
  WaveContents contents(scratch / "a.fst");
  EXPECT_EQ(contents.messages().size(), 1u);
  EXPECT_NO_THROW((void)step_view(contents, 2));
  EXPECT_NO_THROW((void)deadlock_view(contents));
}

TEST(FstReader, NoChangedByteDoesHarm) {
  const Scratch scratch;
  write_all_kinds(scratch / "a.fst", 12);
  const std::size_t bytes = bytes_of(scratch / "a.fst").size();
  std::vector<int> flips = {0x01, 0x02, 0x40, 0x7f, 0x80, 0xff};
  EXPECT_GT(change_each_byte(scratch / "a.fst", flips, read_all), bytes);
}

TEST(FstReader, NoChangedByteDoesHarmToAView) {
  const Scratch scratch;
  write_waveform(scratch / "a.fst");
  EXPECT_GT(change_each_byte(scratch / "a.fst", {0x04}, make_all_views), 100u);
}

TEST(FstReader, NoTruncatedFileIsRead) {
  const Scratch scratch;
  write_all_kinds(scratch / "a.fst", 12);
  const std::string good = bytes_of(scratch / "a.fst");
  for (std::size_t length = good.size(); length-- > 0;) {
    std::filesystem::resize_file(scratch / "a.fst", length);
    EXPECT_NE(error_of([&] { read_all(scratch / "a.fst"); }), "") << length;
  }
  write_bytes(scratch / "a.fst", good + good[0]);
  EXPECT_NE(error_of([&] { read_all(scratch / "a.fst"); }), "");
}

TEST(FstReader, SaysWhereAFileIsDamaged) {
  const Scratch scratch;
  const std::filesystem::path path = scratch / "a.fst";
  write_all_kinds(path, 12);
  std::string bytes = bytes_of(path);
  bytes[331] = 1;  // in the length of the block behind the header
  write_bytes(path, bytes);
  EXPECT_EQ(error_of([&] { read_all(path); }),
            path.string() +
                ": found a damaged FST file (byte 339: a block is cut off), expected a waveform of "
                "annelid run or annelid traffic");
}

/// A file of another program, made by its own means.
void make_by(const Scratch& scratch, const std::string& commands) {
  const EndedProgram ended = run_child("sh", {"-ec", commands}, scratch / "");
  ASSERT_EQ(ended.status, 0) << ended.text;
}

// All of them are good files, so none is damaged.
TEST(FstReader, SaysWhoseGoodFileItDoesNotTake) {
  const Scratch scratch;
  write_bytes(scratch / "a.vcd",
              "$version Some Tool $end\n$timescale 1ns $end\n$scope module m $end\n"
              "$var wire 1 ! a $end\n$upscope $end\n$enddefinitions $end\n"
              "#0\n0!\n#5\n1!\n$dumpoff\nx!\n$end\n#7\n$dumpon\n0!\n$end\n#9\n1!\n");
  write_bytes(scratch / "a.v",
              "module m; reg a; initial begin $dumpfile(\"icarus.fst\"); $dumpvars; a = 0;\n"
              "#5 a = 1; $dumpoff; #5 $dumpon; #5 $finish; end endmodule\n");
  make_by(scratch,
          "for way in 4 F Z c; do vcd2fst -$way a.vcd $way.fst; done\n"
          "iverilog -o a.vvp a.v && vvp a.vvp -fst");
  for (const char* name : {"4.fst", "F.fst", "Z.fst", "icarus.fst"}) {
    EXPECT_THAT(error_of([&] { read_all(scratch / name); }),
                HasSubstr("found an FST file of another program, \""))
        << name;
  }
  EXPECT_THAT(error_of([&] { read_all(scratch / "c.fst"); }),
              HasSubstr("found an FST file that is packed as a whole"));
}

TEST(FstReader, TakesNoOtherFile) {
  const Scratch scratch;
  const std::filesystem::path path = scratch / "a.fst";
  EXPECT_THAT(error_of([&] { read_all(path); }), HasSubstr("found no such file"));
  EXPECT_THAT(error_of([&] { read_all(scratch / ""); }), HasSubstr("found a folder"));
  write_bytes(path, "$timescale 1ns $end\n");
  EXPECT_THAT(error_of([&] { read_all(path); }), HasSubstr("found no FST file"));
  write_all_kinds(path, 3);
  std::string bytes = bytes_of(path);
  bytes.replace(bytes.find("Annelid"), 7, "Icarus.");
  write_bytes(path, bytes);
  EXPECT_THAT(error_of([&] { read_all(path); }), HasSubstr("an FST file of another program"));
}

}  // namespace
}  // namespace annelid::waves
