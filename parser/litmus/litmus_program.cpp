
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "core/asynchronous.h"
#include "core/opaque.h"
#include "parser/litmus/litmus_program.h"
#include "parser/litmus/math_functions.h"
#include "parser/litmus/threads.h"
#include "parser/litmus/untouched_cells.h"
#include "parser/text/condition.h"
#include "parser/text/expectation.h"
#include "parser/text/file_syntax.h"
#include "parser/text/header.h"

namespace ambit::parser::litmus {
namespace {

/// Makes the threads. If a thread uses mbarrier objects, tensor maps or matrix fragments, makes all threads
/// twice: the code of each thread depends on these uses in all threads (MbarrierTable, TensorMapTable,
/// FragmentTable).
void make_threads(Assembly& assembly, ClusterNumbers& clusters) {
  const std::uint64_t work = assembly.work_left;
  add_placed_threads(assembly, clusters);
  add_launched_threads(assembly, clusters);
  if (assembly.reporter.has_errors()) return;
  assembly.tensor_maps.note_accesses(assembly.program, assembly.memory);
  const bool is_final =
      assembly.mbarriers.is_empty() && !assembly.tensor_maps.has_accessed() && assembly.fragments.is_empty();
  if (is_final) return;
  assembly.mbarriers.settle(assembly.program, assembly.reporter);
  if (assembly.reporter.has_errors()) return;
  assembly.program.threads.clear();
  assembly.program.blocks.clear();
  assembly.work_left = work;
  clusters = {};
  add_placed_threads(assembly, clusters);
  add_launched_threads(assembly, clusters);
}

/// Records the block of each shared object, because threads in a cluster can access another block's shared memory.
void name_blocks(const FileNode& file, MemoryTable& memory, Program& program) {
  if (std::ranges::none_of(file.functions, [](const FunctionNode& one) { return one.cluster_blocks > 1; })) return;
  for (ObjectId id = 0; id < program.objects.size(); ++id) {
    MemoryObject& object = program.objects[id];
    if (object.space != MemorySpace::Shared) continue;
    for (const auto& [block, first] : memory.entry_of(id).objects) {  // a struct has several consecutive objects
      const bool is_nearer = first <= id && (!object.home || object.home->block != block.block);
      if (is_nearer && object.name.starts_with(MemoryTable::shared_name("", block))) {
        object.home = ThreadPlace{.gpu = block.gpu, .block = block.block};
      }
    }
  }
}

}  // namespace

void assemble(const FileNode& file, const ProgramOptions& options, Program& program, Reporter& reporter,
              ThreadMaker* maker) {
  if (file.threads.empty() && file.launches.empty() && file.functions.empty() && !file.is_damaged) {
    reporter.error({}, "the test has no thread", "write a thread, P0 @ block 0 { ... }, or a kernel and its launch");
  }
  MemoryTable memory(options, reporter, program);
  for (const Declaration& declaration : file.memory) memory.declare(declaration);
  FunctionTable functions(file.functions, reporter);
  Assembly assembly{file, options, reporter, program, memory, functions, makes_opaque_values(file)};
  assembly.maker = maker;
  assembly.tensor_maps.declare(file.tensor_maps, memory);
  ClusterNumbers clusters;
  make_threads(assembly, clusters);
  assembly.tensor_maps.finish(program, memory, reporter);
  name_blocks(file, memory, program);
  if (program.threads.empty() && reporter.has_errors()) return;  // a condition would only cause more errors
  for (Thread& thread : program.threads) {
    thread.place.cluster = clusters.cluster_of({thread.place.gpu, thread.place.block});
  }
  ConditionReader conditions(program, memory, file, reporter);
  conditions.read();
  read_expectations(file, program, conditions, reporter);
  follow_opaque_values(program, options.opaque_branches);
  hide_opaque_observables(program);
  hide_mbarrier_states(program);
  if (!reporter.has_errors()) drop_untouched_cells(program);
}

Result<ProgramPtr> read_program(SourceFilePtr source, const ProgramOptions& options) {
  Reporter reporter(source);
  const auto program = std::make_shared<Program>();
  program->source = std::move(source);
  const SourceFile& text = *program->source;
  std::optional<Header> header = read_header(text, reporter);
  if (!header) return reporter.take();
  program->name = std::move(header->name);
  program->description = std::move(header->description);
  program->metadata = std::move(header->metadata);
  if (const std::optional<FileNode> file = read_file(text, header->end, Part::Body, reporter)) {
    assemble(*file, options, *program, reporter);
  }
  if (reporter.has_errors()) return reporter.take();
  return ProgramPtr(program);
}

}  // namespace ambit::parser::litmus
