#include "library/internals.h"
#include "parser/parse.h"
#include "report/draw/picture.h"

namespace AMBIT_NAMESPACE {
namespace {

api::ExplainQuestion question_of(const Test& test, const Model& model, const ExplainOptions& options) {
  const ProgramPtr& program = Internals::program(test);
  const parser::RulesPtr& rules = Internals::rules(model);
  if (options.race) return {program, rules, true};
  if (!options.outcome) return api::own_question(program, rules);
  return {taken(parser::with_outcome(*program, *options.outcome, "<outcome>")), rules, false, *options.outcome};
}

}  // namespace

Possibility Explanation::possibility() const {
  switch (content_->explanation.possibility()) {
    case events::Possibility::Impossible: return Possibility::Impossible;
    case events::Possibility::Possible: return Possibility::Possible;
    case events::Possibility::Unknown: return Possibility::Unknown;
  }
  return Possibility::Unknown;
}

std::string Explanation::text() const { return content_->explanation.text({}, {}); }
std::string Explanation::full_text() const { return content_->explanation.text({}, {.full = true}); }
std::string Explanation::json() const { return content_->explanation.json(AMBIT_VERSION); }

Explanation explain(const Test& test, const Model& model, const ExplainOptions& options) {
  return guarded([&] {
    const StopFlag stop(options.solving.limits.stop);
    const api::CheckingOptions checking = checking_options(options.solving);
    Context context;
    api::set_limits(context, checking, stop.flag());
    verdict::Checker checker;
    return Internals::explanation(taken(api::explain_question(question_of(test, model, options), checker,
                                                              api::engine_options(checking), {.all = true}, context)));
  });
}

std::optional<Picture> draw(const Explanation& explanation, bool all) {
  return guarded([&]() -> std::optional<Picture> {
    const auto picture = Internals::explanation(explanation).picture({.all = all});
    if (!picture) return std::nullopt;
    return Picture(picture->title, report::picture_dot(*picture));
  });
}

}  // namespace AMBIT_NAMESPACE
