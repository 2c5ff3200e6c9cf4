#include "report/text/explain_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ambit::report {
namespace {

using events::EventGraph;
using explain::Chain;
using explain::Link;

bool is_sentence(const Link& link) { return !link.phrase.empty() && !link.is_role(); }

/// Follows a sequence of relations: the only part of each relation is the next relation. Returns the first relation
/// with a phrase. If no relation has a phrase, returns the first relation that is more than a choice between
/// relations.
const Link& informative(const Link& outermost) {
  const Link* narrower = nullptr;
  for (const Link* link = &outermost;; link = &link->parts.front()) {
    if (!link->phrase.empty()) return *link;
    if (narrower == nullptr && link->is_narrower) narrower = link;
    const bool is_wrapper = link->properties.empty() && link->parts.size() == 1 &&
                            link->parts.front().kind == Link::Kind::Named && !link->parts.front().name.empty();
    if (!is_wrapper) return narrower != nullptr ? *narrower : outermost;
  }
}

bool has_property(const Link& link, const Link::Property& property) {
  return std::any_of(link.properties.begin(), link.properties.end(),
                     [&](const Link::Property& other) { return other.phrase == property.phrase; });
}

/// If an unnamed group has a single named part, returns this part and adds the group's properties to it.
Link ungrouped(Link link) {
  while (link.kind == Link::Kind::Named && link.name.empty() && link.parts.size() == 1 &&
         link.parts.front().kind == Link::Kind::Named) {
    Link part = std::move(link.parts.front());
    for (Link::Property& property : link.properties) {
      if (!has_property(part, property)) part.properties.push_back(std::move(property));
    }
    link = std::move(part);
  }
  return link;
}

/// Returns "a, b, and c".
std::string joined(const std::vector<std::string>& clauses) {
  std::string text;
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    const bool is_last = i + 1 == clauses.size();
    text += (i == 0 ? "" : is_last ? ", and " : ", ") + clauses[i];
  }
  return text;
}

/// Splits a chain into roles and base relations. The last base relation of a derived relation gets its properties.
/// Returns nothing if the chain contains a rule with its own sentence.
std::optional<Chain> atoms(const Chain& chain) {
  Chain found;
  for (const Link& link : chain) {
    if (is_sentence(link)) return std::nullopt;
    if (link.kind != Link::Kind::Named || link.is_role()) {
      found.push_back(link);
      continue;
    }
    std::optional<Chain> inner = atoms(link.parts);
    if (!inner) return std::nullopt;
    if (!inner->empty()) {
      auto& properties = inner->back().properties;
      properties.insert(properties.end(), link.properties.begin(), link.properties.end());
    }
    found.insert(found.end(), std::make_move_iterator(inner->begin()), std::make_move_iterator(inner->end()));
  }
  return found;
}

}  // namespace

Chain without_program_order(const EventGraph& graph, const Chain& chain) {
  Chain rules = explain::unwrap(chain);
  std::erase_if(rules, [&](const Link& link) {
    const Chain flat = readable(graph, {link});
    return flat.size() == 1 && flat.front().base == BaseRelation::ProgramOrder;
  });
  return rules;
}

bool StepWords::is_in_one_thread(const Chain& flat) const {
  return std::all_of(flat.begin(), flat.end(), [&](const Link& link) {
    return graph_.events[link.from].thread == graph_.events[link.to].thread;
  });
}

std::string StepWords::property_text(const Link& link, const Link::Property& property) const {
  if (property.phrase.find('$') == std::string::npos) return property.phrase;
  return filled(property.phrase, words_.noun(link.from, Detail::Short), words_.noun(link.to, Detail::Short));
}

/// Returns a clause that states the properties of a link: ", and the scope of each includes the other's thread".
std::string StepWords::properties_text(const Link& link) const {
  std::string text;
  for (const Link::Property& property : link.properties) text += ", and " + property_text(link, property);
  return text;
}

/// Describes a role of an event: "P0's release write of f = 1 (line 9) is a release pattern".
std::string StepWords::role_text(const Link& link, Detail detail) const {
  const events::EventId first = link.is_reversed ? link.to : link.from;
  const events::EventId second = link.is_reversed ? link.from : link.to;
  if (first == second) return fmt::format("{} is {}", words_.noun(first, detail), link.phrase);
  return fmt::format("{} and {} form {}", words_.noun(first, detail), words_.noun(second, detail), link.phrase);
}

/// Describes a derived relation between two events by the model's phrase or, without a phrase, by the relation's name.
std::string StepWords::rule_text(const Link& link, Detail detail) const {
  if (link.is_role()) return role_text(link, detail);
  const std::string first = words_.noun(link.is_reversed ? link.to : link.from, detail);
  const std::string second = words_.noun(link.is_reversed ? link.from : link.to, detail);
  if (is_sentence(link)) return filled(link.phrase, first, second);
  return fmt::format("{}: from {} to {}", link.name, first, second);
}

