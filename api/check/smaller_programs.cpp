#include "api/check/smaller_programs.h"

#include "api/check/launch_texts.h"
#include "parser/parse.h"

namespace ambit::api {

bool is_large_launch(const Program& program) {
  return program.threads.size() > kFewThreads && program.source != nullptr && !program.is_compiled &&
         parser::language_of(*program.source) == parser::Language::CudaSource;
}

std::vector<SmallerProgram> smaller_programs(const Program& program, const CheckingOptions& options) {
  if (!is_large_launch(program)) return {};
  std::vector<SmallerProgram> programs;
  for (const std::string& launch : smaller_launches(launch_text(program.source, options, &program))) {
    parser::ProgramOptions smaller = program_options(options);
    smaller.launch = launch;
    auto read = parser::parse_program(program.source, smaller);
    if (read.ok()) programs.push_back({launch, std::move(read).value()});
  }
  return programs;
}

}  // namespace ambit::api
