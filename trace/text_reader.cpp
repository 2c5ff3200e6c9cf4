#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/number_text.h"
#include "trace/text_operation.h"
#include "trace/text_trace.h"
#include "trace/text_words.h"
#include "trace/well_formed.h"

namespace ambit::trace {
namespace {

/// Splits "a=b" into a and b. If the text has no '=', the second part is not set.
std::pair<std::string_view, std::optional<std::string_view>> split_assignment(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return {text, std::nullopt};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

bool take_dimensions(std::string_view text, std::array<std::uint32_t, 3>& dimensions, bool may_be_zero) {
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t comma = text.find(',');
    const auto number = number_from_text(text.substr(0, comma));
    if (!number || *number > 0x7fffffffU || (*number == 0 && !may_be_zero)) return false;
    dimensions[i] = static_cast<std::uint32_t>(*number);
    if (comma == std::string_view::npos) return true;
    text.remove_prefix(comma + 1);
  }
  return false;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }
bool has_control(std::string_view word) { return std::any_of(word.begin(), word.end(), is_control); }

/// Returns whether the word can be the name of a location or an object. A name contains neither a value nor a character
/// that must be escaped.
bool is_name(std::string_view word) {
  return !word.empty() && word.find_first_of("=#!>") == std::string_view::npos && !has_control(word);
}

std::string name_hint(std::string_view word) {
  if (has_control(word)) return "write control characters in a name as %0B";
  if (word.find_first_of("=!>") == std::string_view::npos) return "for example: x, data[3], b0:s[1]";
  return "write x=1 for r and w, x:0->1 for rmw and red; write '=', '!' and '>' in a name as %3D, %21 and %3E";
}

bool is_escaped(std::string_view word) { return word.find('%') != std::string_view::npos; }

}  // namespace

TextTraceReader::TextTraceReader(std::unique_ptr<std::istream> in, std::string name)
    : lines_(std::move(in), std::move(name)) {}

std::vector<TextTraceReader::Token> TextTraceReader::split(std::string_view line) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  while (true) {
    at = line.find_first_not_of(" \t", at);
    if (at == std::string_view::npos || line[at] == '#') return tokens;
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    tokens.push_back({line.substr(at, end - at), static_cast<std::uint32_t>(at + 1)});
    at = end;
  }
}

Diagnostic TextTraceReader::diagnose(const Complaint& complaint) const {
  return lines_.diagnose(complaint.at.column, complaint.at.text.size(), complaint.message, complaint.hint);
}

Result<std::size_t> TextTraceReader::read(std::span<TraceEvent> events) {
  std::size_t count = 0;
  while (count < events.size()) {
    const LineSource::Line line = lines_.next();
    if (line == LineSource::Line::End) {
      if (const Outcome outcome = at_end()) return diagnose(*outcome);
      break;
    }
    if (line != LineSource::Line::Whole) {
      return diagnose({{lines_.line(), 1},
                       std::string(LineSource::describe(line)),
                       line == LineSource::Line::Cut ? "end every line with a line feed" : ""});
    }
    const std::vector<Token> tokens = split(lines_.line());
    if (tokens.empty()) continue;
    Outcome outcome;
    if (!take_directive(tokens, outcome)) {
      TraceEvent event;
      outcome = take_event(tokens, event);
      if (!outcome) {
        if (auto error = checker_.check(event, tables_)) outcome = Complaint{tokens[0], std::move(*error), ""};
      }
      if (!outcome) {
        events[count++] = event;
        ++events_;
      }
    }
    if (outcome) return diagnose(*outcome);
  }
  return count;
}

TextTraceReader::Outcome TextTraceReader::at_end() const {
  if (!has_title_) return Complaint{{}, "the file is empty", "begin the file with: ambit-trace 1"};
  if (!has_launch_) return Complaint{{}, "the file ends before its launch line", ""};
  if (is_sealed_ && !has_ended_) {
    return Complaint{
        {}, fmt::format("the file is truncated: it ends after {} events without an end line", events_), ""};
  }
  return std::nullopt;
}

