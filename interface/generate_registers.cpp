// Writes the C++ header of the NIC's registers from registers.toml. A build tool:
//   generate_registers REGISTERS.toml OUT.hpp CODES.h
// The header is for firmware and model alike: it needs <cstdint> alone. CODES.h has the codes of
// calls, for programs of the nodes in C.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interface/generator.hpp"

using namespace annelid::generator;

namespace {

std::string hex(std::int64_t value) {
  std::ostringstream out;
  out << "0x" << std::hex << std::uppercase << value;
  return out.str();
}

void write_constants(std::ostream& out, const toml::table& map) {
  const toml::table* constants = map["constants"].as_table();
  if (constants == nullptr) throw std::runtime_error("no [constants]");
  for (const auto& [name, value] : *constants) {
    out << "inline constexpr std::uint32_t " << constant_name(name.str()) << " = "
        << hex(value.value_or(std::int64_t{0})) << ";\n";
  }
}

/// Checks what the table alone can: known access, aligned, inside the window, no offset twice.
void check(const std::string& name, std::int64_t offset, std::int64_t count,
           const std::string& access, std::vector<std::int64_t>& taken) {
  if (access != "ro" && access != "wo" && access != "rw") {
    throw std::runtime_error(name + ": access is '" + access + "', expected ro, wo or rw");
  }
  if (offset % 4 != 0 || offset < 0 || offset + 4 * count > 0x1000 || count < 1) {
    throw std::runtime_error(name + ": offset " + hex(offset) + " is not a word below 0x1000");
  }
  for (std::int64_t word = 0; word < count; ++word) {
    const std::int64_t at = offset + 4 * word;
    if (std::find(taken.begin(), taken.end(), at) != taken.end()) {
      throw std::runtime_error(name + ": offset " + hex(at) + " is taken");
    }
    taken.push_back(at);
  }
}

void write_fields(std::ostream& out, const std::string& register_name, const toml::table& entry) {
  const toml::array* fields = entry["fields"].as_array();
  if (fields == nullptr) return;
  for (const toml::node& node : *fields) {
    const toml::table& field = *node.as_table();
    out << "inline constexpr Field "
        << constant_name(register_name + "_" + required<std::string>(field, "name")) << "Field{"
        << required<std::int64_t>(field, "high") << ", " << required<std::int64_t>(field, "low")
        << "};\n";
  }
}

void write_registers(std::ostream& out, const toml::table& map) {
  std::ostringstream table;
  std::vector<std::int64_t> taken;
  std::size_t registers = 0;
  for (const toml::node& node : required_array(map, "register")) {
    const toml::table& entry = *node.as_table();
    const auto name = required<std::string>(entry, "name");
    const auto offset = required<std::int64_t>(entry, "offset");
    const auto access = required<std::string>(entry, "access");
    const std::int64_t count = entry["count"].value_or(std::int64_t{1});
    check(name, offset, count, access, taken);
    out << "\n/// " << required<std::string>(entry, "description")
        << "\ninline constexpr std::uint32_t " << constant_name(name) << " = " << hex(offset)
        << ";  // " << access << '\n';
    if (count > 1) {
      out << "inline constexpr std::uint32_t " << constant_name(name + "_words") << " = " << count
          << ";\n";
    }
    write_fields(out, name, entry);
    table << "    {\"" << name << "\", " << hex(offset) << ", " << count << ", "
          << (access == "wo" ? "false" : "true") << ", " << (access == "ro" ? "false" : "true")
          << ", " << hex(entry["reset"].value_or(std::int64_t{0})) << ", "
          << entry["bits"].value_or(std::int64_t{32}) << "},\n";
    ++registers;
  }
  out << R"(
/// The whole map, for the model and for tools.
struct Register {
  const char* name;
  std::uint32_t offset;
  std::uint32_t words;  // an array of so many 32-bit words
  bool readable, writable;
  std::uint32_t reset;
  std::uint32_t bits;  // writes are cut to them
};
inline constexpr Register kRegisters[)"
      << registers << "] = {\n"
      << table.str() << "};\n";
}

/// TWO_TREE becomes two-tree.
std::string words(std::string name) {
  for (char& c : name) {
    c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return name;
}

/// By code.
using Values = std::vector<std::pair<std::int64_t, std::string>>;

void write_names(std::ostream& out, const toml::table& entry, const Values& values) {
  const auto type = required<std::string>(entry, "name");
  const bool capitals = entry["capitals"].value_or(false);
  out << "constexpr const char* name_of(" << type << " code) {\n  switch (code) {\n";
  for (const auto& [code, name] : values) {
    out << "    case " << type << "::" << constant_name(name) << ":\n      return \""
        << (capitals ? name : words(name)) << "\";\n";
  }
  out << "  }\n  return nullptr;\n}\nconstexpr const char* kind_of(" << type << ") { return \""
      << required<std::string>(entry, "kind") << "\"; }\n";
}

void write_enumerations(std::ostream& out, const toml::table& map) {
  out << R"(
// Codes. name_of() is what users call a code, "two-tree"; nullptr for one that is not in the map.
// kind_of() is what it is a code of, "algorithm".
)";
  for (const toml::node& node : required_array(map, "enumeration")) {
    const toml::table& entry = *node.as_table();
    Values values;
    for (const auto& [name, code] : *entry["values"].as_table()) {
      values.emplace_back(code.value_or(std::int64_t{-1}), name.str());
    }
    std::sort(values.begin(), values.end());
    out << "\n/// " << required<std::string>(entry, "description") << "\nenum class "
        << required<std::string>(entry, "name") << " : std::uint32_t {\n";
    for (const auto& [code, name] : values) {
      out << "  " << constant_name(name) << " = " << code << ",\n";
    }
    out << "};\n";
    write_names(out, entry, values);
  }
}

void write_header(std::ostream& out, const toml::table& map) {
  out << R"(// The NIC's registers (docs/internals/nic/registers.md). Generated from interface/registers.toml; do not edit.
#pragma once

#include <cstdint>

namespace annelid::reg {

/// A field of a register's 32 bits.
struct Field {
  std::uint32_t high, low;
  constexpr std::uint32_t mask() const { return (~std::uint32_t{0} >> (31 - high + low)) << low; }
  /// The field's value in a register's value, and the other way round.
  constexpr std::uint32_t of(std::uint32_t word) const { return (word & mask()) >> low; }
  constexpr std::uint32_t in(std::uint32_t value) const { return (value << low) & mask(); }
};

)";
  write_constants(out, map);
  out << "\n// Offsets from kRegisterBase.\n";
  write_registers(out, map);
  write_enumerations(out, map);
  out << "\n}  // namespace annelid::reg\n";
}

/// RADIX of the algorithms is NIC_BY_RADIX, and SUM of the operators NIC_SUM.
void write_codes(std::ostream& out, const toml::table& map) {
  static const std::vector<std::pair<std::string, std::string>> kPrefixes = {
      {"Operation", "NIC_"},    {"Algorithm", "NIC_BY_"}, {"Operator", "NIC_"},
      {"CoreOperator", "NIC_"}, {"Type", "NIC_"},         {"CallResult", "NIC_"}};
  out << "/* The codes of calls. Generated from interface/registers.toml; do not edit. */\n"
         "#ifndef ANNELID_NIC_CODES_H\n#define ANNELID_NIC_CODES_H\n";
  for (const toml::node& node : required_array(map, "enumeration")) {
    const toml::table& entry = *node.as_table();
    const auto type = required<std::string>(entry, "name");
    const auto prefix = std::find_if(kPrefixes.begin(), kPrefixes.end(),
                                     [&](const auto& p) { return p.first == type; });
    if (prefix == kPrefixes.end()) continue;
    std::vector<std::pair<std::int64_t, std::string>> values;
    for (const auto& [name, code] : *entry["values"].as_table()) {
      values.emplace_back(code.value_or(std::int64_t{-1}), name.str());
    }
    std::sort(values.begin(), values.end());
    out << "\n/* " << required<std::string>(entry, "description") << " */\nenum nic";
    for (const char c : type) {
      if (std::isupper(static_cast<unsigned char>(c))) out << '_';
      out << static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    out << " {\n";
    for (const auto& [code, name] : values) {
      const bool none = name == "NONE" && type == "Operator";
      out << "  " << (none ? std::string("NIC_NO_OPERATOR") : prefix->second + name) << " = "
          << code << ",\n";
    }
    out << "};\n";
  }
  out << "#endif\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: generate_registers REGISTERS.toml OUT.hpp CODES.h\n";
    return 2;
  }
  try {
    const toml::table map = toml::parse_file(argv[1]);
    std::ostringstream header, codes;
    write_header(header, map);
    write_file(argv[2], header.str());
    write_codes(codes, map);
    write_file(argv[3], codes.str());
  } catch (const toml::parse_error& error) {
    std::cerr << argv[1] << ':' << error.source().begin.line << ": " << error.description() << '\n';
    return 1;
  } catch (const std::exception& error) {
    std::cerr << argv[1] << ": " << error.what() << '\n';
    return 1;
  }
  return 0;
}
