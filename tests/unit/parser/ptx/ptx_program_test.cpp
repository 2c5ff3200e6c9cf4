/// Tests the header, initial values, thread placement and conditions of PTX litmus files (docs/reference/ptx-files.md).

#include <gtest/gtest.h>

#include "tests/unit/parser/litmus/litmus_listing.h"
#include "tests/unit/parser/ptx/ptx_listing.h"

namespace ambit::parser {
namespace {

constexpr const char* kMessagePassing = R"(PTX MP+release+acquire
"Message passing
over two lines"
Source=a book
Cycle=Rfe Fre
(* a comment *) // and another
{ x=0; y=0; P1:r5=7; }
 P0@cta 0,gpu 0      | P1@cta 1,gpu 0 ;
 st.weak x, 1        | ld.acquire.gpu r0, y ;
 st.release.gpu y, 1 | ld.weak r1, x ;
                     | /* nothing more */ ;
exists (P1:r0 == 1 /\ 1:r1 == 0)
expect ptx : Never, norace because "the release pattern synchronises with the acquire pattern"
label suite : norace
)";

TEST(PtxProgram, HeaderThreadsAndCondition) {
  const auto program = parse_ptx(kMessagePassing);
  EXPECT_EQ(program->name, "MP+release+acquire");
  EXPECT_EQ(program->description, "Message passing\nover two lines");
  EXPECT_EQ(program->metadata.at("Source"), "a book");
  EXPECT_EQ(program->metadata.at("Cycle"), "Rfe Fre");
  ASSERT_EQ(program->threads.size(), 2U);
  EXPECT_EQ(listing(*program, program->threads[0]), "st x weak = 1\nst y rel.device = 1\n");
  EXPECT_EQ(listing(*program, program->threads[1]), "r5 = 7\nr0 = ld y acq.device\nr1 = ld x weak\n");
  EXPECT_EQ(program->condition.quantifier, Quantifier::Exists);
  EXPECT_EQ(expression(*program, nullptr, *program->condition.proposition), "((P1:r0 == 1) && (P1:r1 == 0))");
  ASSERT_EQ(program->expectations.size(), 1U);
  EXPECT_EQ(program->expectations[0].frequency, Frequency::Never);
  EXPECT_EQ(program->expectations[0].race, false);
  ASSERT_EQ(program->labels.size(), 1U);
}

TEST(PtxProgram, SpansPointAtTheCell) {
  const auto program = parse_ptx(kMessagePassing);
  EXPECT_EQ(program->threads[1].code[2].span, (SourceSpan{10, 24, 13}));  // ld.weak r1, x
}

TEST(PtxProgram, TheWordMayBeSmallAndEverythingOnFewLines) {
  const auto program = parse_ptx("ptx small {x=2;} P0@cta 0; ld r0, x; exists (0:r0 = 2)");
  EXPECT_EQ(program->name, "small");
  EXPECT_EQ(program->locations.at(0).initial, 2);
}

TEST(PtxProgram, Places) {
  const auto program = parse_ptx(
      "PTX t\n{ }\nP0@cta 0,gpu 0 | P1@gpu 1,cta 0 | P2@cta 2,gpu 0,cluster 1 | P3@cluster 1, gpu 0, cta 3 |"
      " P4@cta 0,gpu 0,warp 3,lane 2 | P5@cta 0,gpu 0 ;\n fence.sc.gpu | fence.sc.gpu | fence.sc.gpu | fence.sc.gpu |"
      " fence.sc.gpu | fence.sc.gpu ;\n");
  ASSERT_EQ(program->threads.size(), 6U);
  const auto place = [&](std::size_t i) { return program->threads[i].place; };
  // If a cta has no declared cluster, it is alone in a cluster. If a thread has no warp, it is alone in a warp.
  EXPECT_EQ(place(0).gpu, 0);
  EXPECT_EQ(place(1).gpu, 1);
  EXPECT_TRUE(same_instance(place(2), place(3), Scope::Cluster));
  EXPECT_FALSE(same_instance(place(0), place(2), Scope::Cluster));
  EXPECT_FALSE(same_instance(place(0), place(1), Scope::Block));
  EXPECT_EQ(place(4).warp, 3);
  EXPECT_EQ(place(4).lane, 2);
  EXPECT_TRUE(same_instance(place(0), place(5), Scope::Block));
  EXPECT_NE(place(0).warp, place(5).warp);
  ASSERT_EQ(program->blocks.size(), 4U);
  EXPECT_EQ(program->blocks[0].threads, 3U);
}

TEST(PtxProgram, InitialValues) {
  const auto program = parse_ptx("PTX t\n{ x=1; y=-1; z=0x10; [w]=4; a[3]={1,2}; v; }\nP0@cta 0;\nst u, 1;\n");
  const auto initial = [&](const std::string& name) {
    for (const Location& location : program->locations) {
      if (location.name == name) return location.initial;
    }
    return Value{-999};
  };
  EXPECT_EQ(initial("x"), 1);
  EXPECT_EQ(initial("y"), -1);
  EXPECT_EQ(initial("z"), 16);
  EXPECT_EQ(initial("w"), 4);
  EXPECT_EQ(initial("a[0]"), 1);
  EXPECT_EQ(initial("a[1]"), 2);
  EXPECT_EQ(initial("a[2]"), 0);
  EXPECT_EQ(initial("v"), 0);
  EXPECT_EQ(initial("u"), 0);  // undeclared locations contain 0
}

TEST(PtxProgram, RegistersBeginWithNumbersOrAddresses) {
  EXPECT_EQ(column({"st y, r1"}, "P0:r1=3;"), "r1 = 3\nst y weak = r1\n");
  EXPECT_EQ(column({"st y, r1"}, "0:r1=3;"), "r1 = 3\nst y weak = r1\n");
  EXPECT_EQ(column({"st r1, 5"}, "x=0; P0:r1=x;"), "r1 = 4294967296\nst [r1] weak = 5\n");
}

TEST(PtxProgram, GenericAliasesAreSecondAddressesOfTheSameCells) {
  const auto program =
      parse_ptx("PTX t\n{ x=1; y @ generic aliases x; }\nP0@cta 0;\nst y, 2;\nexists (y == 2 /\\ x == 2)\n");
  ASSERT_EQ(program->objects.size(), 2U);
  EXPECT_EQ(program->locations.size(), 1U);
  EXPECT_EQ(program->objects[1].name, "y");
  EXPECT_EQ(program->objects[1].alias_of, ObjectId{0});
  EXPECT_EQ(program->objects[1].first, program->objects[0].first);
  const auto& store = std::get<Store>(program->threads[0].code[0].operation);
  EXPECT_EQ(store.access.address.constant, make_address(1, 0));
  EXPECT_EQ(program->observables.size(), 1U);  // both names are the same cell
}

TEST(PtxProgram, OtherAliasesAreTheSameAddressByAnotherProxy) {
  const auto program = parse_ptx(
      "PTX t\n{ x=1; t @ texture aliases x; s @ surface aliases x; c @ constant aliases x; }\nP0@cta 0;\n"
      "tld.weak r0, t;\nsust.weak s, 2;\ncold.weak r1, c;\nexists (t == 2)\n");
  EXPECT_EQ(program->objects.size(), 1U);
  EXPECT_EQ(listing(*program, program->threads[0]),
            "r0 = ld x weak texture\nst x weak surface = 2\nr1 = ld x weak constant\n");
}

TEST(PtxProgram, ATextureOfASecondAddress) {
  const auto program =
      parse_ptx("PTX t\n{ x=1; y @ generic aliases x; t @ texture aliases y; }\nP0@cta 0;\ntld.weak r0, t;\n");
  EXPECT_EQ(std::get<Load>(program->threads[0].code[0].operation).access.address.constant, make_address(1, 0));
}

std::string condition(const std::string& text) {
  const auto program =
      parse_ptx("PTX t\n{ x=0; a[2]; }\nP0@cta 0 | P1@cta 1;\nld r0, x | ld r0, x;\n| ld r1, x;\n" + text);
  if (!program->condition.proposition) return "none";
  const std::array<const char*, 4> quantifiers = {"list", "exists", "~exists", "forall"};
  return std::string(quantifiers[static_cast<std::size_t>(program->condition.quantifier)]) + " " +
         expression(*program, nullptr, *program->condition.proposition);
}

TEST(PtxProgram, FormsOfConditions) {
  EXPECT_EQ(condition("exists (P1:r0 = 1)"), "exists (P1:r0 == 1)");
  EXPECT_EQ(condition("~exists (1:r0 == -1)"), "~exists (P1:r0 == -1)");
  EXPECT_EQ(condition("not exists (x != 0x10)"), "~exists (x != 16)");
  EXPECT_EQ(condition("forall ([x] < 1 \\/ a[1] >= 2);"), "forall ((x < 1) || (a[1] >= 2))");
  EXPECT_EQ(condition("exists (not x = 1 && !(P0:r0 = P1:r1))"), "exists ((x != 1) && (P0:r0 != P1:r1))");
  EXPECT_EQ(condition("exists (~(P1:r0 = 1 /\\ P1:r1 = 0) || true)"), "exists 1");
  EXPECT_EQ(condition(""), "none");
}

TEST(PtxProgram, FilterAndLocations) {
  const auto program = parse_ptx(
      "PTX t\n{ x=0; y=0; }\nP0@cta 0;\nld r0, x;\nld r1, y;\nlocations [y; P0:r1; 0:r0;]\nfilter (P0:r0 == 1)\n"
      "exists (P0:r1 == 0)\n");
  EXPECT_EQ(expression(*program, nullptr, *program->condition.filter), "(P0:r0 == 1)");
  std::string names;
  for (const Observable& observable : program->observables) names += observable.name + " ";
  EXPECT_EQ(names, "P0:r0 P0:r1 y ");
}

TEST(PtxProgram, WithoutAConditionAllThatIsWrittenIsObserved) {
  const auto program = parse_ptx("PTX t\n{ x=0; y=0; P0:r7=1; }\nP0@cta 0;\nld r0, x;\nst x, 2;\nld r0, y;\n");
  std::string names;
  for (const Observable& observable : program->observables) names += observable.name + " ";
  EXPECT_EQ(names, "P0:r0 x ");
}

TEST(PtxProgram, ErrorsNameTheRegisterOnce) {
  const std::string message =
      ptx_errors("PTX t\n{ x=0; }\nP0@cta 0;\nld.aqcuire.gpu r0, x;\nst x, r0;\nexists (P0:r0 == 1)\n");
  EXPECT_NE(message.find("did you mean 'acquire'"), std::string::npos) << message;
  EXPECT_EQ(message.find("never written"), std::string::npos) << message;
  EXPECT_EQ(message.find("nothing writes"), std::string::npos) << message;
}

TEST(PtxProgram, AtMostTwentyErrorsAreShown) {
  std::string text = "PTX t\n{ }\nP0@cta 0;\n";
  for (int i = 0; i < 50; ++i) text += "foo r0, x;\n";
  EXPECT_NE(ptx_errors(text).find("... and 30 more errors"), std::string::npos);
}

}  // namespace
}  // namespace ambit::parser