bool TextTraceReader::take_directive(const std::vector<Token>& tokens, Outcome& outcome) {
  const std::string_view word = tokens[0].text;
  if (!has_title_) {
    outcome = take_title(tokens);
  } else if (has_ended_) {
    outcome = Complaint{tokens[0], "unexpected text after the end line", ""};
  } else if (word == "launch") {
    outcome = take_launch(tokens);
  } else if (!has_launch_) {
    outcome = Complaint{tokens[0], "the launch line is missing", "for example: launch grid=2,1,1 block=64,1,1 warp=32"};
  } else if (word == "thread") {
    outcome = take_thread(tokens);
  } else if (word == "object") {
    outcome = take_object(tokens);
  } else if (word == "init") {
    outcome = take_initial(tokens);
  } else if (word == "end") {
    outcome = take_end(tokens);
  } else {
    return false;
  }
  return true;
}

TextTraceReader::Outcome TextTraceReader::take_title(const std::vector<Token>& tokens) {
  if (tokens[0].text != "ambit-trace")
    return Complaint{tokens[0], "expected 'ambit-trace'", "begin the file with: ambit-trace 1"};
  if (tokens.size() < 2 || tokens[1].text != "1") {
    return Complaint{tokens.back(), "unknown version of the trace format", "write: ambit-trace 1"};
  }
  is_sealed_ = tokens.size() == 3 && tokens[2].text == "sealed";
  if (tokens.size() > 2 && !is_sealed_) return Complaint{tokens[2], "expected 'sealed' or nothing", ""};
  has_title_ = true;
  return std::nullopt;
}

TextTraceReader::Outcome TextTraceReader::take_launch(const std::vector<Token>& tokens) {
  if (has_launch_) return Complaint{tokens[0], "a second launch line", ""};
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    const std::string_view key = split_assignment(tokens[i].text).first;
    const auto is_same = [&](const Token& other) { return split_assignment(other.text).first == key; };
    const auto here = tokens.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::any_of(tokens.begin() + 1, here, is_same)) {
      return Complaint{tokens[i], fmt::format("the launch line has two '{}'", key), ""};
    }
    if (auto complaint = take_launch_item(tokens[i])) return complaint;
  }
  if (auto flaw = launch_flaw(tables_.launch)) {
    const bool lacks_threads = tables_.launch.threads_per_block() == 0;
    return Complaint{tokens[0], std::move(*flaw), lacks_threads ? "or write threads=named" : ""};
  }
  has_launch_ = true;
  return std::nullopt;
}

TextTraceReader::Outcome TextTraceReader::take_launch_item(const Token& token) {
  const auto [key, value] = split_assignment(token.text);
  LaunchGeometry& launch = tables_.launch;
  const auto number = number_from_text(value.value_or(""));
  const bool is_number = number && *number > 0 && *number < 0x7fffffff;
  bool is_good = false;
  if (key == "grid") {
    is_good = take_dimensions(value.value_or(""), launch.grid, false);
  } else if (key == "block") {
    is_good = take_dimensions(value.value_or(""), launch.block, true);
  } else if (key == "warp" || key == "cluster" || key == "gpus") {
    is_good = is_number;
    (key == "warp"      ? launch.warp
     : key == "cluster" ? launch.cluster
                        : launch.gpus) = static_cast<std::uint32_t>(is_number ? *number : 1);
  } else if (key == "threads") {
    is_good = value == "named";
    launch.only_named_threads = true;
  } else {
    return Complaint{token, fmt::format("unknown word '{}' in the launch line", key),
                     "the words are grid, block, warp, cluster, gpus and threads"};
  }
  if (!is_good)
    return Complaint{token, fmt::format("malformed '{}'", key), "for example: grid=2,1,1 block=64,1,1 warp=32"};
  return std::nullopt;
}

