#include "parser/ptx/locations.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/plural.h"
#include "parser/ptx/modifiers.h"
#include "parser/text/keywords.h"

namespace ambit::parser::ptx {
namespace {

using Sign = TypeSuffix::Sign;

constexpr NameTable<Proxy, 4> kAliasProxies = {{{"generic", Proxy::Generic},
                                                {"constant", Proxy::Constant},
                                                {"texture", Proxy::Texture},
                                                {"surface", Proxy::Surface}}};

/// Returns whether the operation is signed or unsigned; nothing if the instruction does not specify a sign. atom.inc
/// and atom.dec are unsigned even without a type suffix, because they are .u32 in PTX.
std::optional<Sign> sign_of(const Opcode& opcode) {
  if (opcode.type && opcode.type->sign != Sign::Bits) return opcode.type->sign;
  const bool wraps = opcode.rmw == RmwOp::IncrementWrap || opcode.rmw == RmwOp::DecrementWrap;
  return opcode.kind == OpcodeKind::Rmw && wraps ? std::optional(Sign::Unsigned) : std::nullopt;
}

bool depends_on_sign(const Opcode& opcode) {
  if (opcode.kind != OpcodeKind::Rmw) return false;
  return opcode.rmw == RmwOp::Min || opcode.rmw == RmwOp::Max || opcode.rmw == RmwOp::IncrementWrap ||
         opcode.rmw == RmwOp::DecrementWrap;
}

}  // namespace

ScalarType default_type(bool is_wide) { return is_wide ? kLongLong : kInt; }

std::vector<std::string_view> Memory::names() const {
  std::vector<std::string_view> names;
  names.reserve(names_.size());
  for (const MemoryName& name : names_) names.push_back(name.name);
  return names;
}

std::size_t Memory::add(MemoryName name) {
  const auto [known, fresh] = by_name_.emplace(name.name, names_.size());
  if (!fresh) {
    reporter_.error(name.span, fmt::format("'{}' is declared twice", name.name),
                    fmt::format("the other declaration is in line {}", names_[known->second].span.line));
    return known->second;
  }
  name.type_class = classes_.size();
  classes_.emplace_back();
  names_.push_back(std::move(name));
  return names_.size() - 1;
}

void Memory::declare(const DeclarationNode& node) {
  if (node.kind == DeclarationNode::Kind::Tensor) {
    const bool is_known = by_name_.contains(node.name.text) || !tensors_.emplace(node.name.text, TensorMap{}).second;
    if (is_known) reporter_.error(node.name.span, fmt::format("'{}' is declared twice", node.name.text));
    tensor_declarations_.push_back(&node);
    return;
  }
  MemoryName name;
  name.name = node.name.text;
  name.span = node.name.span;
  name.is_shared = node.is_shared;
  if (node.block) name.home = BlockId{0, static_cast<int>(*node.block)};
  name.declaration = &node;
  if (node.kind == DeclarationNode::Kind::Alias) return declare_alias(node, std::move(name));
  if (node.kind == DeclarationNode::Kind::Mbarrier) {
    const OperandNode& count = node.values.front();
    // range of the count (PTX ISA, mbarrier)
    constexpr Value kMostArrivals = (Value{1} << 20) - 1;
    if (count.value < 1 || count.value > kMostArrivals) {
      reporter_.error(count.span,
                      fmt::format("expected an mbarrier count between 1 and {}, found {}", kMostArrivals, count.value));
    }
    name.arrivals = std::clamp<Value>(count.value, 1, kMostArrivals);
  }
  if (node.length) {
    name.is_array = true;
    if (*node.length < 1 || *node.length > kMostCells) {
      return reporter_.error(node.name.span, fmt::format("the length of '{}' is {}; it must be between 1 and {}",
                                                         node.name.text, *node.length, kMostCells));
    }
    name.length = static_cast<std::uint32_t>(*node.length);
    if (node.values.size() > name.length) {
      reporter_.error(node.values[name.length].span, fmt::format("'{}' has {} elements, but {} initial values",
                                                                 node.name.text, name.length, node.values.size()));
    }
    cells_ += *node.length;
    if (cells_ > kMostCells) {
      return reporter_.error(node.name.span, fmt::format("the test has more than {} memory cells", kMostCells));
    }
  }
  const std::size_t index = add(std::move(name));
  if (node.type) {
    if (const std::optional<TypeSuffix> suffix = read_type_suffix(*node.type)) {
      Opcode opcode;
      opcode.type = suffix;
      note_access(index, opcode, node.type->span);
    } else {
      reporter_.error(node.type->span, fmt::format("unknown type '.{}'", node.type->text),
                      "the types are .b, .u and .s with 8, 16, 32 or 64 bits, and .b128");
    }
  }
}

void Memory::declare_alias(const DeclarationNode& node, MemoryName name) {
  name.is_virtual_alias = node.is_virtual;
  if (const std::optional<Proxy> proxy = find_name(kAliasProxies, node.proxy.text)) {
    name.proxy = *proxy;
  } else {
    reporter_.error(node.proxy.span, fmt::format("unknown proxy '{}'", node.proxy.text),
                    did_you_mean(node.proxy.text, names_of(kAliasProxies),
                                 "the proxies of an alias are generic, constant, texture and surface"));
  }
  add(std::move(name));
}

void Memory::resolve_aliases() {
  for (MemoryName& alias : names_) {
    if (alias.declaration == nullptr || alias.declaration->kind != DeclarationNode::Kind::Alias) continue;
    const Word& target = alias.declaration->target;
    const auto found = by_name_.find(target.text);
    if (found == by_name_.end()) {
      reporter_.error(target.span, fmt::format("'{}' is an alias of the undeclared name '{}'", alias.name, target.text),
                      did_you_mean(target.text, names()));
      continue;
    }
    alias.alias_of = found->second;
  }
  std::vector<std::size_t> broken;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const MemoryName& alias = names_[i];
    if (!alias.alias_of) continue;
    const MemoryName& target = names_[*alias.alias_of];
    const Word& written = alias.declaration->target;
    const bool is_alias = target.declaration->kind == DeclarationNode::Kind::Alias;
    // An alias of an alias is an error, unless the first of the two aliases is virtual (a view through another proxy).
    const bool is_view_of_alias = alias.is_virtual_alias && is_alias && !target.is_virtual_alias && target.alias_of &&
                                  names_[*target.alias_of].declaration->kind != DeclarationNode::Kind::Alias;
    std::size_t steps = 0;
    std::optional<std::size_t> at = alias.alias_of;
    while (at && *at != i && steps++ <= names_.size()) at = names_[*at].alias_of;
    if (at) {
      reporter_.error(written.span, fmt::format("'{}' is an alias of itself", alias.name));
    } else if (is_alias && !is_view_of_alias) {
      reporter_.error(written.span, fmt::format("'{}' is an alias of the alias '{}'", alias.name, written.text),
                      fmt::format("name the location: {}", target.declaration->target.text));
    } else if (target.arrivals) {
      reporter_.error(written.span, fmt::format("'{}' is an mbarrier, which cannot have aliases", written.text));
    } else {
      continue;
    }
    broken.push_back(i);
  }
  for (const std::size_t i : broken) names_[i].alias_of.reset();
  for (MemoryName& alias : names_) {
    if (!alias.alias_of) continue;
    const MemoryName& target = names_[root(*alias.alias_of)];
    alias.length = target.length;
    alias.is_array = target.is_array;
    alias.is_shared = target.is_shared;
    alias.type_class = target.type_class;
  }
}

