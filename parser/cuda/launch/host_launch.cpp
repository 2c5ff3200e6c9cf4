#include "parser/cuda/launch/host_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "parser/cuda/launch/host_function.h"
#include "parser/cuda/launch/host_gpus.h"
#include "parser/cuda/launch/host_memory.h"
#include "parser/cuda/launch/host_uses.h"
#include "parser/cuda/launch/host_values.h"
#include "parser/cuda/launch/launch_example.h"
#include "parser/text/keywords.h"

namespace ambit::parser::cuda {
namespace {

bool is_launch_function(const Token& token) {
  return token.is_any({"cudaLaunchKernel", "cudaLaunchCooperativeKernel", "cudaLaunchKernelEx", "cudaLaunchKernelExC",
                       "cudaLaunchCooperativeKernelMultiDevice", "cuLaunchKernel", "cuLaunchKernelEx",
                       "cuLaunchCooperativeKernel", "cudaGraphLaunch", "cuGraphLaunch"});
}

/// Returns whether a declaration other than a host function may contain host code. Classes, variables with a lambda as
/// value, and __host__ __device__ functions may contain host code.
bool is_other_host_code(const Declaration& declaration) {
  if (declaration.kind == Declaration::Kind::Struct || declaration.kind == Declaration::Kind::Constant) return true;
  return declaration.kind == Declaration::Kind::Device &&
         std::any_of(declaration.tokens.begin(), declaration.tokens.end(),
                     [](const Token& token) { return token.is("__host__"); });
}

/// An occurrence of a host function's name outside of its declarations.
struct Mention {
  const Declaration* in = nullptr;
  std::size_t index = 0;
};

bool is_member_outside_its_class(const Declaration& function) {
  return function.name_index > 0 && function.tokens[function.name_index - 1].is("::");
}

/// Returns whether the name at `index` is a local variable. Returns false for `T name(...)`, which may declare a
/// function.
bool is_variable(const Declaration& in, std::size_t index) {
  if (in.kind != Declaration::Kind::Host || (index > 0 && in.tokens[index - 1].is("::"))) return false;
  const HostFunction function(in.tokens);
  const std::optional<std::size_t> declared = function.declaration(in.tokens[index].text, index);
  return declared && !function.at(*declared + 1).is("(");
}

/// Returns the uses of a function, including calls. A use as a member, such as `x.name`, counts only if the function is
/// a member.
std::vector<Mention> mentions_of(const Unit& unit, const Declaration& function) {
  const std::string& name = function.name;
  const bool is_member = is_member_outside_its_class(function);
  std::vector<Mention> found;
  std::set<std::size_t> groups;
  for (const Declaration& declaration : unit.declarations()) {
    const bool host = declaration.kind == Declaration::Kind::Host || is_other_host_code(declaration);
    if (!host || !groups.insert(declaration.group).second) continue;
    for (std::size_t i = 0; i < declaration.tokens.size(); ++i) {
      const bool itself = declaration.name == name && i == declaration.name_index;
      const bool scope = i + 1 < declaration.tokens.size() && declaration.tokens[i + 1].is("::");
      if (itself || scope || !declaration.tokens[i].is(name) || !declaration.tokens[i].is_name()) continue;
      const bool member = i > 0 && (declaration.tokens[i - 1].is(".") || declaration.tokens[i - 1].is("->"));
      if ((is_member || !member) && !is_variable(declaration, i)) found.push_back({&declaration, i});
    }
  }
  return found;
}

/// Returns true for `name(` and `name<T>(`.
bool is_call(const Mention& mention) {
  const Tokens& tokens = mention.in->tokens;
  std::size_t past = mention.index + 1;
  if (past < tokens.size() && tokens[past].is("<")) past = skip_angles(tokens, past);
  return past < tokens.size() && tokens[past].is("(");
}

/// Returns whether `index` is in a statement after a `#pragma omp`. Several threads may run this statement.
bool is_parallel(const HostFunction& function, std::size_t index, const std::vector<SourceSpan>& pragmas) {
  const Tokens& code = function.code();
  for (const SourceSpan& pragma : pragmas) {
    std::size_t begin = 0;
    while (begin < code.size() && code[begin].span.line <= pragma.line) ++begin;
    if (begin == 0 || begin > index) continue;
    std::size_t end = begin;
    while (end < code.size() && !code[end].is("{") && !code[end].is(";")) {
      end = code[end].is("(") ? function.partner(end) + 1 : end + 1;
    }
    if (function.at(end).is("{")) end = function.partner(end);
    if (index < end) return true;
  }
  return false;
}

/// Returns why the code at `index` of a declaration may run several times; an empty string if the code runs once.
std::string_view repeated(const Declaration& in, std::size_t index, const std::vector<SourceSpan>& pragmas) {
  if (in.kind != Declaration::Kind::Host) return "is outside the host functions, which Ambit does not read";
  const HostFunction function(in.tokens);
  if (is_parallel(function, index, pragmas)) return "follows #pragma omp: several threads may run it";
  return function.repeated(index);
}

/// Checks the uses of a function that contains a launch. If the function is not called exactly once, reports an error
/// and returns true.
bool is_called_otherwise(const Declaration& function, const std::vector<Mention>& mentions,
                         const std::vector<SourceSpan>& pragmas, Reporter& reporter) {
  const auto fail = [&](const Mention& mention, std::string message) {
    reporter.error(mention.in->tokens[mention.index].span, std::move(message), std::string(kLaunchForm));
    return true;
  };
  for (const Mention& mention : mentions) {
    const bool itself = mention.in->name == function.name && mention.in->kind == Declaration::Kind::Host &&
                        is_member_outside_its_class(*mention.in) == is_member_outside_its_class(function);
    if (itself) {
      return fail(mention, fmt::format("'{}', which launches a kernel, calls itself: there may be several launches",
                                       function.name));
    }
    if (!is_call(mention)) {
      return fail(mention,
                  fmt::format("'{}', which launches a kernel, is used as a value here: how often it runs is not known",
                              function.name));
    }
  }
  if (mentions.size() > 1) {
    return fail(mentions.back(),
                fmt::format("'{}', which launches a kernel, is called in {} places: there may be several launches",
                            function.name, mentions.size()));
  }
  const std::string_view why = repeated(*mentions.front().in, mentions.front().index, pragmas);
  if (why.empty()) return false;
  return fail(mentions.front(), fmt::format("this call of '{}', which launches a kernel, {}", function.name, why));
}

/// Checks that the function that contains the launch runs once. If the function may run several times or not at all,
/// reports an error and returns false.
bool runs_once(const HostLaunch& launch, const Unit& unit, const std::vector<SourceSpan>& pragmas, Reporter& reporter) {
  std::set<const Declaration*> seen;
  const Declaration* function = launch.function;
  while (function->name != "main" || is_member_outside_its_class(*function)) {
    const bool unnamed = function->name == "operator" ||
                         (function->name_index > 0 && function->tokens[function->name_index - 1].is("~"));
    if (unnamed || !seen.insert(function).second) {
      reporter.error(function->span,
                     "this function launches a kernel, but Ambit does not know how often the function runs",
                     std::string(kLaunchForm));
      return false;
    }
    const std::vector<Mention> mentions = mentions_of(unit, *function);
    if (mentions.empty()) return true;  // the file is only a part of a program
    if (is_called_otherwise(*function, mentions, pragmas, reporter)) return false;
    function = mentions.front().in;
  }
  return true;
}

/// Reads the launches of a host function.
class LaunchReader {
 public:
  LaunchReader(const HostLaunches& launches, const Unit& unit, DeviceCode& device, Reporter& reporter)
      : code_(launches.front().function->tokens),
        launches_(launches),
        launch_(launches.front()),
        unit_(unit),
        device_(device),
        reporter_(reporter),
        function_(code_),
        uses_(function_, unit),
        values_(function_, uses_, launches.back().name, device, reporter),
        memory_(function_, uses_, values_, unit, device, reporter) {}

