#include "tests/unit/virtual/reference_instructions.h"

#include <fmt/format.h>

#include "tests/unit/virtual/kernel_run.h"
#include "tests/unit/virtual/reference_lists.h"

namespace ambit::virtual_gpu {

const std::vector<ReferenceInstruction>& reference_instructions() {
  static const reference::List list = [] {
    reference::List made;
    reference::add_integers(made);
    reference::add_bits(made);
    reference::add_comparisons(made);
    reference::add_floats(made);
    reference::add_conversions(made);
    return made;
  }();
  return list;
}

const std::vector<std::uint64_t>& special_values(char type) {
  static const std::vector<std::uint64_t> integers = {0,
                                                      1,
                                                      2,
                                                      3,
                                                      5,
                                                      7,
                                                      8,
                                                      15,
                                                      16,
                                                      31,
                                                      32,
                                                      33,
                                                      63,
                                                      64,
                                                      65,
                                                      127,
                                                      128,
                                                      255,
                                                      256,
                                                      0x7fff,
                                                      0x8000,
                                                      0xffff,
                                                      0x10000,
                                                      0x7fffffff,
                                                      0x80000000,
                                                      0x80000001,
                                                      0xfffffffe,
                                                      0xffffffff,
                                                      0x100000000,
                                                      0x12345678,
                                                      0xdeadbeef,
                                                      0x7fffffffffffffff,
                                                      0x8000000000000000,
                                                      0xfffffffffffffffe,
                                                      0xffffffffffffffff,
                                                      0x0123456789abcdef};
  static const std::vector<std::uint64_t> singles = {
      0,          0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0x40490fdb, 1,          0x80000001,
      0x007fffff, 0x00800000, 0x807fffff, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
      0x7fffffff, 0x4f000000, 0xcf000000, 0x4effffff, 0x4f800000, 0x5f000000, 0xdf000000, 0x5f800000,
      0x3fc00000, 0x40200000, 0xbfc00000, 0x33800000, 0x3f7fffff};
  static const std::vector<std::uint64_t> doubles = {0,
                                                     0x8000000000000000,
                                                     0x3ff0000000000000,
                                                     0xbff0000000000000,
                                                     0x400921fb54442d18,
                                                     1,
                                                     0x800fffffffffffff,
                                                     0x0010000000000000,
                                                     0x7fefffffffffffff,
                                                     0x7ff0000000000000,
                                                     0xfff0000000000000,
                                                     0x7ff8000000000000,
                                                     0x41dfffffffc00000,
                                                     0x41e0000000000000,
                                                     0xc1e0000000000000,
                                                     0x43e0000000000000,
                                                     0xc3e0000000000000,
                                                     0x43f0000000000000,
                                                     0x3fe0000000000000,
                                                     0x3ff8000000000000,
                                                     0x36a0000000000000,
                                                     0x380fffffe0000000,
                                                     0x47efffffefffffff,
                                                     0x47effffff0000000};
  static const std::vector<std::uint64_t> predicates = {0, 1};
  switch (type) {
    case 'f': return singles;
    case 'g': return doubles;
    case 'p': return predicates;
    default: return integers;
  }
}

std::string filled(const std::string& text, const std::vector<std::string>& names) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_name =
        text[i] == '{' && i + 2 < text.size() && text[i + 2] == '}' && text[i + 1] >= '0' && text[i + 1] <= '3';
    if (is_name) {
      result += names[static_cast<std::size_t>(text[i + 1] - '0')];
      i += 2;
    } else if ((text[i] == '{' || text[i] == '}') && i + 1 < text.size() && text[i + 1] == text[i]) {
      result += text[i++];
    } else {
      result += text[i];
    }
  }
  return result;
}

namespace {

std::string register_name(char type, unsigned number) {
  switch (type) {
    case 'h': return fmt::format("%rs{}", number);
    case 'r': return fmt::format("%r{}", number);
    case 'd': return fmt::format("%rd{}", number);
    case 'f': return fmt::format("%f{}", number);
    case 'g': return fmt::format("%fd{}", number);
    default: return fmt::format("%p{}", number);
  }
}
unsigned bytes_of(char type) { return type == 'h' ? 2 : type == 'd' || type == 'g' ? 8 : 4; }
std::string memory_type_name(char type) {
  switch (type) {
    case 'h': return "u16";
    case 'd': return "u64";
    case 'f': return "f32";
    case 'g': return "f64";
    default: return "u32";
  }
}

}  // namespace

std::uint64_t cut_to(char type, std::uint64_t value) {
  if (type == 'p') return value & 1;
  return bytes_of(type) == 8 ? value : value & ((std::uint64_t{1} << bytes_of(type) * 8) - 1);
}

std::string kernel_text_of(const ReferenceInstruction& instruction) {
  std::string body = R"(
    ld.param.u64 %rd10, [p0];
    ld.param.u64 %rd11, [p1];
    ld.param.u32 %r10, [p2];
    mov.u32 %r11, %tid.x;
    mov.u32 %r13, %ctaid.x;
    mad.lo.u32 %r12, %r13, 64, %r11;
    mad.wide.u32 %rd10, %r12, 24, %rd10;
    mad.wide.u32 %rd11, %r12, 8, %rd11;
    setp.ge.u32 %p10, %r12, %r10;
    @%p10 bra $end;
)";
  std::vector<std::string> names{register_name(instruction.result, 0)};
  for (unsigned i = 0; i < instruction.sources.size(); ++i) {
    const char type = instruction.sources[i];
    names.push_back(register_name(type, i + 1));
    if (type == 'p') {
      body += fmt::format("ld.global.u32 %r9, [%rd10+{}];\nsetp.ne.u32 {}, %r9, 0;\n", 8 * i, names.back());
    } else {
      body += fmt::format("ld.global.{} {}, [%rd10+{}];\n", memory_type_name(type), names.back(), 8 * i);
    }
  }
  body +=
      "// the instruction\n" + filled(instruction.text, names) + (instruction.text.starts_with("{{") ? "\n" : ";\n");
  if (instruction.result == 'p') {
    body += "selp.u32 %r9, 1, 0, %p0;\nst.global.u32 [%rd11], %r9;\n";
  } else {
    body += fmt::format("st.global.{} [%rd11], {};\n", memory_type_name(instruction.result), names[0]);
  }
  return kernel_text(3, body + "$end:\nret;");
}

}  // namespace ambit::virtual_gpu