/// Describes the premises of a rule (patterns and reads) in one line. Returns nothing if the premises need more than
/// one line.
std::optional<std::string> StepWords::clauses(const Link& link) const {
  const auto is_one_operation = [&](events::EventId a, events::EventId b) {
    return a == b || graph_.events[a].rmw_partner == b;
  };
  std::optional<Chain> parts = atoms(link.parts);
  if (!parts) return std::nullopt;
  const auto is_po = [](const Link& part) { return part.base == BaseRelation::ProgramOrder && !part.is_reversed; };
  while (!parts->empty() && is_po(parts->back())) parts->pop_back();
  while (!parts->empty() && is_po(parts->front())) parts->erase(parts->begin());
  std::vector<std::string> said;
  events::EventId last_read = events::kNoEvent;  ///< the read at the end of the last clause
  for (const Link& part : *parts) {
    const bool is_pattern = part.is_role() && is_in_one_thread(explain::flatten({part}));
    const bool is_step = part.base == BaseRelation::ReadsFrom || part.base == BaseRelation::Coherence ||
                         part.base == BaseRelation::BarrierSync;
    if (part.base == BaseRelation::ReadModifyWritePair) continue;
    if (is_pattern && part.from == part.to && last_read != events::kNoEvent && is_one_operation(last_read, part.to)) {
      said.back() += fmt::format(" and is {}", part.phrase);
    } else if (is_pattern) {
      said.push_back(role_text(part, Detail::Short));
    } else if (is_step && !part.is_reversed) {
      said.push_back(words_.sentence(part, Detail::Short));
    } else {
      return std::nullopt;
    }
    last_read = part.base == BaseRelation::ReadsFrom ? part.to : events::kNoEvent;
    for (const Link::Property& property : part.properties) {
      if (has_property(link, property)) continue;
      said.push_back(property_text(part, property));
      last_read = events::kNoEvent;
    }
  }
  if (said.empty()) return std::nullopt;
  return joined(said);
}

void StepWords::append_base(const Chain& chain, std::size_t indent, Lines& lines) const {
  const Chain flat = readable(graph_, chain);
  for (const Link& link : flat) {
    if (link.base == BaseRelation::ReadModifyWritePair && flat.size() > 1) continue;
    if (link.base == BaseRelation::ProgramOrder && graph_.events[link.from].rmw_partner == link.to) continue;
    lines.push_back(std::string(indent, ' ') + words_.sentence(link));
  }
}

void StepWords::append(const Chain& chain, std::size_t indent, Lines& lines) const {
  Chain plain;  // consecutive base steps; flush() merges reads-from and coherence into from-reads
  const auto flush = [&] {
    append_base(plain, indent, lines);
    plain.clear();
  };
  for (const Link& step : chain) {
    const Link link = ungrouped(step);
    const Link& shown = link.kind == Link::Kind::Named ? informative(link) : link;
    const bool is_plain =
        shown.kind != Link::Kind::Named || (shown.phrase.empty() && shown.properties.empty() && !shown.is_narrower &&
                                            readable(graph_, {shown}).size() < 2);
    if (is_plain) {
      plain.push_back(link);
      continue;
    }
    flush();
    append_step(link, indent, lines);
  }
  flush();
}

void StepWords::append_step(const Link& link, std::size_t indent, Lines& lines) const {
  if (deep_) return append_deep(link, indent, lines);
  const Link& shown = informative(link);
  if (!shown.phrase.empty()) return append_rule(shown, indent, lines);
  append_plain(shown, indent, lines);
}

void StepWords::append_rule(const Link& link, std::size_t indent, Lines& lines) const {
  const Chain flat = readable(graph_, {link});
  const bool is_po = flat.size() == 1 && flat.front().base == BaseRelation::ProgramOrder;
  if (is_po && indent > 0) return append_base(flat, indent, lines);
  const bool has_roles =
      std::any_of(link.parts.begin(), link.parts.end(), [](const Link& part) { return part.is_role(); });
  const bool is_scoped = link.is_role() || has_roles || !link.properties.empty();
  const std::string rule = std::string(indent, ' ') + rule_text(link, is_scoped ? Detail::Scope : Detail::Usual);
  const std::string text = rule + properties_text(link);
  const bool is_pattern = link.is_role() && is_in_one_thread(flat);
  const bool is_order = flat.size() == 1 && flat.front().kind == Link::Kind::Order;
  if (is_pattern || is_order || flat.empty()) {
    lines.push_back(text);
    return;
  }
  if (const std::optional<std::string> why = clauses(link)) {
    std::string line = fmt::format("{}: {}", text, *why);
    const bool is_new = shown_rules_ == nullptr || shown_rules_->insert(line).second;
    lines.push_back(is_new ? std::move(line) : rule + ", as above");
    return;
  }
  lines.push_back(text + ":");
  append(explain::unwrap(link.parts), indent + 2, lines);
}

/// Appends the steps of a relation that has no phrase, with the relation's name.
void StepWords::append_plain(const Link& link, std::size_t indent, Lines& lines) const {
  const Chain flat = readable(graph_, {link});
  const std::string space(indent, ' ');
  if (link.name.empty() || flat.empty()) {  // an unnamed group is only a list of steps with common properties
    Lines inner;
    append(link.parts, indent, inner);
    if (!inner.empty()) inner.back() += properties_text(link);
    lines.insert(lines.end(), inner.begin(), inner.end());
  } else if (flat.size() == 1 || is_in_one_thread(flat)) {
    Lines inner;
    append_base(flat, indent, inner);
    const std::string name = link.is_narrower ? fmt::format(" ({})", link.name) : std::string();
    for (const std::string& line : inner) lines.push_back(line + name + properties_text(link));
  } else {
    lines.push_back(space + rule_text(link, Detail::Usual) + properties_text(link));
    append(link.parts, indent + 2, lines);
  }
}

void StepWords::append_deep(const Link& link, std::size_t indent, Lines& lines) const {
  const std::string space(indent, ' ');
  if (link.name.empty()) {  // an unnamed group of steps with common properties
    append(link.parts, indent, lines);
    if (!lines.empty()) lines.back() += properties_text(link);
    return;
  }
  const std::string name = link.phrase.empty() ? std::string() : link.name + ": ";  // else rule_text() adds the name
  lines.push_back(space + name + rule_text(link, Detail::Scope) + properties_text(link));
  append(link.parts, indent + 2, lines);
}

std::vector<std::string> StepWords::outline(const Chain& chain) const {
  Lines lines;
  append(explain::unwrap(chain), 0, lines);
  return lines;
}

}  // namespace ambit::report
