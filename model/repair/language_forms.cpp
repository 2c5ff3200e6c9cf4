#include "model/repair/language_forms.h"

#include "model/repair/cuda_forms.h"
#include "model/repair/ptx_forms.h"

namespace ambit::repair {

std::unique_ptr<Forms> forms_of(const Program& program, const SourceText& text) {
  if (program.has_columns) return std::make_unique<PtxForms>(text);
  return std::make_unique<CudaForms>(text, !program.source->path.ends_with(".cu"));
}

}  // namespace ambit::repair
