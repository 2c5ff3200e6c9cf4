#include "parser/compiled/compiled_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "parser/compiled/compiled_module.h"
#include "parser/compiled/declarations.h"
#include "parser/compiled/differences.h"
#include "parser/compiled/mangled_name.h"
#include "parser/compiled/thread_maker.h"
#include "parser/cuda/cuda_program.h"

namespace ambit::parser::compiled {
namespace {

/// The places in the source that .loc directives name.
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

/// Removes expectations for models of C++ and HRF. Compiled code has PTX memory orders, so these models do not apply.
void keep_ptx_expectations(Program& program) {
  std::erase_if(program.expectations, [](const Expectation& one) { return !one.model.starts_with("ptx"); });
  std::erase_if(program.terminations, [](const TerminationExpectation& one) { return !one.model.starts_with("ptx"); });
}

/// Reads a source whose device code Ambit's CUDA reader rejects. Reads only the launch, the variables and the
/// signatures of the kernels. The accesses of the compiled kernels determine the types of shared memory.
class StubbedSource {
 public:
  StubbedSource(const SourceFilePtr& source, const assembly::Module& module, const Places& places,
                const ProgramOptions& options)
      : source_(source), module_(module), places_(places), options_(options) {
    for (const assembly::Function& function : module.functions) {
      if (!function.is_entry || !function.has_body) continue;
      kernels_.emplace_back(&function, Declarations(module, function, {}, function.name));
      for (std::string& name : kernels_.back().second.variables()) stubs_.variables.push_back(std::move(name));
    }
  }

  Result<std::shared_ptr<const Program>> read() {
    AccessRecords records;
    stubs_.body = [this](const std::string& kernel) {
      const Declarations* declarations = of_kernel(kernel);
      return declarations == nullptr ? "{ }" : declarations->body_for_survey();
    };
    CompiledThreadMaker surveyor(module_, places_, &records);
    auto surveyed = cuda::read_program(source_, options_, &surveyor, &stubs_);
    if (!surveyed.ok()) return surveyed;
    Reporter reporter(source_);
    std::map<std::string, std::string> bodies;
    for (const auto& [function, declarations] : kernels_) {
      if (!used_.contains(function)) continue;
      const Declarations::Body body = declarations.body(records, reporter);
      stubs_.structs += body.structs;
      bodies[function->name] = body.text;
    }
    if (reporter.has_errors()) return reporter.take();
    stubs_.body = [this, &bodies](const std::string& kernel) {
      const assembly::Function* function = function_of(kernel);
      return function == nullptr ? "{ }" : bodies.at(function->name);
    };
    CompiledThreadMaker maker(module_, places_);
    return cuda::read_program(source_, options_, &maker, &stubs_);
  }

 private:
  const assembly::Function* function_of(const std::string& kernel) const {
    for (const auto& [function, declarations] : kernels_) {
      if (names_kernel(function->name, kernel)) return function;
    }
    return nullptr;
  }

  const Declarations* of_kernel(const std::string& kernel) {
    for (const auto& [function, declarations] : kernels_) {
      if (!names_kernel(function->name, kernel)) continue;
      used_.insert(function);
      return &declarations;
    }
    return nullptr;
  }

  const SourceFilePtr& source_;
  const assembly::Module& module_;
  const Places& places_;
  const ProgramOptions& options_;
  std::vector<std::pair<const assembly::Function*, Declarations>> kernels_;
  std::set<const assembly::Function*> used_;
  cuda::KernelStubs stubs_;
};

/// Reads the compiled kernels of a source whose device code Ambit cannot read.
Result<std::shared_ptr<const Program>> read_beyond_source(const SourceFilePtr& source, const assembly::Module& module,
                                                          const Places& places, const ProgramOptions& options) {
  Result<std::shared_ptr<const Program>> stubbed = StubbedSource(source, module, places, options).read();
  if (stubbed.ok()) {
    auto program = std::make_shared<Program>(*stubbed.value());
    program->is_compiled = true;
    keep_ptx_expectations(*program);
    return std::shared_ptr<const Program>(std::move(program));
  }
  if (options.launch || has_launch_comment(*source)) return read_module_of(source, module, places, options);
  Diagnostics errors = stubbed.errors();
  const std::string example = cuda::example_launch(source, options);
  if (!example.empty()) errors.front().hint = fmt::format("give the launch: --launch '{}'", example);
  return errors;
}

/// Returns whether each variable that exists in both programs has the same size in both programs.
bool has_same_sizes(const Program& source, const Program& compiled) {
  const auto bytes_of = [](const MemoryObject& object) { return std::uint64_t{object.type.bits} / 8 * object.length; };
  return std::ranges::all_of(compiled.objects, [&](const MemoryObject& object) {
    const auto known = std::ranges::find(source.objects, object.name, &MemoryObject::name);
    return known == source.objects.end() || bytes_of(*known) == bytes_of(object);
  });
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
    // A type of a library may have a different size than Ambit's reader assumes.
    Result<std::shared_ptr<const Program>> beyond = read_beyond_source(source, module.value(), places, options);
    const Result<std::shared_ptr<const Program>> from_source = cuda::read_program(source, options);
    if (!from_source.ok()) return beyond;
    return beyond.ok() && has_same_sizes(*from_source.value(), *beyond.value()) ? beyond : read;
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
