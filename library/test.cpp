#include <ambit/test.h>

#include "api/check/checking_options.h"
#include "library/internals.h"
#include "parser/parse.h"
#include "report/results/condition_source.h"

namespace AMBIT_NAMESPACE {
namespace {

parser::ProgramOptions program_options(const ReadOptions& options) {
  return api::program_options({.uninitialized = options.uninitialized,
                               .max_threads = options.max_threads,
                               .launch = options.launch,
                               .defines = options.defines});
}

Test only_one(std::vector<Test> tests) {
  if (tests.size() == 1) return std::move(tests.front());
  const SourceFilePtr& source = Internals::program(tests.front())->source;
  raise({{source, {}, fmt::format("expected one test, found {}", tests.size()), "use read_all or parse_all"}});
}

std::vector<Test> tests_in(const SourceFilePtr& source, const ReadOptions& options) {
  std::vector<Test> tests;
  for (ProgramPtr& program : taken(parser::parse_programs(source, program_options(options)))) {
    tests.push_back(Internals::test(std::move(program)));
  }
  return tests;
}

}  // namespace

const std::string& Test::name() const { return content_->program->name; }
const std::string& Test::description() const { return content_->program->description; }
const std::string& Test::file() const { return content_->program->source->path; }
const std::string& Test::source() const { return content_->program->source->text; }

std::vector<std::string> Test::threads() const {
  std::vector<std::string> names;
  for (const Thread& thread : content_->program->threads) names.push_back(thread.name);
  return names;
}

std::vector<std::string> Test::observables() const {
  std::vector<std::string> names;
  for (const Observable& observable : content_->program->observables) names.push_back(observable.name);
  return names;
}

std::string Test::condition() const {
  const Condition& condition = content_->program->condition;
  if (!condition.proposition) return {};
  const std::string text = report::condition_source(*content_->program);
  return text.empty() ? std::string(ambit::to_string(condition.quantifier)) : text;
}

std::vector<Problem> Test::remarks() const {
  std::vector<Problem> remarks;
  for (const Diagnostic& remark : content_->program->remarks) remarks.push_back(problem_of(remark));
  return remarks;
}

std::vector<Test> read_all(const std::string& file, const ReadOptions& options) {
  return guarded([&] { return tests_in(taken(parser::read_source(file)), options); });
}

std::vector<Test> parse_all(const std::string& text, const std::string& name, const ReadOptions& options) {
  return guarded([&] { return tests_in(std::make_shared<const SourceFile>(SourceFile{name, text}), options); });
}

Test read(const std::string& file, const ReadOptions& options) { return only_one(read_all(file, options)); }

Test parse(const std::string& text, const std::string& name, const ReadOptions& options) {
  return only_one(parse_all(text, name, options));
}

}  // namespace AMBIT_NAMESPACE
