#include "ptx/ptx_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace ambit::ptx {
namespace {

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool is_register_name(std::string_view name) { return name.starts_with('r') && is_digits(name.substr(1)); }

/// Returns whether the word has a special meaning in the format. A reserved word cannot be the name of a location.
bool is_reserved(std::string_view name) {
  constexpr std::array<std::string_view, 9> kWords = {"exists", "forall", "filter", "locations", "expect",
                                                      "label",  "detect", "not",    "_"};
  return std::find(kWords.begin(), kWords.end(), name) != kWords.end() || is_register_name(name) ||
         (name.starts_with("LC") && is_digits(name.substr(2)));
}

std::string as_location(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; }, '_');
  return is_reserved(name) ? name + "_" : name;
}

}  // namespace

Names::Names(const Program& program) : program_(program), registers_(program.threads.size()) {
  std::set<std::string> taken;
  for (const MemoryObject& object : program.objects) {
    if (as_location(object.name) == object.name) taken.insert(object.name);
  }
  for (const MemoryObject& object : program.objects) {
    std::string name = as_location(object.name);
    while (name != object.name && !taken.insert(name).second) name += '_';
    objects_.push_back(std::move(name));
  }
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    ThreadRegisters& registers = registers_[t];
    for (const Register& reg : program.threads[t].registers) {
      const bool fits = is_register_name(reg.name) && registers.taken.insert(reg.name).second;
      registers.names.push_back(fits ? reg.name : std::string());
    }
  }
}

std::string Names::thread(std::size_t thread) { return fmt::format("P{}", thread); }

std::string Names::cell(LocationId location) const {
  const Location& cell = program_.locations[location];
  const std::string& object = objects_[cell.object];
  return program_.objects[cell.object].is_array ? fmt::format("{}[{}]", object, cell.index) : object;
}

std::optional<std::string> Names::address(Value address) const {
  if (!program_.location_at(address)) return std::nullopt;
  const auto object = static_cast<ObjectId>(object_of(address));
  if (!program_.objects[object].is_array) return objects_[object];
  return fmt::format("{}[{}]", objects_[object], index_of(address));
}

std::string Names::fresh(std::size_t thread) {
  ThreadRegisters& registers = registers_[thread];
  for (;;) {
    std::string name = fmt::format("r{}", registers.next++);
    if (registers.taken.insert(name).second) return name;
  }
}

const std::string& Names::reg(std::size_t thread, RegisterId reg) {
  std::string& name = registers_[thread].names[reg];
  if (name.empty()) name = fresh(thread);
  return name;
}

std::vector<std::string> Names::changes() const {
  std::vector<std::string> lines;
  for (std::size_t t = 0; t < program_.threads.size(); ++t) {
    const Thread& from = program_.threads[t];
    if (from.name != thread(t)) lines.push_back(fmt::format("{} is {}", thread(t), from.name));
  }
  for (std::size_t t = 0; t < program_.threads.size(); ++t) {
    const std::vector<Register>& from = program_.threads[t].registers;
    for (RegisterId r = 0; r < from.size(); ++r) {
      const std::string& name = registers_[t].names[r];
      const bool is_temporary = from[r].name.starts_with('%');
      if (name.empty() || is_temporary || name == from[r].name) continue;
      lines.push_back(fmt::format("{}:{} is {}", thread(t), name, from[r].name));
    }
  }
  for (ObjectId o = 0; o < objects_.size(); ++o) {
    const std::string& name = program_.objects[o].name;
    if (name != objects_[o]) lines.push_back(fmt::format("{} is {}", objects_[o], name));
  }
  return lines;
}

}  // namespace ambit::ptx