void Memory::use_initial_values() {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (names_[i].declaration == nullptr) continue;
    for (const OperandNode& value : names_[i].declaration->values) {
      if (value.kind != OperandNode::Kind::Location) continue;
      const std::optional<std::size_t> pointee = use(value, {});
      if (pointee) take_address(*pointee);
      Opcode opcode;  // an address has 64 bits
      opcode.type = TypeSuffix{Sign::Bits, 64, value.span};
      note_access(i, opcode, value.span);
    }
  }
}

std::size_t Memory::root(std::size_t index) const {
  while (names_[index].alias_of) index = *names_[index].alias_of;
  return index;
}

std::optional<std::size_t> Memory::use(const OperandNode& operand, BlockId block) {
  const Word& word = operand.name;
  auto found = by_name_.find(word.text);
  if (found == by_name_.end()) {
    if (is_label_name(word.text)) {
      reporter_.error(word.span, fmt::format("'{}' is a label, not a location", word.text));
      return std::nullopt;
    }
    if (must_declare_ && tensor(word.text) == nullptr) {
      reporter_.error(word.span, fmt::format("'{}' is not declared", word.text), did_you_mean(word.text, names()));
      return std::nullopt;
    }
    MemoryName name;
    const TensorMap* map = tensor(word.text);
    name.name = word.text;
    name.span = map != nullptr ? map->span : word.span;
    add(std::move(name));
    found = by_name_.find(word.text);
  }
  MemoryName& name = names_[root(found->second)];
  if (name.is_shared) name.objects.try_emplace(block, 0);
  return found->second;
}

