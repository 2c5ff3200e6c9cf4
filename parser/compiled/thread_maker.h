#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parser/compiled/compiled_thread.h"
#include "parser/compiled/flat_code.h"
#include "parser/litmus/threads.h"

namespace ambit::parser::compiled {

/// An access that a survey of a module has found.
struct RecordedAccess {
  ByteOffset offset;
  assembly::Type type = assembly::Type::None;
  bool is_strong = false;  ///< one action, which several cells cannot represent
  SourceSpan span;
};
/// By the name of the variable.
using AccessRecords = std::map<std::string, std::vector<RecordedAccess>>;

/// Gives launched threads the code of the compiled kernel that has the name of their kernel.
class CompiledThreadMaker final : public litmus::ThreadMaker {
 public:
  /// `records`: where accesses are recorded instead of made; null: they are made.
  CompiledThreadMaker(const assembly::Module& module, const Places& places, AccessRecords* records = nullptr);
  ~CompiledThreadMaker() override;

  Thread make(litmus::Assembly& assembly, const litmus::ThreadSetting& setting, const FunctionNode& kernel,
              const std::vector<litmus::Operand>& arguments) override;

 private:
  const FlatCode* code_of(const FunctionNode& kernel, std::size_t parameters, Reporter& reporter);

  const assembly::Module& module_;
  const Places& places_;
  AccessRecords* records_;
  std::unique_ptr<Memory> memory_;
  std::map<const FunctionNode*, std::optional<FlatCode>> codes_;
};

}  // namespace ambit::parser::compiled