  std::optional<Pieces> read() {
    if (hides_a_constant()) return std::nullopt;
    std::vector<std::size_t> names;
    for (const HostLaunch& launch : launches_) names.push_back(launch.name);
    const auto places = launch_places(function_, names, values_, device_, reporter_);
    if (!places) return std::nullopt;
    Pieces items;
    for (std::size_t i = 0; i < launches_.size(); ++i) {
      launch_ = launches_[i];
      const std::optional<Pieces> item = read_one((*places)[i]);
      if (!item) return std::nullopt;
      append(items, *item);
    }
    Pieces result = memory_.take();
    append(result, items);
    return result;
  }

 private:
  std::optional<Pieces> read_one(const LaunchPlace& place) {
    const std::size_t close = find_close();
    if (close == code_.size() || close + 1 >= code_.size() || !code_[close + 1].is("(")) {
      reporter_.error(code_[launch_.open].span, "this launch is not closed: expected '>>>' and the arguments");
      return std::nullopt;
    }
    Tokens called = {code_[launch_.name]};
    append(called, values_.substitute(slice(code_, launch_.name + 1, launch_.open), launch_.name));
    const Pieces kernel = device_.rewrite(called);
    if (close + 1 < code_.size()) memory_.begin_launch(launch_.name, skip_group(code_, close + 1));
    const std::optional<std::size_t> local = function_.declaration(code_[launch_.name].text, launch_.name);
    if (kernel.size() != 1 || local || values_.failed()) {
      if (values_.failed()) return std::nullopt;
      fail(code_[launch_.open].span, "expected the name of a kernel before '<<<'");
      return std::nullopt;
    }
    Tokens dimensions = expand_sizes(slice(code_, launch_.open + 1, close));
    Pieces arguments;
    const std::vector<Tokens> written = split_at_commas(slice(code_, close + 2, skip_group(code_, close + 1) - 1));
    for (std::size_t i = 0; i < written.size(); ++i) {
      if (i > 0) add(arguments, ",", written[i].empty() ? code_[close].span : written[i].front().span);
      argument(written[i], device_.kernel_parameter(kernel.front().text, i), arguments);
    }
    Pieces result;
    const SourceSpan at = code_[launch_.name].span;
    if (place.follows) add(result, "then", at);
    add(result, "launch", at);
    result.push_back(kernel.front());
    add(result, "<<<", code_[launch_.open].span);
    append(result, device_.rewrite(dimensions));
    add(result, ">>>", code_[close].span);
    add(result, "(", code_[close + 1].span);
    append(result, arguments);
    add(result, ")", code_[close + 1].span);
    if (place.gpu != 0) {
      for (const std::string& word : {std::string("on"), std::string("gpu"), std::to_string(place.gpu)}) {
        add(result, word, code_[close + 1].span);
      }
    }
    add(result, ";", code_[close + 1].span);
    if (failed_ || values_.failed() || memory_.failed()) return std::nullopt;
    return result;
  }

