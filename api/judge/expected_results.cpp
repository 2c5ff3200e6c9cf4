#include "api/judge/expected_results.h"

#include <fstream>
#include <utility>

namespace ambit::api {
namespace {

using Numbers = parser::LaunchedArray::Numbers;

void write_number(std::ofstream& out, std::uint64_t number) {
  out.write(reinterpret_cast<const char*>(&number), sizeof number);
}

std::uint64_t read_number(std::ifstream& in) {
  std::uint64_t number = 0;
  in.read(reinterpret_cast<char*>(&number), sizeof number);
  return number;
}

}  // namespace

bool write_expected(const std::string& path, const ExpectedResults& results) {
  std::ofstream out(path, std::ios::binary);
  write_number(out, results.arrays.size());
  write_number(out, results.runs.size());
  for (const parser::LaunchedArray& array : results.arrays) {
    write_number(out, array.name.size());
    out << array.name;
    for (const std::uint64_t number :
         {std::uint64_t{array.bytes}, static_cast<std::uint64_t>(array.numbers), array.length}) {
      write_number(out, number);
    }
  }
  for (const auto& run : results.runs) {
    for (const auto& bytes : run) {
      out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
  }
  return static_cast<bool>(out.flush());
}

std::optional<ExpectedResults> read_expected(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  ExpectedResults results;
  results.arrays.resize(read_number(in));
  results.runs.resize(read_number(in));
  for (parser::LaunchedArray& array : results.arrays) {
    array.name.resize(read_number(in));
    in.read(array.name.data(), static_cast<std::streamsize>(array.name.size()));
    array.bytes = static_cast<std::uint32_t>(read_number(in));
    array.numbers = static_cast<Numbers>(read_number(in));
    array.length = read_number(in);
  }
  for (auto& run : results.runs) {
    for (const parser::LaunchedArray& array : results.arrays) {
      ExpectedResults::Bytes& bytes = run.emplace_back(array.length * array.bytes);
      in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
  }
  return in ? std::optional(std::move(results)) : std::nullopt;
}

}  // namespace ambit::api