void Memory::check_proxy(std::size_t index, const Opcode& opcode, SourceSpan span) {
  const MemoryName& name = names_[index];
  if (!name.is_virtual_alias || name.proxy == opcode.proxy) return;
  const std::string_view of = names_[root(index)].name;
  reporter_.error(span,
                  fmt::format("'{}' belongs to the {} proxy, but this access uses the {} proxy", name.name,
                              to_string(name.proxy), to_string(opcode.proxy)),
                  fmt::format("use '{}' here, or use the proxy of the declaration", of));
}

void Memory::note_mbarrier(std::size_t index, Value arrivals, SourceSpan span) {
  MemoryName& name = names_[index];
  if (name.arrivals && *name.arrivals != arrivals) {
    reporter_.error(
        span, fmt::format("'{}' already has a count of {} arrivals, found {}", name.name, *name.arrivals, arrivals));
  }
  if (name.alias_of || name.is_array || (name.declaration != nullptr && !name.arrivals)) {
    reporter_.error(span, fmt::format("'{}' is not declared as an mbarrier", name.name),
                    fmt::format("declare {} = mbarrier({})", name.name, arrivals));
  }
  name.arrivals = arrivals;
}

void Memory::note_mbarrier_use(std::size_t index, const MbarrierUse& use) {
  MbarrierUse& all = names_[index].use;
  all.unit = std::gcd(all.unit, use.unit);
  all.bytes += use.bytes;
  all.later += use.later;
  all.inits += use.inits;
  all.has_drop = all.has_drop || use.has_drop;
  all.is_packed = all.is_packed || use.is_packed || all.inits > 1;
  all.is_invalidated = all.is_invalidated || use.is_invalidated;
}

void Memory::take_address(std::size_t index) {
  is_wide_ = true;
  MemoryName& name = names_[root(index)];
  if (name.type_class == kThroughRegisters) return;
  const TypeClass own = classes_[name.type_class];
  for (MemoryName& other : names_) {
    if (&other != &name && other.type_class == name.type_class) other.type_class = kThroughRegisters;
  }
  name.type_class = kThroughRegisters;
  TypeClass& all = classes_[kThroughRegisters];
  if (own.size) note_size(all, *own.size, name.name, own.size->span);
  if (own.sign && !all.sign) {
    all.sign = own.sign;
    all.sign_span = own.sign_span;
  } else if (own.sign && own.sign != all.sign) {
    all.sign_differs = true;
  }
}