  static void add(Pieces& pieces, std::string text, SourceSpan span) {
    pieces.push_back({std::move(text), span, Piece::Kind::Plain, true});
  }
  template <typename List>
  static void append(List& list, const List& more) {
    list.insert(list.end(), more.begin(), more.end());
  }

  void fail(SourceSpan span, std::string message) {
    failed_ = true;
    reporter_.error(span, std::move(message), std::string(kLaunchForm));
  }

  /// Returns true if the launch is in a template that uses a parameter with the name of a declaration of the file.
  /// Reports an error before it returns true.
  bool hides_a_constant() {
    for (const Declaration::Parameter& parameter : launch_.function->parameters) {
      if (function_.places(parameter.name).empty() || unit_.find(parameter.name).empty()) continue;
      fail(launch_.function->span,
           fmt::format("'{}' is a parameter of this template: its value is not known", parameter.name));
      return true;
    }
    return false;
  }

  std::size_t find_close() const {
    std::size_t i = launch_.open + 1;
    while (i < code_.size() && !code_[i].is(">>>")) {
      const bool opens = code_[i].opens();
      i = opens ? skip_group(code_, i) : i + 1;
    }
    return i;
  }

  /// Removes launch parameters that the test does not need: a dynamic shared memory size of 0, and the stream.
  Tokens expand_sizes(const Tokens& written) {
    std::vector<Tokens> parts = split_at_commas(written);
    if (parts.size() > 3) {
      memory_.set_stream(parts[3]);
      parts.resize(3);
    }
    if (parts.size() == 3 && parts[2].size() == 1 && parts[2][0].is("0")) parts.pop_back();
    Tokens result;
    for (const Tokens& part : parts) {
      if (!result.empty())
        result.push_back(made_token(TokenKind::Punctuator, ",", part.empty() ? SourceSpan{} : part[0].span));
      append(result, values_.substitute(part, launch_.name));
    }
    return result;
  }

