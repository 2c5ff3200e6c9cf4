/// Tests launches of PTX modules, for `check` (parse_program) and for `exec` (read_module_launch).

#include "parser/module_launch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "parser/parse.h"
#include "ptx/module.h"

namespace ambit::parser {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kModule = R"(.version 8.3
.target sm_90
.address_size 64
.global .align 4 .u32 flag;
.visible .entry _Z3putPiif(.param .u64 p, .param .u32 n, .param .f32 x)
{
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n]; cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r2, %tid.x; mul.wide.u32 %rd3, %r2, 4; add.s64 %rd2, %rd2, %rd3;
  st.global.u32 [%rd2], %r1; ret;
}
.visible .entry wide(.param .u64 p)
{
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p]; ld.global.v2.f64 {%rd2, %rd3}, [%rd1]; ret;
}
.visible .entry mixed(.param .u64 p)
{
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p]; ld.global.u32 %r1, [%rd1]; ld.global.u64 %rd2, [%rd1+8]; ret;
}
.visible .entry unused(.param .u64 p) { ret; }
.visible .entry empty(.param .pred p) { ret; }
.visible .entry bits(.param .u64 p, .param .b32 x)
{
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p]; ld.param.b32 %r1, [x]; st.global.b32 [%rd1], %r1; ret;
}
.visible .entry fields(.param .align 8 .b8 p[24])
{
  .reg .b32 %r<4>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [p+8]; ld.param.u64 %rd2, [p+16]; st.global.u32 [%rd1], %r1; ret;
}
.visible .entry _ZN5space5scaleILi4EEEvPfi(.param .u64 p, .param .u32 n) { ret; }
.visible .entry _ZN5space5scaleILi8EEEvPfi(.param .u64 p, .param .u32 n) { ret; }
)";

const ptx::Module& module() {
  static const ptx::Module kRead =
      ptx::read_module(std::make_shared<const SourceFile>(SourceFile{"m.ptx", std::string(kModule)})).value();
  return kRead;
}

ModuleLaunch launch_of(const std::string& text) {
  auto read = read_module_launch(module(), text);
  EXPECT_TRUE(read.ok()) << text << "\n" << (read.ok() ? "" : render(read.errors()));
  return read.ok() ? read.value() : ModuleLaunch{};
}

std::string error_of(const std::string& text) {
  const auto read = read_module_launch(module(), text);
  return read.ok() ? "no error" : render(read.errors());
}

/// Returns a text for each array of the launch, such as "data: 4 x 4 bytes 7...".
std::string arrays_of(const std::string& text) {
  std::string all;
  for (const LaunchedArray& array : launch_of(text).arrays) {
    all += (all.empty() ? "" : ", ") + array.name + ": " + std::to_string(array.length) + " x " +
           std::to_string(array.bytes) + " bytes";
    for (const std::uint64_t bits : array.contents) all += " " + std::to_string(bits);
    if (array.repeats) all += "...";
  }
  return all;
}

std::string program_of(const std::string& launch) {
  ProgramOptions options;
  options.launch = launch;
  const auto read =
      parse_program(std::make_shared<const SourceFile>(SourceFile{"m.ptx", std::string(kModule)}), options);
  if (!read.ok()) return render(read.errors());
  std::string text;
  for (const Location& location : read.value()->locations) {
    text += (text.empty() ? "" : " ") + location.name + "=" + std::to_string(location.initial);
  }
  return text;
}

TEST(ModuleLaunch, Arrays) {
  EXPECT_EQ(arrays_of("put<<<1, 1>>>(data[64], 5, 1)"), "data: 64 x 4 bytes");
  EXPECT_EQ(arrays_of("put<<<1, 1>>>(int[64]=7, 5, 1.0)"), ": 64 x 4 bytes 7...");
  EXPECT_EQ(arrays_of("put<<<1, 1>>>(int data[4] = {1, 2}, 5, 1)"), "data: 4 x 4 bytes 1 2");
  EXPECT_EQ(arrays_of("put<<<1, 1>>>(char data[4] = -1, 5, 1)"), "data: 4 x 1 bytes 18446744073709551615...");
  EXPECT_EQ(arrays_of("put<<<1, 1>>>(double data[] = {1.5, -1}, 5, 1)"),
            "data: 2 x 8 bytes " + std::to_string(std::bit_cast<std::uint64_t>(1.5)) + " " +
                std::to_string(std::bit_cast<std::uint64_t>(-1.0)));
  EXPECT_EQ(arrays_of("put<<<1, 1>>>(float[2] = 0.5, 5, 1)"),
            ": 2 x 4 bytes " + std::to_string(std::bit_cast<std::uint32_t>(0.5F)) + "...");
  EXPECT_EQ(arrays_of("put<<<1, 1>>>(unsigned long long[1], 5, 1)"), ": 1 x 8 bytes");
}