void Memory::note_size(TypeClass& known, const TypeSuffix& suffix, std::string_view name, SourceSpan span) {
  if (suffix.bits >= 64) is_wide_ = true;
  if (!known.size) {
    known.size = suffix;
    known.size->span = span;
  } else if (known.size->bits != suffix.bits) {
    reporter_.error(
        span,
        fmt::format("{} is accessed with {} bits here, but with {} bits in line {}", name, suffix.bits,
                    known.size->bits, known.size->span.line),
        "Ambit does not model accesses of different sizes to one location, for which PTX gives no guarantee");
  }
}

void Memory::note_sign(TypeClass& known, const Opcode& opcode, std::string_view name, SourceSpan span) {
  const std::optional<Sign> sign = sign_of(opcode);
  const bool matters = depends_on_sign(opcode);
  if (sign && !known.sign) {
    known.sign = sign;
    known.sign_span = span;
  } else if (sign && sign != known.sign) {
    known.sign_differs = true;
  }
  known.sign_matters = known.sign_matters || matters;
  if (known.sign_matters && known.sign_differs) {
    reporter_.error(
        span,
        fmt::format("{} is signed in one access and unsigned in another, and a minimum, maximum or wrapping "
                    "operation depends on the sign",
                    name),
        fmt::format("the other access is in line {}", known.sign_span.line));
  }
}

void Memory::note_access(std::optional<std::size_t> index, const Opcode& opcode, SourceSpan span) {
  const std::size_t type_class = index ? names_[*index].type_class : kThroughRegisters;
  const std::string name =
      index ? fmt::format("'{}'", names_[root(*index)].name) : std::string("memory accessed through registers");
  TypeClass& known = classes_[type_class];
  if (opcode.type) note_size(known, *opcode.type, name, span);
  note_sign(known, opcode, name, span);
}

ScalarType Memory::type_of(std::optional<std::size_t> index) const {
  const TypeClass& known = classes_[index ? names_[*index].type_class : kThroughRegisters];
  ScalarType type = default_type();
  if (known.size) type.bits = known.size->bits;
  type.is_signed = known.sign_differs || known.sign != Sign::Unsigned;
  return type;
}

void Memory::settle() {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const MemoryName& name = names_[i];
    if (!name.arrivals || MbarrierLayout(name.use, *name.arrivals, type_of(i)).fits()) continue;
    classes_[name.type_class].size = TypeSuffix{Sign::Bits, 64, name.span};
  }
  for (MemoryName& name : names_) {
    if (name.alias_of && name.is_virtual_alias) continue;
    if (name.is_shared) {
      for (const auto& [block, object] : name.objects) add_object(name, block);
    } else if (!name.alias_of) {
      add_object(name, {});
    }
  }
  for (std::size_t i = 0; i < names_.size(); ++i) {  // each alias gets its target's object
    MemoryName& name = names_[i];
    if (!name.alias_of || name.is_virtual_alias) continue;
    const MemoryName& target = names_[root(i)];
    for (const auto& [block, object] : target.objects) {
      MemoryObject alias = program_.objects[object];
      alias.name = name.is_shared ? MemoryTable::shared_name(name.name, block) : std::string(name.name);
      alias.span = name.span;
      alias.alias_of = object;
      name.objects[block] = static_cast<ObjectId>(program_.objects.size());
      program_.objects.push_back(std::move(alias));
    }
  }
  // All objects have numbers now, so initial values that are addresses can be computed.
  for (const MemoryName& name : names_) {
    if (name.declaration == nullptr || name.declaration->kind != DeclarationNode::Kind::Memory) continue;
    for (const auto& [block, object] : name.objects) {
      const MemoryObject& made = program_.objects[object];
      const std::vector<OperandNode>& values = name.declaration->values;
      for (std::size_t i = 0; i < values.size() && i < made.length; ++i) {
        program_.locations[made.first + i].initial = initial_value(values[i], made.type);
      }
    }
  }
  settle_tensors();
}

