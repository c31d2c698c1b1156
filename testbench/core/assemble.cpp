#include "testbench/core/assemble.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace annelid::test {

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "annelid-core-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot create " + name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::byte> read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + text.size()};
}

void run_tool(const std::string& command, const TemporaryFolder& folder) {
  const auto output = folder / "output";
  if (std::system((command + " >" + output.string() + " 2>&1").c_str()) == 0) return;
  std::ifstream in(output);
  throw std::runtime_error(
      command + " failed:\n" +
      std::string{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()});
}

std::vector<std::byte> assemble_elf(const std::string& text, const std::string& linker_options) {
  const TemporaryFolder folder;
  const std::string source = (folder / "a.s").string(), object = (folder / "a.o").string();
  const auto elf = folder / "a.elf";
  std::ofstream(source) << ".option norvc\n.option norelax\n.text\n.globl _start\n_start:\n"
                        << text << '\n';
  // -misa-spec=2.2 counts the CSR instructions and fence.i as part of the base ISA.
  run_tool(
      "riscv64-unknown-elf-as -march=rv32im -misa-spec=2.2 -mabi=ilp32 " + source + " -o " + object,
      folder);
  run_tool("riscv64-unknown-elf-ld -m elf32lriscv --no-relax " + linker_options + " " + object +
               " -o " + elf.string(),
           folder);
  return read_file(elf);
}

nic::Image assemble(const std::string& text) {
  return nic::load_elf(assemble_elf(text, "--nmagic -Ttext=0"));
}

std::string li(const char* reg, std::uint32_t value) {
  return std::string("li ") + reg + ", " + std::to_string(static_cast<std::int32_t>(value)) + "\n";
}

std::vector<std::uint32_t> stored_by(const std::string& text) {
  const nic::Image image = assemble(li("s0", kOutside) + text + "\nebreak\n");
  nic::Core core(image, 0);
  std::vector<std::uint32_t> values;
  while (core.run(kManyCycles, {}) != nic::Core::State::kHalted && core.time() < kManyCycles) {
    if (core.state() != nic::Core::State::kBus) continue;  // it had to know mip, which is 0
    if (core.access().store) values.push_back(core.access().value);
    core.finish(0x5a5a5a5a);
  }
  if (core.state() != nic::Core::State::kHalted || core.trap().cause != 3) {
    throw std::runtime_error("the program did not reach its ebreak: pc " +
                             std::to_string(core.pc()) + ", state " +
                             std::to_string(static_cast<int>(core.state())) + ", cause " +
                             std::to_string(core.trap().cause));
  }
  return values;
}

}  // namespace annelid::test
