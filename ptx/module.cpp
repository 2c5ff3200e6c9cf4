#include "ptx/module.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/assert.h"

namespace ambit::ptx {
namespace {

/// Maximum number of inlined calls that user_place() follows.
constexpr std::size_t kMaximumInlining = 1000;

bool is_system_header(std::string_view path) {
  for (const std::string_view part :
       {"/include/cccl/", "/targets/x86_64-linux/include/", "/targets/sbsa-linux/include/", "/include/cuda/",
        "/include/cub/", "/include/thrust/", "/include/nv/"}) {
    if (path.find(part) != std::string_view::npos) return true;
  }
  if (path.starts_with("/usr/include/") || path.starts_with("/usr/lib/")) return true;
  const std::size_t cuda = path.find("/cuda");
  return cuda != std::string_view::npos && path.find("/include/", cuda) != std::string_view::npos;
}

}  // namespace

std::string_view to_string(SpecialRegister special) {
  constexpr std::array kNames = {std::string_view("unknown"),
#define AMBIT_PTX_SPECIAL(name, spelling) std::string_view(spelling),
                                 AMBIT_PTX_SPECIALS(AMBIT_PTX_SPECIAL)
#undef AMBIT_PTX_SPECIAL
  };
  return kNames[static_cast<std::size_t>(special)];
}

std::string_view to_string(Linkage linkage) {
  constexpr std::array<std::string_view, 5> kNames = {"", "visible", "extern", "weak", "common"};
  return kNames[static_cast<std::size_t>(linkage)];
}

std::string Function::register_name(std::uint32_t number) const {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), number,
                                      [](std::uint32_t n, const RegisterRange& range) { return n < range.first; });
  AMBIT_ASSERT(after != ranges.begin());
  const RegisterRange& range = *(after - 1);
  return range.is_numbered ? fmt::format("{}{}", range.name, number - range.first) : range.name;
}

std::string print(const Module& module) {
  const std::string& text = module.file->text;
  std::vector<const Edit*> edits;
  for (const Edit& edit : module.edits) edits.push_back(&edit);
  std::stable_sort(edits.begin(), edits.end(), [](const Edit* a, const Edit* b) { return a->offset < b->offset; });
  std::string result;
  std::size_t position = 0;
  for (const Edit* edit : edits) {
    AMBIT_ASSERT(edit->offset >= position && std::size_t{edit->offset} + edit->length <= text.size());
    result.append(text, position, edit->offset - position);
    result += edit->text;
    position = std::size_t{edit->offset} + edit->length;
  }
  result.append(text, position);
  return result;
}

std::uint32_t user_place(const Module& module, std::uint32_t place) {
  for (std::size_t i = 0; place != kNone && i < kMaximumInlining; ++i) {
    const SourcePlace& source = module.places[place];
    if (source.inlined_at == kNone || !is_system_header(module.files[source.file])) break;
    place = source.inlined_at;
  }
  return place;
}

std::string to_string(const Module& module, std::uint32_t place) {
  if (place == kNone) return "";
  const SourcePlace& source = module.places[place];
  const std::string& path = module.files[source.file];
  const std::string_view file = path.empty() ? std::string_view("?") : std::string_view(path);
  return source.column == 0 ? fmt::format("{}:{}", file, source.line)
                            : fmt::format("{}:{}:{}", file, source.line, source.column);
}

}  // namespace ambit::ptx
