// What an engineer sees: GTKWave, on a display of its own, opens the waveform with its save file.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "testbench/waves/png_image.hpp"
#include "testbench/waves/scratch.hpp"
#include "waves/wave_trace.hpp"

namespace annelid::waves {
namespace {

constexpr Port kLocal0 = systemc::RouterConfig{}.first_local();

constexpr Pixel kFlitColour{255, 255, 0}, kWaitColour{255, 0, 0};

// A packet of six flits from 0,0 to 2,0; on its way it waits for two cycles if `blocked`.
void write_waveform(const std::filesystem::path& path, bool blocked) {
  systemc::NetworkConfig config;
  config.size[0] = 3;
  config.size[1] = 2;
  WaveTrace wave(path, config, {},
                 [](NodeId, unsigned, systemc::RouterState& state) { state = {}; });
  for (Cycle t = 0; t < 12; ++t) {
    wave.cycle(t);
    for (NodeId hop = 0; hop < 4; ++hop) {
      const std::uint64_t k = t - hop;  // flit k is `hop` channels ahead of the injection
      if (t < hop || k >= 6) continue;
      const systemc::Flit flit{k == 0 ? systemc::pack({{2, 0, 0}, {0, 0, 0}, 7}) : k, 0, k == 0,
                               k == 5};
      if (hop == 0) wave.injected(t, 0, 0, flit);
      if (hop == 1) wave.moved(t, 0, kLocal0, 0, kPlusX, flit);
      if (hop == 2) wave.moved(t, 1, kMinusX, 0, kPlusX, flit);
      if (hop == 3) wave.moved(t, 2, kMinusX, 0, kLocal0 + 1, flit);
    }
    if (blocked && (t == 3 || t == 4)) {
      wave.blocked(t, 0, kLocal0 + 2, 0, kPlusX, systemc::BlockCause::kNoVc);
    }
  }
  wave.close();
}

// Draws with the project's own script; returns how many rows GTKWave found.
int draw(const std::string& arguments, const std::filesystem::path& rows) {
  const std::string command =
      "cd / && " ANNELID_WAVE_PICTURE_SCRIPT " " + arguments + " > '" + rows.string() + "'";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  const std::string said = bytes_of(rows);
  EXPECT_EQ(said.rfind("rows ", 0), 0u) << said;
  return said.size() > 5 ? std::stoi(said.substr(5)) : -1;
}

int rows_of(const std::filesystem::path& save) {
  std::ifstream file(save);
  int rows = 0;
  for (std::string line; std::getline(file, line);) {
    // Signals, and the lines of text that begin and end groups or stand alone.
    rows += line.starts_with("noc.") || line.starts_with("+{") || line.starts_with("-");
  }
  return rows;
}

TEST(WavePicture, ShowsThePathOfAPacketInColours) {
  const Scratch scratch;
  write_waveform(scratch / "w.fst", false);
  const int rows =
      draw("'" + (scratch / "w.gtkw").string() + "' '" + (scratch / "w.png").string() + "'",
           scratch / "rows");
  EXPECT_EQ(rows, rows_of(scratch / "w.gtkw")) << "GTKWave drops rows that it does not find";
  const PngImage picture(scratch / "w.png");
  EXPECT_EQ(picture.width(), 1600);
  EXPECT_EQ(picture.height(), 900);
  EXPECT_GT(std::set<Pixel>(picture.pixels().begin(), picture.pixels().end()).size(), 20u);

  // Boxes of flits: columns of a row of the packet that have two yellow pixels, top and bottom,
  // rather than the single one of an idle line.
  int box_columns = 0, idle_columns = 0;
  for (int x = 400; x < 1560; ++x) {
    int yellow = 0;
    for (int y = 80; y < 200; ++y) yellow += picture.at(x, y) == kFlitColour;
    box_columns += yellow > 4;  // four rows: more than a line in each
    idle_columns += yellow == 4;
  }
  EXPECT_GT(box_columns, 500);
  EXPECT_GT(idle_columns, 50);
}

TEST(WavePicture, ShowsABlockedFlitInRed) {
  const Scratch scratch;
  std::int64_t red[2];
  for (const bool blocked : {false, true}) {
    write_waveform(scratch / "w.fst", blocked);
    draw("'" + (scratch / "w.gtkw").string() + "' '" + (scratch / "w.png").string() + "'",
         scratch / "rows");
    red[blocked] = PngImage(scratch / "w.png").count(kWaitColour);
  }
  // A box two cycles wide has one line more than idleness has.
  EXPECT_GT(red[1], red[0] + 100) << red[0];
}

TEST(WavePicture, OpensFromAnyFolderAndAfterBothFilesMovedTogether) {
  const Scratch scratch;
  std::filesystem::create_directories(scratch / "before");
  write_waveform(scratch / "before/w.fst", true);
  std::filesystem::rename(scratch / "before", scratch / "after");
  EXPECT_EQ(
      draw("'" + (scratch / "after/w.gtkw").string() + "' '" + (scratch / "w.png").string() + "'",
           scratch / "rows"),
      rows_of(scratch / "after/w.gtkw"));
}

TEST(WavePicture, SaysWhatIsMissing) {
  const Scratch scratch;
  const auto said = scratch / "said";
  const std::string command = ANNELID_WAVE_PICTURE_SCRIPT " /no/such.gtkw '" +
                              (scratch / "w.png").string() + "' 2> '" + said.string() + "'";
  EXPECT_NE(std::system(command.c_str()), 0);
  EXPECT_EQ(bytes_of(said), "wave-picture: cannot read /no/such.gtkw\n");
}

}  // namespace
}  // namespace annelid::waves
