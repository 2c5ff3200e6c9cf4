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

/// An access that the first pass over a module has recorded.
struct RecordedAccess {
  ByteOffset offset;
  assembly::Type type = assembly::Type::None;
  bool is_strong = false;  ///< whether the access must be a single event instead of one event for each cell
  SourceSpan span;
};
/// Bytes that an instruction without an element type accesses: a row of ldmatrix, or an operand of a copy.
struct RecordedBytes {
  std::string variable;
  ByteOffset offset;
  Value bytes = 0;
  /// If the bytes are the target of a copy, the index of the record that describes the copied bytes.
  std::optional<std::size_t> source = std::nullopt;
  SourceSpan span;
};
/// Maps the name of each variable to the recorded accesses.
struct AccessRecords : std::map<std::string, std::vector<RecordedAccess>> {
  std::vector<RecordedBytes> bytes;

  /// Divides the bytes without a type into accesses. Each access gets the size of the typed accesses to these bytes.
  /// Both operands of a copy get accesses of the same size.
  void divide_bytes();
};

/// Makes threads with compiled code. A thread of kernel k gets the compiled kernel with the name k.
class CompiledThreadMaker final : public litmus::ThreadMaker {
 public:
  /// If `records` is given, adds the accesses to `records` and not to the threads.
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