TextTraceReader::Outcome TextTraceReader::take_thread(const std::vector<Token>& tokens) {
  if (tokens.size() != 4 || tokens[2].text != "at") return Complaint{tokens[0], "expected: thread NAME at b0t0", ""};
  if (!tables_.launch.only_named_threads) {
    return Complaint{tokens[0], "a thread line needs threads=named in the launch line", ""};
  }
  PlaceName place;
  if (auto complaint = take_place(tokens[3], place)) return complaint;
  if (has_control(tokens[1].text)) {
    return Complaint{tokens[1], "unexpected control character in the name of a thread", name_hint(tokens[1].text)};
  }
  std::string name = unescaped(tokens[1].text);
  if (tables_.find_thread(name)) return Complaint{tokens[1], fmt::format("two threads are named {}", name), ""};
  if (const auto other = tables_.thread_at(place.gpu, place.block, place.thread)) {
    return Complaint{tokens[3], fmt::format("the thread {} has the same place", tables_.threads()[*other].name), ""};
  }
  tables_.add_thread(std::move(name), place.gpu, place.block, place.thread);
  return std::nullopt;
}

TextTraceReader::Outcome TextTraceReader::take_place(const Token& token, PlaceName& place) const {
  const auto read = place_from_text(token.text);
  if (!read) return Complaint{token, fmt::format("unknown thread '{}'", token.text), "for example: b0t0, g1b0t0"};
  place = *read;
  if (!is_inside(tables_.launch, static_cast<std::uint32_t>(place.gpu), place.block, place.thread)) {
    return Complaint{token, fmt::format("{} is outside the launch", token.text), ""};
  }
  return std::nullopt;
}

TextTraceReader::Outcome TextTraceReader::take_object(const std::vector<Token>& tokens) {
  if (tokens.size() != 3) return Complaint{tokens[0], "expected: object NAME size=BYTES", ""};
  const auto [key, value] = split_assignment(tokens[2].text);
  const auto size = number_from_text(value.value_or(""));
  if (key != "size" || !size || *size == 0 || *size > kMaxElementSize) {
    return Complaint{tokens[2], "expected the size of an element in bytes, 1 to 1024", "for example: size=8"};
  }
  const std::string name = unescaped(tokens[1].text);
  if (!is_name(tokens[1].text) || !is_object_name(name)) {
    return Complaint{tokens[1], "expected the name of an object", "for example: object s size=8, for s[1] and b0:s[1]"};
  }
  const std::size_t known = tables_.objects().size();
  tables_.set_element_size(name, static_cast<std::uint32_t>(*size));
  if (tables_.objects().size() == known) {
    return Complaint{tokens[1], fmt::format("the size of {} is given twice, or after the first use", name), ""};
  }
  return std::nullopt;
}

TextTraceReader::Outcome TextTraceReader::take_initial(const std::vector<Token>& tokens) {
  if (tokens.size() != 2) return Complaint{tokens[0], "expected: init LOCATION=VALUE", ""};
  const auto [name, text] = split_assignment(tokens[1].text);
  const auto value = value_from_text(text.value_or(""));
  if (!is_name(name) || (!value && text != "?")) {
    return Complaint{tokens[1], "expected LOCATION=VALUE, or LOCATION=? for an unknown value", ""};
  }
  const std::size_t known = tables_.locations().size();
  std::uint32_t location = 0;
  if (auto complaint = find_location(tokens[1], name, location)) return complaint;
  if (location < known) {
    return Complaint{tokens[1],
                     fmt::format("the initial value of {} is given twice, or after the first use",
                                 tables_.locations()[location].name),
                     ""};
  }
  tables_.set_initial_value(location, value);
  return std::nullopt;
}

TextTraceReader::Outcome TextTraceReader::take_end(const std::vector<Token>& tokens) {
  const auto number = tokens.size() == 2 ? number_from_text(tokens[1].text) : std::nullopt;
  if (!number) return Complaint{tokens[0], "expected: end NUMBER-OF-EVENTS", ""};
  if (*number != events_) {
    return Complaint{tokens[1], fmt::format("the file has {} events, the end line says {}", events_, *number), ""};
  }
  has_ended_ = true;
  return std::nullopt;
}

