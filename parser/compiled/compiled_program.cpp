#include "parser/compiled/compiled_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "parser/compiled/compiled_module.h"
#include "parser/compiled/differences.h"
#include "parser/compiled/thread_maker.h"
#include "parser/cuda/cuda_program.h"

namespace ambit::parser::compiled {
namespace {

/// The lines of the source that .loc names.
class SourcePlaces final : public Places {
 public:
  SourcePlaces(const assembly::Module& module, const SourceFile& source) : module_(module) {
    const std::string name = std::filesystem::path(source.path).filename();
    const auto lines = static_cast<std::uint32_t>(std::count(source.text.begin(), source.text.end(), '\n')) + 1;
    for (const std::string& file : module.files) {
      is_source_.push_back(std::filesystem::path(file).filename() == name);
    }
    lines_ = lines;
  }

  SourceSpan span(const assembly::Function& /*function*/, const assembly::Instruction& instruction) const override {
    std::uint32_t place = assembly::user_place(module_, instruction.source);
    while (place != assembly::kNone && !is_source_[module_.places[place].file]) {
      place = module_.places[place].inlined_at;
    }
    if (place == assembly::kNone || module_.places[place].line == 0 || module_.places[place].line > lines_) return {};
    const assembly::SourcePlace& found = module_.places[place];
    return {found.line, std::max(1U, found.column), 1};
  }

 private:
  const assembly::Module& module_;
  std::vector<bool> is_source_;
  std::uint32_t lines_ = 0;
};

/// The orders of compiled code are those of PTX: what models of C++ or HRF say of it means nothing.
void keep_ptx_expectations(Program& program) {
  std::erase_if(program.expectations, [](const Expectation& one) { return !one.model.starts_with("ptx"); });
  std::erase_if(program.terminations, [](const TerminationExpectation& one) { return !one.model.starts_with("ptx"); });
}

}  // namespace

Result<std::shared_ptr<const Program>> read_compiled_source(const SourceFilePtr& source,
                                                            const ProgramOptions& options) {
  const Result<assembly::Module> module = assembly::read_module(options.compiled);
  if (!module.ok()) return module.errors();
  const SourcePlaces places(module.value(), *source);
  CompiledThreadMaker maker(module.value(), places);
  Result<std::shared_ptr<const Program>> read = cuda::read_program(source, options, &maker);
  if (!read.ok()) {
    // A source that Ambit cannot read by itself still has compiled kernels, whose accesses tell the types.
    const bool is_readable = cuda::read_program(source, options).ok();
    if (is_readable || !options.launch) return read.errors();
    return read_module_of(source, module.value(), places, options);
  }
  auto program = std::make_shared<Program>(*read.value());
  program->is_compiled = true;
  keep_ptx_expectations(*program);
  if (const auto from_source = cuda::read_program(source, options); from_source.ok()) {
    program->remarks = differences(*from_source.value(), *program);
  }
  return std::shared_ptr<const Program>(std::move(program));
}

}  // namespace ambit::parser::compiled