  /// Removes a cast to a pointer.
  static Tokens without_cast(Tokens tokens) {
    if (!tokens.empty() && tokens[0].is("(")) {
      const std::size_t past = skip_group(tokens, 0);
      if (past < tokens.size() && past > 2 && tokens[past - 2].is("*")) {
        return without_cast(slice(tokens, past, tokens.size()));
      }
      if (past == tokens.size() && past > 2) return without_cast(slice(tokens, 1, past - 1));
    }
    const bool named_cast = tokens.size() > 3 && tokens[0].text.ends_with("_cast") && tokens[1].is("<");
    if (named_cast) {
      const std::size_t open = skip_angles(tokens, 1);
      if (open < tokens.size() && skip_group(tokens, open) == tokens.size()) {
        return without_cast(slice(tokens, open + 1, tokens.size() - 1));
      }
    }
    return tokens;
  }

  /// Returns whether the argument is passed to a floating-point parameter and has no side effects. Ambit does not
  /// compute the value of the argument.
  static bool is_opaque_number(const Tokens& written, const std::optional<Pieces>& parameter) {
    const bool is_floating = parameter && std::any_of(parameter->begin(), parameter->end(), [](const Piece& piece) {
                               return piece.text == "float" || piece.text == "double" || piece.text == "__half" ||
                                      piece.text == "__nv_bfloat16";
                             });
    if (!is_floating || written.empty()) return false;
    for (std::size_t i = 0; i < written.size(); ++i) {
      const bool calls = i + 1 < written.size() && written[i].is_name() && written[i + 1].is("(");
      const bool changes = written[i].is("++") || written[i].is("--") || written[i].is("=") || written[i].is("[");
      if (calls || changes) return false;
    }
    return true;
  }

  void argument(const Tokens& written, const std::optional<Pieces>& parameter, Pieces& arguments) {
    const bool pointer = parameter && std::any_of(parameter->begin(), parameter->end(), [](const Piece& piece) {
                           return piece.text == "*" || piece.text == "[";
                         });
    const bool tensor_map = !pointer && parameter &&
                            std::any_of(parameter->begin(), parameter->end(),
                                        [](const Piece& piece) { return piece.text == "CUtensorMap"; });
    if (tensor_map) return tensor_map_argument(written, arguments);
    if (!pointer && is_opaque_number(written, parameter)) return add(arguments, "0.0f", written.front().span);
    if (!pointer) return append(arguments, device_.rewrite(values_.substitute(written, launch_.name)));
    const Tokens passed = without_cast(written);
    const bool name = passed.size() == 1 && passed[0].is_name();
    const std::optional<std::size_t> local = name ? function_.declaration(passed[0].text, launch_.name) : std::nullopt;
    if (local) {
      memory_.declare(passed[0], *local, *parameter);
      add(arguments, passed[0].text, passed[0].span);
    } else if (is_device_variable(passed)) {
      append(arguments, device_.rewrite(values_.substitute(passed, launch_.name)));
    } else if (name) {
      fail(passed[0].span, fmt::format("'{}' is not memory that this function allocates", passed[0].text));
    } else {
      fail(written.empty() ? code_[launch_.name].span : written[0].span,
           "expected memory that this function allocates with cudaMalloc");
    }
  }