TextTraceReader::Outcome TextTraceReader::find_thread(const Token& token, std::uint32_t& thread) {
  const bool is_named = tables_.launch.only_named_threads;
  // The word may be the name of a declared thread, or a place.
  const auto known =
      is_named && is_escaped(token.text) ? tables_.find_thread(unescaped(token.text)) : tables_.find_thread(token.text);
  if (known) {
    thread = *known;
    return std::nullopt;
  }
  if (is_named) {
    std::vector<std::string_view> names;
    for (const TraceThread& each : tables_.threads()) names.push_back(each.name);
    const std::string_view nearest = nearest_name(token.text, names);
    return Complaint{
        token, fmt::format("unknown thread '{}'", token.text),
        nearest.empty() ? "declare the thread: thread NAME at b0t0" : fmt::format("did you mean {}?", nearest)};
  }
  PlaceName place;
  if (auto complaint = take_place(token, place)) return complaint;
  thread = tables_.thread(place.gpu, place.block, place.thread);
  return std::nullopt;
}

TextTraceReader::Outcome TextTraceReader::find_location(const Token& token, std::string_view name,
                                                        std::uint32_t& location) {
  if (!is_name(name)) return Complaint{token, "expected the name of a location", name_hint(name)};
  const std::size_t known = tables_.locations().size();
  location = tables_.location(is_escaped(name) ? unescaped(name) : name);
  if (location < known) return std::nullopt;
  if (auto flaw = location_flaw(tables_, location)) return Complaint{token, std::move(*flaw), ""};
  return std::nullopt;
}

TextTraceReader::Outcome TextTraceReader::take_event(const std::vector<Token>& tokens, TraceEvent& event) {
  if (auto complaint = find_thread(tokens[0], event.thread)) return complaint;
  if (tokens.size() < 2) return Complaint{tokens[0], "expected an operation after the thread", ""};
  if (std::string error = parse_operation(tokens[1].text, event); !error.empty()) {
    return Complaint{tokens[1], std::move(error), ""};
  }
  std::size_t next = 2;
  if (auto complaint = take_operand(tokens, next, event)) return complaint;
  if (next < tokens.size()) {
    const std::string_view site = tokens[next++].text;
    event.site = tables_.site(is_escaped(site) ? unescaped(site) : site);
  }
  if (next < tokens.size()) return Complaint{tokens[next], "unexpected text after the place in the source", ""};
  if (event.is_asynchronous()) {
    if (auto flaw = event_flaw(event))
      return Complaint{tokens[1], std::move(*flaw), "docs/reference/traces.md has the operations"};
  }
  return std::nullopt;
}

/// Reads the name of the asynchronous operation that the event issues, such as "P0.1".
TextTraceReader::Outcome TextTraceReader::take_operation(const Token& token, TraceEvent& event) {
  const auto named = tables_.operation_of_name(is_escaped(token.text) ? unescaped(token.text) : token.text);
  const std::string& issuer = tables_.threads()[event.thread].name;
  if (!named || named->first != event.thread) {
    return Complaint{token, "expected the name of the operation",
                     fmt::format("write {0}.1, {0}.2 and so on for the operations of {0}", issuer)};
  }
  event.object = tables_.operation(named->first, named->second);
  if (tables_.threads()[event.object].is_operation()) return std::nullopt;
  return Complaint{token, fmt::format("{} is the name of a thread", token.text), ""};
}

TextTraceReader::Outcome TextTraceReader::take_group_wait(const std::vector<Token>& tokens, std::size_t& next,
                                                          TraceEvent& event) {
  const auto [key, value] = split_assignment(next < tokens.size() ? tokens[next].text : std::string_view());
  if (key != "pending" || !value) return std::nullopt;
  const auto number = number_from_text(*value);
  if (!number || *number > 0xffffffffU) return Complaint{tokens[next], "expected a number of groups: pending=1", ""};
  event.count = static_cast<std::uint32_t>(*number);
  ++next;
  return std::nullopt;
}

TextTraceReader::Outcome TextTraceReader::take_barrier(const std::vector<Token>& tokens, std::size_t& next,
                                                       TraceEvent& event) {
  if (event.op == TraceOp::Barrier) {
    const auto number = next < tokens.size() ? number_from_text(tokens[next].text) : std::nullopt;
    if (!number || *number >= kMaxBarriers)
      return Complaint{tokens[next - 1], "expected the number of the barrier, as in bar 0", ""};
    event.object = static_cast<std::uint32_t>(*number);
    ++next;
  } else {
    event.count = kAllLanes;
  }
  if (next >= tokens.size()) return std::nullopt;
  const auto [key, value] = split_assignment(tokens[next].text);
  if (!value || (key != "mask" && key != "count")) return std::nullopt;
  const Token& token = tokens[next++];
  if (key == "mask" && value == "all") return std::nullopt;
  const auto number = number_from_text(*value);
  const bool is_mask = event.op == TraceOp::WarpBarrier;
  if (!number || *number == 0 || *number > 0xffffffffU || (key == "mask") != is_mask) {
    return Complaint{token, is_mask ? "expected mask=all or mask=0x0000ffff" : "expected mask=all or count=64", ""};
  }
  event.count = static_cast<std::uint32_t>(*number);
  return std::nullopt;
}

