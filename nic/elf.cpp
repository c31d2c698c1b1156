#include <cxxabi.h>
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "nic/core.hpp"

namespace annelid::nic {
namespace {

/// Reads structures out of the file, checked against its end.
class Reader {
 public:
  explicit Reader(const std::vector<std::byte>& file) : file_(file) {}

  template <typename T>
  [[nodiscard]] T at(std::size_t offset, const char* what) const {
    T value;
    std::memcpy(&value, bytes(offset, sizeof value, what), sizeof value);
    return value;
  }
  const std::byte* bytes(std::size_t offset, std::size_t count, const char* what) const {
    if (offset > file_.size() || count > file_.size() - offset) {
      throw std::runtime_error(
          fmt::format("found a file of {} bytes that ends within its {}, "
                      "expected a complete RV32 ELF file",
                      file_.size(), what));
    }
    return file_.data() + offset;
  }

 private:
  const std::vector<std::byte>& file_;
};

void require(bool good, const std::string& found, const char* expected) {
  if (!good) throw std::runtime_error("found " + found + ", expected " + expected);
}

// Names that are not mangled stay: the demangler would take a C function "f" for the type float.
std::string demangled(const char* name) {
  if (std::strncmp(name, "_Z", 2) != 0) return name;
  int status = 0;
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 ? text : name;
  std::free(text);
  return result;
}

void load_segments(const Reader& reader, const Elf32_Ehdr& header, Image& image) {
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    const auto segment =
        reader.at<Elf32_Phdr>(header.e_phoff + i * sizeof(Elf32_Phdr), "program headers");
    if (segment.p_type != PT_LOAD || segment.p_memsz == 0) continue;
    const std::uint64_t end = std::uint64_t{segment.p_paddr} + segment.p_memsz;
    require(end <= kRamBytes && segment.p_filesz <= segment.p_memsz,
            fmt::format("a segment at {:#x} to {:#x}", segment.p_paddr, end),
            "segments within the RAM, 0 to 0x30000");
    if (segment.p_filesz == 0) continue;  // zeros, which the RAM holds anyway
    const std::size_t last = segment.p_paddr + segment.p_filesz;
    image.ram.resize(std::max(image.ram.size(), (last + 3) / 4 * 4));
    std::copy_n(reader.bytes(segment.p_offset, segment.p_filesz, "segments"), segment.p_filesz,
                image.ram.begin() + segment.p_paddr);
  }
}

/// Whether a symbol names code: a function, or a global label of an assembly source.
bool names_code(const Elf32_Sym& symbol, const std::vector<Elf32_Shdr>& sections) {
  if (ELF32_ST_TYPE(symbol.st_info) == STT_FUNC) return true;
  return ELF32_ST_TYPE(symbol.st_info) == STT_NOTYPE &&
         ELF32_ST_BIND(symbol.st_info) == STB_GLOBAL && symbol.st_shndx < sections.size() &&
         (sections[symbol.st_shndx].sh_flags & SHF_EXECINSTR) != 0;
}

// Labels have no size: they reach to the next one, the last one to the end of the program.
void give_sizes(Image& image) {
  auto end = static_cast<std::uint32_t>(image.ram.size());
  for (auto f = image.functions.rbegin(); f != image.functions.rend(); ++f) {
    if (f->bytes == 0 && end > f->address) f->bytes = end - f->address;
    end = f->address;
  }
}

void load_functions(const Reader& reader, const Elf32_Ehdr& header, Image& image) {
  std::vector<Elf32_Shdr> sections;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    sections.push_back(
        reader.at<Elf32_Shdr>(header.e_shoff + i * sizeof(Elf32_Shdr), "section headers"));
  }
  for (const Elf32_Shdr& symbols : sections) {
    if (symbols.sh_type != SHT_SYMTAB) continue;
    require(symbols.sh_link < sections.size(), "a symbol table without strings",
            "a section of them");
    const Elf32_Shdr& strings = sections[symbols.sh_link];
    for (std::size_t s = 0; s < symbols.sh_size / sizeof(Elf32_Sym); ++s) {
      const auto symbol =
          reader.at<Elf32_Sym>(symbols.sh_offset + s * sizeof(Elf32_Sym), "symbol table");
      if (!names_code(symbol, sections) || symbol.st_name >= strings.sh_size) continue;
      const std::size_t room = strings.sh_size - symbol.st_name;
      const auto* text = reinterpret_cast<const char*>(
          reader.bytes(strings.sh_offset + symbol.st_name, room, "string table"));
      const std::string name(text, strnlen(text, room));
      image.functions.push_back({symbol.st_value, symbol.st_size, demangled(name.c_str())});
    }
  }
  std::ranges::sort(image.functions, {}, [](const auto& f) { return f.address; });
  give_sizes(image);
}

std::shared_ptr<const std::vector<rv32::Instruction>> decoded(const std::vector<std::byte>& ram) {
  auto code = std::make_shared<std::vector<rv32::Instruction>>();
  for (std::size_t at = 0; at + 4 <= ram.size(); at += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, ram.data() + at, sizeof word);
    code->push_back(rv32::decode(word));
  }
  return code;
}

}  // namespace

Image load_elf(const std::vector<std::byte>& file) {
  const Reader reader(file);
  const auto header = reader.at<Elf32_Ehdr>(0, "header");
  require(std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0, "no ELF file",
          "an RV32 ELF executable");
  require(header.e_ident[EI_CLASS] == ELFCLASS32 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
              header.e_machine == EM_RISCV,
          fmt::format("an ELF file of machine {} and class {}", header.e_machine,
                      header.e_ident[EI_CLASS]),
          "32-bit little-endian RISC-V");
  require(header.e_type == ET_EXEC, fmt::format("an ELF file of type {}", header.e_type),
          "an executable, statically linked at fixed addresses");
  require((header.e_flags & EF_RISCV_RVC) == 0, "compressed instructions", "RV32IM code");
  require(header.e_entry == 0, fmt::format("an entry at {:#x}", header.e_entry), "entry 0");
  Image image;
  load_segments(reader, header, image);
  load_functions(reader, header, image);
  require(!image.ram.empty(), "no loadable segment", "a program");
  image.code = decoded(image.ram);
  return image;
}

}  // namespace annelid::nic