  /// Reads a tensor map argument. An `ambit:` comment declares the map under the name of the host variable.
  void tensor_map_argument(const Tokens& written, Pieces& arguments) {
    if (written.size() == 1 && written[0].is_name()) return add(arguments, written[0].text, written[0].span);
    failed_ = true;
    reporter_.error(written.empty() ? code_[launch_.name].span : written[0].span,
                    "expected the name of a host variable of type CUtensorMap",
                    "declare it in a comment: // ambit: t = tensormap(g, {4,4}, {2,2});");
  }

  /// Returns true for `x`, `&x` or `&x[e]` of a __device__ or __managed__ variable of the file.
  bool is_device_variable(const Tokens& passed) const {
    std::size_t name = !passed.empty() && passed[0].is("&") ? 1 : 0;
    while (name + 2 < passed.size() && passed[name].is_name() && passed[name + 1].is("::")) name += 2;
    if (name >= passed.size() || !passed[name].is_name()) return false;
    if (function_.declaration(passed[name].text, launch_.name)) return false;
    const bool element = passed[0].is("&") && name + 1 < passed.size() && passed[name + 1].is("[");
    if ((element ? skip_group(passed, name + 1) : name + 1) != passed.size()) return false;
    const std::vector<std::size_t> found = unit_.find(passed[name].text);
    return !found.empty() && std::all_of(found.begin(), found.end(), [&](std::size_t one) {
      const Declaration& declaration = unit_.declarations()[one];
      return declaration.kind == Declaration::Kind::Device && !declaration.is_function;
    });
  }

