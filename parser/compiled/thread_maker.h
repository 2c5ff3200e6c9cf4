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

/// An access that the survey of a module has found.
struct RecordedAccess {
  ByteOffset offset;
  assembly::Type type = assembly::Type::None;
  bool is_strong = false;  ///< whether the access is a single action, which several cells cannot represent
  SourceSpan span;
};
/// Accessed bytes without a type: a row of ldmatrix, or the operands of a copy.
struct RecordedBytes {
  std::string variable;
  ByteOffset offset;
  Value bytes = 0;
  /// for the target of a copy: the index of the bytes that the copy reads
  std::optional<std::size_t> source = std::nullopt;
  SourceSpan span;
};
/// Maps names of variables to accesses.
struct AccessRecords : std::map<std::string, std::vector<RecordedAccess>> {
  std::vector<RecordedBytes> bytes;

  /// Divides the bytes without a type into accesses that have the size of other accesses to these bytes. Both operands
  /// of a copy get the same size.
  void divide_bytes();
};

/// Gives a launched thread the code of the compiled kernel that has the same name as the thread's kernel.
class CompiledThreadMaker final : public litmus::ThreadMaker {
 public:
  /// If `records` is given, the accesses are recorded there and not made.
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
