#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/explain/chain.h"
#include "report/text/explain_words.h"

namespace ambit::report {

/// The rules whose sentences an explanation already contains. "as above" replaces a repeated sentence.
using ShownRules = std::set<std::string>;

/// Returns the steps of a chain (explain::unwrap), without program order.
explain::Chain without_program_order(const events::EventGraph& graph, const explain::Chain& chain);

/// Describes chains in words. For each step, names the model's rule that makes the step, and the places where the rule
/// applies. Describes a rule by its phrase (rules::Definition::phrase) or, without a phrase, by the name of its
/// relation.
class StepWords {
 public:
  /// `deep`: whether to include every intermediate relation of the model. `shown_rules` may be null. All references
  /// must outlive this object.
  StepWords(const events::EventGraph& graph, const events::Execution& execution, bool deep,
            ShownRules* shown_rules = nullptr)
      : graph_(graph), words_(graph, execution), deep_(deep), shown_rules_(shown_rules) {}

  /// Returns one line for each step. The premises of the step follow, indented by two columns. Omits steps between the
  /// read and the write of one atomic operation.
  std::vector<std::string> outline(const explain::Chain& chain) const;

 private:
  using Detail = EventWords::Detail;
  using Lines = std::vector<std::string>;

  void append(const explain::Chain& chain, std::size_t indent, Lines& lines) const;
  void append_base(const explain::Chain& chain, std::size_t indent, Lines& lines) const;
  void append_step(const explain::Link& link, std::size_t indent, Lines& lines) const;
  void append_rule(const explain::Link& link, std::size_t indent, Lines& lines) const;
  void append_plain(const explain::Link& link, std::size_t indent, Lines& lines) const;
  void append_deep(const explain::Link& link, std::size_t indent, Lines& lines) const;

  std::string rule_text(const explain::Link& link, Detail detail) const;
  std::string role_text(const explain::Link& link, Detail detail) const;
  std::string property_text(const explain::Link& link, const explain::Link::Property& property) const;
  std::string properties_text(const explain::Link& link) const;
  std::optional<std::string> clauses(const explain::Link& link) const;
  bool is_in_one_thread(const explain::Chain& flat) const;

  const events::EventGraph& graph_;
  EventWords words_;
  bool deep_;
  ShownRules* shown_rules_;
};

}  // namespace ambit::report