  const Tokens& code_;
  const HostLaunches& launches_;
  HostLaunch launch_;  ///< the launch that is being read
  const Unit& unit_;
  DeviceCode& device_;
  Reporter& reporter_;
  HostFunction function_;
  HostUses uses_;
  HostValues values_;
  HostMemory memory_;
  bool failed_ = false;
};

/// Returns the first kernel of the file, or null.
const Declaration* first_kernel(const Unit& unit) {
  const std::vector<Declaration>& all = unit.declarations();
  const auto kernel = std::find_if(all.begin(), all.end(), [](const Declaration& one) { return one.is_kernel; });
  return kernel == all.end() ? nullptr : &*kernel;
}

void report_no_launch(const Unit& unit, Reporter& reporter) {
  const Declaration* kernel = first_kernel(unit);
  if (kernel == nullptr) return reporter.error({1, 1, 0}, "the file has no __global__ function");
  reporter.error(
      kernel->span, fmt::format("found no launch of the kernel '{}'", kernel->name),
      fmt::format("give a launch: --launch '{0}', or a comment // ambit: launch {0};", example_launch(*kernel)));
}

/// Reports launches that Ambit does not support: a call of a launch function, or <<<...>>> outside host functions.
/// Returns whether the code has an unsupported launch.
bool has_other_launch(const Unit& unit, Reporter& reporter) {
  for (const Declaration& declaration : unit.declarations()) {
    const bool other = is_other_host_code(declaration);
    if (declaration.kind != Declaration::Kind::Host && !other) continue;
    for (const Token& token : declaration.tokens) {
      const bool outside = other && token.is("<<<");
      if (!outside && !is_launch_function(token)) continue;
      reporter.error(token.span,
                     outside ? std::string("launches outside host functions are not supported")
                             : fmt::format("launches by {} are not supported", token.text),
                     std::string(kLaunchForm));
      return true;
    }
  }
  return false;
}

/// Returns whether the launches run one after the other, in one stream. Reports an error before it returns false.
bool run_in_sequence(const HostLaunches& launches, Reporter& reporter) {
  const Declaration& in = *launches.front().function;
  const HostFunction function(in.tokens);
  const auto stream_of = [&](const HostLaunch& launch) {
    std::size_t close = launch.open + 1;
    while (close < in.tokens.size() && !in.tokens[close].is(">>>")) {
      close = in.tokens[close].opens() ? skip_group(in.tokens, close) : close + 1;
    }
    const std::vector<Tokens> parts = split_at_commas(slice(in.tokens, launch.open + 1, close));
    std::string text;
    for (const Token& token : parts.size() > 3 ? parts[3] : Tokens{}) text += token.text + " ";
    return text == "0 " ? std::string() : text;
  };
  for (std::size_t i = 1; i < launches.size(); ++i) {
    const Token& name = in.tokens[launches[i].name];
    const std::uint32_t line = in.tokens[launches[i - 1].name].span.line;
    std::string message;
    if (launches[i].function != launches.front().function) {
      reporter.error(
          launches[i].function->tokens[launches[i].name].span,
          fmt::format("the host code launches {} kernels, in several functions; Ambit reads the launches of only one "
                      "function",
                      launches.size()),
          fmt::format("choose the launch: --launch '{}', or // ambit: launch ...;", kExampleLaunch));
      return false;
    }
    if (!function.runs_before(launches[i - 1].name, launches[i].name, false)) {
      message = fmt::format("the launch in line {} might not run exactly once before this launch", line);
    } else if (stream_of(launches[i - 1]) != stream_of(launches[i])) {
      message = fmt::format(
          "this launch and the launch in line {} are in different streams: they may run at the same time", line);
    }
    if (message.empty()) continue;
    reporter.error(name.span, std::move(message), std::string(kLaunchForm));
    return false;
  }
  return true;
}

}  // namespace

std::optional<HostLaunches> find_host_launches(const Unit& unit, const std::vector<SourceSpan>& pragmas,
                                               Reporter& reporter) {
  if (has_other_launch(unit, reporter)) return std::nullopt;
  HostLaunches launches;
  for (const Declaration& declaration : unit.declarations()) {
    if (declaration.kind != Declaration::Kind::Host) continue;
    for (std::size_t i = 1; i < declaration.tokens.size(); ++i) {
      if (declaration.tokens[i].is("<<<"))
        launches.push_back({&declaration, kernel_name_before(declaration.tokens, i), i});
    }
  }
  if (launches.empty()) {
    report_no_launch(unit, reporter);
    return std::nullopt;
  }
  for (const HostLaunch& launch : launches) {
    const std::string_view why = repeated(*launch.function, launch.name, pragmas);
    if (why.empty()) continue;
    reporter.error(launch.function->tokens[launch.name].span, fmt::format("this launch {}", why),
                   std::string(kLaunchForm));
    return std::nullopt;
  }
  if (!run_in_sequence(launches, reporter)) return std::nullopt;
  if (!runs_once(launches.front(), unit, pragmas, reporter)) return std::nullopt;
  return launches;
}

std::optional<Pieces> read_host_launches(const HostLaunches& launches, const Unit& unit, DeviceCode& device,
                                         Reporter& reporter) {
  return LaunchReader(launches, unit, device, reporter).read();
}

/// Reports a launch of a kernel that the file does not define: of `k` in `space::k<int><<<...>>>`.
void check_kernel_name(const Tokens& launch, const Unit& unit, Reporter& reporter) {
  const Token* name = nullptr;
  for (const Token& token : launch) {
    if (token.is("<") || token.is("<<<")) break;
    if (token.kind == TokenKind::Name) name = &token;
  }
  std::vector<std::string_view> kernels;
  for (const Declaration& one : unit.declarations()) {
    if (one.is_kernel && std::ranges::find(kernels, one.name) == kernels.end()) kernels.push_back(one.name);
  }
  if (name == nullptr || !unit.find(name->text).empty()) return;
  const std::string all =
      one_of(kernels.size() == 1 ? "the kernel of this file is" : "the kernels of this file are", kernels);
  reporter.error(name->span, fmt::format("unknown kernel '{}'", name->text), did_you_mean(name->text, kernels, all));
}

void check_launch_option(const Tokens& launch, const Unit& unit, Reporter& reporter) {
  if (launch.empty()) return;
  if (std::ranges::any_of(launch, [](const Token& token) { return token.is("<<<"); })) {
    return check_kernel_name(launch, unit, reporter);
  }
  const Declaration* kernel = first_kernel(unit);
  reporter.error(
      launch.front().span,
      fmt::format("expected a launch KERNEL<<<BLOCKS, THREADS>>>(ARGUMENTS), found '{}'", launch.front().text),
      kernel == nullptr ? "" : fmt::format("such as --launch '{}'", example_launch(*kernel)));
}

}  // namespace ambit::parser::cuda
