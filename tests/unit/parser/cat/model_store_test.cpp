#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "parser/cat/model_store.h"
#include "parser/parse.h"

namespace ambit::parser {
namespace {

using ::testing::HasSubstr;

/// A user's model file. A test can change the title in the file. The destructor removes the file.
class OwnFile {
 public:
  OwnFile() { write("first"); }
  ~OwnFile() { std::remove(path_.c_str()); }
  OwnFile(const OwnFile&) = delete;
  OwnFile& operator=(const OwnFile&) = delete;

  const std::string& path() const { return path_; }
  void write(const std::string& title) const { std::ofstream(path_) << '"' << title << "\"\nacyclic po\n"; }

 private:
  std::string path_ = testing::TempDir() + "ambit-model-store.cat";
};

std::string title_of(ModelStore& store, const std::string& model) {
  const auto rules = store.load(model, {});
  return rules.ok() ? rules.value()->title : render(rules.errors());
}

TEST(ModelStore, ReadsAModelOnce) {
  ModelStore store;
  const OwnFile own;
  EXPECT_EQ(store.load("ptx", {}).value(), store.load("ptx", {}).value()) << "the same object";
  EXPECT_EQ(title_of(store, own.path()), "first");
  own.write("second");
  EXPECT_EQ(title_of(store, own.path()), "first");
}

TEST(ModelStore, ReadsFilesThatMayChangeEachTime) {
  ModelStore store(ModelStore::Files::ReadEachTime);
  const OwnFile own;
  EXPECT_EQ(title_of(store, own.path()), "first");
  own.write("second");
  EXPECT_EQ(title_of(store, own.path()), "second");
  EXPECT_EQ(store.load("ptx", {}).value(), store.load("ptx", {}).value()) << "shipped models do not change";
}

TEST(ModelStore, RefusesUntrustedFiles) {
  ModelStore store(ModelStore::Files::Refused);
  const OwnFile own;
  EXPECT_THAT(title_of(store, own.path()), HasSubstr("unknown model '" + own.path() + "'"));
  EXPECT_THAT(title_of(store, "/no/such/file.cat"), HasSubstr("unknown model '/no/such/file.cat'"))
      << "the error is the same for a file that does not exist";
  EXPECT_TRUE(store.load("ptx", {}).ok());
}

// The expectation `expect ptx` in a test always refers to the shipped model.
TEST(ModelStore, RefusesFilesNamedLikeAShippedModel) {
  const std::string path = testing::TempDir() + "ptx.cat";
  std::ofstream(path) << "acyclic po\n";
  ModelStore store;
  EXPECT_THAT(title_of(store, path), HasSubstr("'" + path + "' has the name of the shipped model ptx"));
  std::remove(path.c_str());
}

// cuda-cpp describes sources in C++, not PTX. sc has no races, so it has no answer without a condition. For a test with
// transactions, Ambit uses the models that have rules for transactions.
TEST(ModelStore, DefaultModelsFitTheTest) {
  const auto defaults = [](const std::string& path, const std::string& text) {
    const auto program = parse_program(std::make_shared<const SourceFile>(SourceFile{path, text}));
    if (!program.ok()) return render(program.errors());
    ModelStore store;
    std::string names;
    const auto models = store.default_models(*program.value());
    for (const RulesPtr& model : models.value()) names += model->name + " ";
    return names;
  };
  const std::string threads = "{ global int x = 0; }\nP0 @ block 0 { x = 1; }\n";
  EXPECT_EQ(defaults("t.litmus", "CUDA t\n" + threads), "ptx cuda-cpp ");
  EXPECT_EQ(defaults("t.litmus", "CUDA t\n" + threads + "exists (x == 1)\n"), "ptx cuda-cpp sc ");
  EXPECT_EQ(defaults("t.cu", "__global__ void k(int* x) { *x = 1; }\n// ambit: launch k<<<1, 1>>>(x[1]);\n"),
            "ptx cuda-cpp ");
  EXPECT_EQ(defaults("t.litmus", "PTX t\n{ x = 0; }\n P0@cta 0 ;\n st.weak [x], 1 ;\nexists (x = 1)\n"), "ptx sc ");
  const std::string transaction = "{ global int x = 0; }\nP0 @ block 0 { atomic(device) { x = 1; } }\n";
  EXPECT_EQ(defaults("t.litmus", "CUDA t\n" + transaction + "exists (x == 1)\n"), "ptx-tm sc-tm ");
}

TEST(ModelStore, NamesEachModelOnce) {
  ModelStore store;
  // The first value of an option is the default. So a name with the default value and a name without it mean one model.
  const auto models = store.load_all({"ptx", "hrf-relaxed", "ptx", "hrf-relaxed(incl=mut)"});
  ASSERT_TRUE(models.ok());
  EXPECT_EQ(models.value().size(), 2U);
  EXPECT_FALSE(store.load_all({"ptx", "no-such"}).ok());
  const OwnFile own;
  const std::size_t name = own.path().rfind('/') + 1;
  const auto twice = store.load_all({own.path(), own.path().substr(0, name) + "./" + own.path().substr(name)});
  ASSERT_TRUE(twice.ok()) << render(twice.errors());
  EXPECT_EQ(twice.value().size(), 1U) << "both paths name one file";
}

}  // namespace
}  // namespace ambit::parser