void Memory::add_object(MemoryName& name, BlockId block) {
  const auto id = static_cast<ObjectId>(program_.objects.size());
  MemoryObject object;
  object.name = name.is_shared ? MemoryTable::shared_name(name.name, block) : std::string(name.name);
  object.type = type_of(static_cast<std::size_t>(&name - names_.data()));
  object.space = name.is_shared || name.home ? MemorySpace::Shared : MemorySpace::Global;
  const std::optional<BlockId> home = name.is_shared && !must_declare_ ? std::optional(block) : name.home;
  if (home) object.home = ThreadPlace{.gpu = home->gpu, .block = home->block};
  object.length = name.length;
  object.is_array = name.is_array;
  object.first = static_cast<LocationId>(program_.locations.size());
  object.span = name.span;
  for (std::uint32_t i = 0; i < object.length; ++i) {
    program_.locations.push_back(
        {object.is_array ? fmt::format("{}[{}]", object.name, i) : object.name, id, i, object.type, 0});
  }
  if (name.arrivals) settle_mbarrier(name, object);
  name.objects[block] = id;
  program_.objects.push_back(std::move(object));
}

/// Determines the layout of an mbarrier. If no instruction initialises the object, the object is initialised when the
/// test starts.
void Memory::settle_mbarrier(MemoryName& name, MemoryObject& object) {
  name.layout.emplace(name.use, *name.arrivals, object.type);
  object.mbarrier = name.layout->cell();
  if (!name.layout->fits()) {
    reporter_.error(name.span, fmt::format("the counts of the mbarrier '{}' need too many bits", name.name),
                    "copy fewer bytes, or let fewer threads arrive");
  }
  if (name.use.inits == 0) program_.locations[object.first].initial = name.layout->initialised();
}

Value Memory::initial_value(const OperandNode& node, ScalarType type) {
  if (node.kind == OperandNode::Kind::Integer) {
    check_range(node.value, node.literal, {.scalar = type}, node.span, reporter_);
    return type.wrap(node.value);
  }
  const auto found = by_name_.find(node.name.text);
  if (node.kind != OperandNode::Kind::Location || found == by_name_.end()) {
    reporter_.error(node.span, "expected a number or an address as the initial value");
    return 0;
  }
  return address(node, found->second, {}).value_or(0);
}

std::optional<Value> Memory::element(Value offset, ScalarType type, SourceSpan span) {
  const Value size = type.bits / 8;
  if (offset % size == 0) return offset / size;
  reporter_.error(span, fmt::format("the offset {} is not a multiple of the access's {} bytes", offset, size));
  return std::nullopt;
}

std::optional<Value> Memory::address(const OperandNode& operand, std::size_t index, BlockId block) {
  const MemoryName* name = &names_[index];
  if (name->alias_of && name->is_virtual_alias) name = &names_[*name->alias_of];
  std::optional<Value> at = operand.index.value_or(0);
  if (operand.index && !name->is_array) {
    reporter_.error(operand.span, fmt::format("'{}' is not an array", name->name),
                    fmt::format("declare it with its length: {}[{}]", name->name, *operand.index + 1));
    return std::nullopt;
  }
  if (operand.offset) at = element(*operand.offset, type_of(index), operand.span);
  if (!at) return std::nullopt;
  if (*at < 0 || *at >= name->length) {
    reporter_.error(operand.span, fmt::format("index {} is out of range: '{}' has {}", *at, name->name,
                                              plural(name->length, "element")));
    return std::nullopt;
  }
  const auto object = name->objects.find(name->is_shared ? block : BlockId{});
  // The name is an alias without a target; this error has been reported.
  if (object == name->objects.end()) return std::nullopt;
  return make_address(object->second, static_cast<std::uint32_t>(*at));
}

void Memory::publish(MemoryTable& table) const {
  for (const MemoryName& name : names_) {
    const MemoryName& held = name.alias_of && name.is_virtual_alias ? names_[*name.alias_of] : name;
    table.adopt(std::string(name.name), held.is_shared, held.objects);
  }
}

}  // namespace ambit::parser::ptx