// The element type follows from the accesses or from the kernel's mangled name. Otherwise the launch names the type.
TEST(ModuleLaunch, TheAccessesShowTheType) {
  EXPECT_EQ(arrays_of("wide<<<1, 1>>>(a[2] = 1)"),
            "a: 2 x 8 bytes " + std::to_string(std::bit_cast<std::uint64_t>(1.0)) + "...");
  EXPECT_EQ(arrays_of("unused<<<1, 1>>>(a[2])"), "a: 2 x 4 bytes");
  EXPECT_EQ(arrays_of("space::scale<4><<<1, 1>>>(a[2] = 1, 1)"),
            "a: 2 x 4 bytes " + std::to_string(std::bit_cast<std::uint32_t>(1.0F)) + "...");
  EXPECT_EQ(arrays_of("bits<<<1, 1>>>(a[1] = 1, 1)"), "a: 1 x 4 bytes 1...");
  EXPECT_EQ(arrays_of("bits<<<1, 1>>>(a[1] = 1.0, 1)"),
            "a: 1 x 4 bytes " + std::to_string(std::bit_cast<std::uint32_t>(1.0F)) + "...");
  EXPECT_THAT(error_of("mixed<<<1, 1>>>(a[2])"),
              HasSubstr("--launch:1:17: error: the kernel's accesses do not show the type of the elements of 'a'"));
  EXPECT_THAT(error_of("mixed<<<1, 1>>>(a[2])"), HasSubstr("write the type: int a[...]"));
  EXPECT_EQ(arrays_of("mixed<<<1, 1>>>(long a[2])"), "a: 2 x 8 bytes");
}

std::vector<std::uint64_t> numbers_of(const std::string& text) {
  std::vector<std::uint64_t> found;
  for (const LaunchedValue& value : launch_of(text).values) found.push_back(value.value);
  return found;
}

TEST(ModuleLaunch, Values) {
  const std::uint64_t one = std::bit_cast<std::uint32_t>(1.0F);
  EXPECT_THAT(numbers_of("put<<<1, 1>>>(&flag, -1, 1)"), ElementsAre(0, ~std::uint64_t{0}, one));
  EXPECT_THAT(numbers_of("put<<<1, 1>>>(flag, (int)7, 1.0f)"), ElementsAre(0, 7, one));
  EXPECT_THAT(numbers_of("bits<<<1, 1>>>(a[1], 1.0)"), ElementsAre(0, one));
  EXPECT_THAT(numbers_of("bits<<<1, 1>>>(a[1], 1)"), ElementsAre(0, 1));
  const ModuleLaunch with_fields = launch_of("fields<<<1, 1>>>({data[4] = 3, 7, (long long)9})");
  ASSERT_EQ(with_fields.values.size(), 3U);
  EXPECT_EQ(with_fields.values[2].offset, 16U);
  EXPECT_EQ(with_fields.values[2].bytes, 8U);
  EXPECT_EQ(with_fields.values[2].value, 9U);
  EXPECT_EQ(launch_of("put<<<1, 1>>>(&flag, 1, 1)").values[0].variable, "flag");
}

TEST(ModuleLaunch, SizesAndNames) {
  const ModuleLaunch launch = launch_of(" launch _Z3putPiif <<<dim3(2, 3), (4, 5, 6), 128>>>(data[1], 5, 1);");
  EXPECT_EQ(launch.kernel, "_Z3putPiif");
  EXPECT_THAT(launch.grid, ElementsAre(2, 3, 1));
  EXPECT_THAT(launch.block, ElementsAre(4, 5, 6));
  EXPECT_EQ(launch.dynamic_shared_bytes, 128U);
  for (const char* name : {"space::scale<8>", "scale<8>", "scale< 8 >", "_ZN5space5scaleILi8EEEvPfi"}) {
    EXPECT_EQ(launch_of(std::string(name) + "<<<1, 1>>>(a[1], 1)").kernel, "_ZN5space5scaleILi8EEEvPfi") << name;
    EXPECT_EQ(program_of(std::string(name) + "<<<1, 1>>>(a[1], 1)"), "a[0]=0") << name;
  }
}

