#include "parser/litmus/fragment_lowering.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "parser/ptx/instruction_text.h"

namespace ambit::parser::litmus {
namespace {

struct Shape {
  std::string_view name;
  bool is_load = true;
  bool is_store = true;
  int rows = 8;               ///< rows of a matrix
  std::size_t registers = 1;  ///< number of registers that hold a matrix
  std::string_view type;
};
/// The bytes of one row that a lane receives.
struct Piece {
  int row = 0;  ///< the lane that provides the row's address
  Value begin = 0;
  Value bytes = 0;
};

/// Returns the elements that a lane receives from 8 x 8 matrices (PTX ISA, "ldmatrix", fragment layout). A register of
/// lane 4r + c contains the elements 2c and 2c + 1 of row r. For a transposed matrix, the register contains element r
/// of the rows 2c and 2c + 1.
std::vector<Piece> pieces_of(const FragmentForm& form, int lane) {
  std::vector<Piece> pieces;
  const int r = lane / 4;
  const int c = lane % 4;
  for (int matrix = 0; matrix < form.matrices; ++matrix) {
    const int first = 8 * matrix;
    if (!form.is_transposed) {
      pieces.push_back({first + r, Value{4} * c, 4});
      continue;
    }
    pieces.push_back({first + 2 * c, Value{2} * r, 2});
    pieces.push_back({first + 2 * c + 1, Value{2} * r, 2});
  }
  return pieces;
}

constexpr std::array kShapes = {Shape{"m8n8", true, true, 8, 1, "b16"}, Shape{"m16n16", true, false, 16, 2, "b8"},
                                Shape{"m16n8", false, true, 8, 1, "b8"}};

}  // namespace

std::optional<FragmentForm> fragment_form(std::string_view opcode) {
  const std::vector<std::string_view> words = ptx::split(opcode, '.');
  if (words.size() < 6 || words[1] != "sync" || words[2] != "aligned") return std::nullopt;
  FragmentForm form;
  form.is_load = words[0] == "ldmatrix";
  if (!form.is_load && words[0] != "stmatrix") return std::nullopt;
  const auto shape = std::ranges::find(kShapes, words[3], &Shape::name);
  if (shape == kShapes.end() || !(form.is_load ? shape->is_load : shape->is_store)) return std::nullopt;
  const std::string_view count = words[4];
  if (count != "x1" && count != "x2" && count != "x4") return std::nullopt;
  const int matrices = count[1] - '0';
  form.rows = shape->rows * matrices;
  form.registers = shape->registers * static_cast<std::size_t>(matrices);
  form.matrices = matrices;
  form.is_8_by_8 = shape->name == "m8n8";
  form.is_transposed = words[5] == "trans";
  std::size_t next = form.is_transposed ? 6 : 5;
  if (next < words.size() && (words[next] == "shared" || words[next] == "shared::cta")) ++next;
  if (next + 1 != words.size() || words[next] != shape->type || form.rows > 32) return std::nullopt;
  return form;
}

int elected_lane(std::uint32_t mask) { return std::countr_zero(mask); }

Barrier warp_meeting(std::uint32_t mask) {
  Barrier barrier;
  barrier.kind = BarrierKind::Warp;
  barrier.is_relaxed = true;
  barrier.mask = mask;
  return barrier;
}

Operand FragmentLowering::read(MemoryAccess access, SourceSpan span) {
  const ScalarType type = access.type;
  const bool is_opaque = access.is_opaque;
  const RegisterId target = thread_.code.temporary(type);
  thread_.code.emit(Load{target, std::move(access)}, span);
  return {Expr::make_register(target, type), Type{.scalar = type, .is_opaque = is_opaque}};
}

/// Records the cells of this lane's row, because other lanes read elements of the row.
FragmentSite FragmentLowering::note_row(const std::vector<AsyncCell>& row, SourceSpan span) {
  const ThreadPlace& place = thread_.setting.place;
  const FragmentSite site{place.gpu, place.block, place.warp, thread_.fragments++, span.line, span.column};
  std::vector<FragmentCell> cells;
  for (const AsyncCell& cell : row) {
    if (!cell.place.address.is_constant()) {
      thread_.assembly.fragments.note_unknown(site, place.lane);
      return site;
    }
    cells.push_back({async_.access(cell, Proxy::Generic), cell.offset});
  }
  if (!cells.empty()) thread_.assembly.fragments.note(site, place.lane, std::move(cells));
  return site;
}

Operand FragmentLowering::load(const FragmentForm& form, const std::vector<AsyncCell>& row, SourceSpan span) {
  std::vector<Operand> values;
  if (!thread_.values_matter()) return Operand::opaque(Type{.scalar = kUnsigned, .is_opaque = true});
  for (const AsyncCell& cell : row) values.push_back(read(async_.access(cell, Proxy::Generic), span));
  thread_.code.emit(warp_meeting(), span);
  const int lane = thread_.setting.place.lane;
  const FragmentSite site = note_row(row, span);
  if (form.is_8_by_8) {
    for (const Piece& piece : pieces_of(form, lane)) {
      const auto* cells = piece.row == lane ? nullptr : thread_.assembly.fragments.row(site, piece.row);
      if (cells == nullptr && thread_.assembly.fragments.is_unknown(site, piece.row)) {
        thread_.error(span, "in each lane, the row address of ldmatrix must be a constant",
                      "unroll the loop that computes the address, or choose another reading (--reading)");
        break;
      }
      if (cells == nullptr) continue;
      for (const FragmentCell& cell : *cells) {
        const Value end = cell.offset + cell.access.type.bits / 8;
        if (cell.offset < piece.begin + piece.bytes && piece.begin < end) values.push_back(read(cell.access, span));
      }
    }
  }
  return Operand::opaque(Type{.scalar = kUnsigned, .is_opaque = true}, values);
}

void FragmentLowering::store(const std::vector<AsyncCell>& row, const std::vector<Operand>& values, SourceSpan span) {
  thread_.code.emit(warp_meeting(), span);
  for (const AsyncCell& cell : row) {
    MemoryAccess access = async_.access(cell, Proxy::Generic);
    Operand value = Operand::opaque(Type{.scalar = access.type, .is_opaque = true}, values);
    thread_.code.emit(Store{std::move(access), std::move(value.expr), LockRole::None}, span);
  }
}

}  // namespace ambit::parser::litmus