namespace {

/// Reads the operand of a read-modify-write, "x:0->1", "x:1!" or "x": the location and the values. Returns false if the
/// text is malformed.
bool take_update_operand(std::string_view text, std::string_view& location, TraceEvent& event) {
  const bool is_failed = text.ends_with('!');
  const std::size_t arrow = text.find("->");
  location = text;
  if (!is_failed && arrow == std::string_view::npos) return true;
  const std::size_t colon = text.rfind(':', is_failed ? text.size() : arrow);
  if (colon == std::string_view::npos) return false;
  location = text.substr(0, colon);
  const std::size_t old_end = is_failed ? text.size() - 1 : arrow;
  const std::string_view old_text = text.substr(colon + 1, old_end - colon - 1);
  const std::string_view new_text = is_failed ? std::string_view{} : text.substr(arrow + 2);
  const auto old_value = value_from_text(old_text);
  const auto value = value_from_text(new_text);
  if ((!old_text.empty() && !old_value) || (!new_text.empty() && !value)) return false;
  event.is_failed = is_failed;
  event.has_old_value = old_value.has_value();
  event.old_value = old_value.value_or(0);
  event.has_value = value.has_value();
  event.value = value.value_or(0);
  return true;
}

}  // namespace

TextTraceReader::Outcome TextTraceReader::take_operand(const std::vector<Token>& tokens, std::size_t& next,
                                                       TraceEvent& event) {
  if (event.op == TraceOp::Fence || event.op == TraceOp::Exit || event.op == TraceOp::Commit ||
      event.op == TraceOp::ProxyFence) {
    return std::nullopt;
  }
  if (event.op == TraceOp::GroupWait) return take_group_wait(tokens, next, event);
  if (event.is_barrier()) return take_barrier(tokens, next, event);
  if (event.is_transaction()) {
    event.object = tables_.location(kTransactionLock);
    return std::nullopt;
  }
  if (next >= tokens.size()) {
    return Complaint{tokens[next - 1], fmt::format("'{}' needs an operand", tokens[next - 1].text), ""};
  }
  const Token& token = tokens[next++];
  if (event.op == TraceOp::Fork || event.op == TraceOp::Join) return find_thread(token, event.object);
  if (event.op == TraceOp::Issue) return take_operation(token, event);
  std::string_view location = token.text;
  if (event.op == TraceOp::LockAcquire || event.op == TraceOp::LockRelease) {
    const std::size_t dot = location.rfind('.');
    const auto scope = dot == std::string_view::npos ? std::nullopt : scope_from_word(location.substr(dot + 1));
    if (scope) location = location.substr(0, dot);
    event.scope = scope.value_or(Scope::System);
  } else if (event.is_update()) {
    if (!take_update_operand(token.text, location, event)) {
      return Complaint{token, "malformed values", "write x:0->1, or x:1! for a failed compare-exchange"};
    }
    if (event.is_failed && event.rmw == TraceRmw::Generic) event.rmw = TraceRmw::CompareExchange;
    if (event.is_failed && (event.rmw != TraceRmw::CompareExchange || event.op != TraceOp::Rmw)) {
      return Complaint{token, "only a compare-exchange can fail", ""};
    }
  } else {
    const auto [name, text] = split_assignment(token.text);
    const auto value = value_from_text(text.value_or(""));
    if (text && !value) return Complaint{token, fmt::format("expected a value, found '{}'", *text), ""};
    location = name;
    event.has_value = value.has_value();
    event.value = value.value_or(0);
  }
  return find_location(token, location, event.object);
}

}  // namespace ambit::trace