TEST(ModuleLaunch, Errors) {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"", "--launch:1:1: error: expected a launch KERNEL<<<BLOCKS, THREADS>>>(ARGUMENTS), found nothing"},
      {"put", "found 'put'"},
      {"<<<1, 1>>>()", "--launch:1:1: error: expected a launch"},
      {"put<<<1", "--launch:1:8: error: expected ',' or '>>>', found the end of the launch"},
      {"put<<<1, 1>>>(data[1], 5, 1", "found the end of the launch"},
      {"other<<<1, 1>>>()", "--launch:1:1: error: the module has no kernel 'other'"},
      {"other<<<1, 1>>>()",
       "the kernels are put, wide, mixed, unused, empty, bits, fields, space::scale<4>, space::scale<8>"},
      {"scale<<<1, 1>>>(a[1], 1)", "the module has several kernels 'scale'"},
      {"put<<<1, 1>>>(data[1])", "the kernel 'put' has 3 parameters, but 1 argument is passed here"},
      {"put<<<1, 1>>>(data[1], a[1], 1)",
       "--launch:1:24: error: argument 2 is an array, but the kernel's parameter has 4 bytes"},
      {"empty<<<1, 1>>>(1)", "argument 1 is a number, but the kernel's parameter has no size"},
      {"put<<<1, 1>>>(data[1], 1.5, 1)", "a floating-point number cannot be a value of type int"},
      {"put<<<1, 1>>>(int data[1] = 1.5, 1, 1)", "a floating-point number cannot be a value of type int"},
      {"put<<<1, 1>>>(char data[1] = 300, 1, 1)", "300 is out of range for the type char (8 bits)"},
      {"put<<<1, 1>>>(data[1], 0x100000000, 1)", "out of range for the type int (32 bits)"},
      {"put<<<1, 1>>>(int data[2] = {1, 2, 3}, 1, 1)", "'data' has 2 elements but 3 initial values"},
      {"put<<<1, 1>>>(&other, 1, 1)", "--launch:1:16: error: unknown name 'other'"},
      {"put<<<1, 1>>>(&flag[1], 1, 1)", "the size of the elements of 'flag' is not known"},
      {"put<<<1, 1>>>(data[0], 1, 1)", "an array of 0 elements"},
      {"put<<<1, 1>>>(data[1],\n  1.5, 1)", "--launch:2:3: error: a floating-point number"},
      {"put<<<1, 1>>>(data[1], n, 1)", "a number in a launch must be a constant"},
      {"put<<<1, 1>>>({1, 2}, 1, 1)", "argument 1 is a list of fields"},
      {"fields<<<1, 1>>>({data[4], 7, (long long)9, 1})", "this field is outside the kernel's parameter"},
      {"put<<<1, 1>>>(&flag, 1, 1) on gpu 1", "expected one launch and nothing else"},
      {"then launch put<<<1, 1>>>(&flag, 1, 1)", "expected one launch and nothing else"},
      {"put<<<1, 1>>>(&flag, 1, 1); launch put<<<1, 1>>>(&flag, 1, 1)", "expected one launch and nothing else"},
  };
  for (const auto& [launch, wanted] : table) EXPECT_THAT(error_of(launch), HasSubstr(wanted)) << launch;
}

// For the same launches, the programs that `check` makes have the same memory.
TEST(ModuleLaunch, TheProgramHasTheSameMemory) {
  EXPECT_EQ(program_of("put<<<1, 1>>>(data[2], 5, 1)"), "data[0]=0 data[1]=0");
  EXPECT_EQ(program_of("put<<<1, 1>>>(int data[2] = {1, 2}, 5, 1.5)"), "data[0]=1 data[1]=2");
  EXPECT_EQ(program_of("put<<<1, 1>>>(int[2] = 1000, 5, 1)"), "p0[0]=1000 p0[1]=1000");
  EXPECT_EQ(program_of("put<<<1, 1>>>(short data[2] = 3, 5, 1)"), "data[0]=3 data[1]=3");
  EXPECT_EQ(program_of("put<<<1, 1>>>(unsigned data[1] = 0xffffffff, 5, 1)"), "data[0]=4294967295");
  EXPECT_EQ(program_of("bits<<<1, 1>>>(data[1], 1.5)"), "data[0]=0");
  EXPECT_EQ(program_of("fields<<<1, 1>>>({int data[1] = 3, 7, (long long)9})"), "data[0]=3");
  EXPECT_EQ(program_of("fields<<<1, 1>>>({int[1] = 3, 7, (long long)9})"), "f0[0]=3");
  EXPECT_THAT(program_of("scale<<<1, 1>>>(a[1], 1)"), HasSubstr("--launch:1:1: error: the module has several kernels"));
  EXPECT_THAT(program_of("put<<<1"), HasSubstr("--launch:1:8: error: expected ',' or '>>>'"));
  EXPECT_THAT(program_of("put<<<1, 1>>>(int data[2] = 1.5, 5, 1)"), HasSubstr("--launch:1:29: error: a floating"));
}

}  // namespace
}  // namespace ambit::parser
