#include "parser/text/added_expectation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parser/parse.h"

namespace ambit::parser {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr const char* kTest = R"(CUDA t
{ global int x = 0; }
P0 @ block 0 { x = 1; }
P1 @ block 1 { int r0 = x; }
exists (P1:r0 == 1)
expect sc : Sometimes
)";

std::shared_ptr<const Program> program(const std::string& text = kTest) {
  auto read = parse_program(std::make_shared<const SourceFile>(SourceFile{"t.litmus", text}));
  EXPECT_TRUE(read.ok()) << render(read.errors());
  return std::move(read).value();
}

std::string error_of(const std::string& text, const Program& test) {
  const auto read = read_added_expectation(text, "--expect");
  if (!read.ok()) return render(read.errors());
  const std::vector<AddedExpectation> one = {read.value()};
  const auto added = with_expectations(test, one);
  return added.ok() ? std::string() : render(added.errors());
}

TEST(AddedExpectation, JoinsThoseOfTheTest) {
  const auto test = program();
  std::vector<AddedExpectation> added;
  for (const char* text :
       {"ptx: Never, race on x", "hrf-relaxed(incl=nest) : norace", "ptx under fair, obe: terminates"}) {
    auto read = read_added_expectation(text, "--expect");
    ASSERT_TRUE(read.ok()) << render(read.errors());
    added.push_back(std::move(read).value());
  }
  EXPECT_EQ(added[1].model, "hrf-relaxed");
  EXPECT_EQ(added[1].options.at("incl"), "nest");
  const auto changed = with_expectations(*test, added);
  ASSERT_TRUE(changed.ok()) << render(changed.errors());
  const Program& with = *changed.value();
  ASSERT_THAT(with.expectations, SizeIs(3));
  EXPECT_EQ(with.expectations[0].model, "sc");
  EXPECT_EQ(with.expectations[1].frequency, Frequency::Never);
  EXPECT_EQ(with.expectations[1].race, true);
  EXPECT_EQ(with.expectations[1].race_location, LocationId{0});
  EXPECT_EQ(with.expectations[1].span, SourceSpan{}) << "the expectation has no place in the file";
  EXPECT_EQ(with.expectations[2].race, false);
  ASSERT_THAT(with.terminations, SizeIs(2));
  EXPECT_EQ(with.terminations[1].scheduler, Scheduler::Obe);
}

TEST(AddedExpectation, ErrorsNameTheOptionAndThePlaceInIt) {
  const auto test = program();
  EXPECT_THAT(error_of("ptx: Nevr", *test), HasSubstr("--expect:1:6: error: unknown expectation 'Nevr'"));
  EXPECT_THAT(error_of("ptx: race on z", *test), HasSubstr("--expect:1:14: error: "));
  EXPECT_THAT(error_of("ptx Never", *test), HasSubstr("--expect:1:5: error: "));
  EXPECT_THAT(error_of("ptx: Never exists (x == 1)", *test), HasSubstr("expected one expectation"));
  EXPECT_THAT(error_of(" ", *test), HasSubstr("the expectation is empty"));
  EXPECT_THAT(error_of("sc: Never", *test), HasSubstr("contradicts the expectation of 'sc' in line 6"));
  EXPECT_EQ(error_of("sc: Sometimes", *test), "");
}

TEST(AddedExpectation, AFrequencyNeedsACondition) {
  const auto test = program("CUDA t\n{ global int x = 0; }\nP0 @ block 0 { x = 1; }\n");
  EXPECT_THAT(error_of("ptx: Never", *test), HasSubstr("the test has no condition"));
  EXPECT_EQ(error_of("ptx: norace", *test), "");
}

}  // namespace
}  // namespace ambit::parser
