// The index page of a cross-validation's site.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/plural.h"
#include "report/html/pages.h"
#include "report/results/words.h"

namespace ambit::report {
namespace {

using Place = HtmlCell::Place;

/// Returns a table cell with a verdict about races. The cell's key sorts racy tests first.
HtmlCell race_cell(const CrossRow& row, const CrossJudge& judge) {
  const std::optional<bool> race = judge.race;
  HtmlCell cell;
  cell.tone = tone_of(row, race);
  cell.place = Place::Middle;
  if (race) cell.text = *race ? "race" : "·";
  cell.key = !race ? "3" : *race ? "1" : "2";
  if (judge.replayed != nullptr && !race) cell.text = "?";
  if (judge.replayed != nullptr && judge.replayed->without_verdict > 0) {
    cell.below = fmt::format("{} open", judge.replayed->without_verdict);
  }
  if (judge.in_gpu == nullptr) return cell;
  switch (race_frequency(*judge.in_gpu)) {
    case RaceFrequency::Unknown: cell.text = "?"; break;
    case RaceFrequency::NoRun: break;
    case RaceFrequency::SomeRuns: cell.text = "some"; break;
    case RaceFrequency::EveryRun: cell.text = "every"; break;
  }
  if (judge.in_gpu->without_verdict > 0) cell.below = fmt::format("{} open", judge.in_gpu->without_verdict);
  return cell;
}

/// Formats a number with commas: "13,064,257,536".
std::string grouped(std::uint64_t value) {
  std::string text = fmt::format("{}", value);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

/// Formats a number in words, rounded if it is at least a million: "13.1 billion".
std::string rounded(std::uint64_t value) {
  constexpr std::array<std::pair<double, const char*>, 3> kUnits = {
      {{1e12, "trillion"}, {1e9, "billion"}, {1e6, "million"}}};
  for (const auto& [unit, name] : kUnits) {
    const double count = static_cast<double>(value) / unit;
    if (count >= 1) return fmt::format("{:.{}f} {}", count, count < 100 ? 1 : 0, name);
  }
  return grouped(value);
}

HtmlCell rounded_cell(std::uint64_t value) {
  return {rounded(value), Tone::Plain, fmt::format("{}", value), {}, Place::Right};
}

/// Returns the test's name with a link to its page.
std::string test_link(const CrossRow& row, const std::string& link) {
  if (link.empty()) return html_text(row.test);
  return fmt::format("<a href=\"{}\">{}</a>", html_text(link), html_text(row.test));
}

// ---- summary and warnings ----

/// Returns whether every program ran on the simulator (and not on hardware).
bool is_simulated(std::span<const CrossRow> rows) {
  const auto on_hardware = [](const CrossRow& row) { return row.has_counts() && row.device != kSimulator; };
  return std::ranges::none_of(rows, on_hardware) && std::ranges::any_of(rows, &CrossRow::has_counts);
}

std::string_view runner(std::span<const CrossRow> rows) { return is_simulated(rows) ? "simulator" : "hardware"; }

/// Returns the first paragraph: "2 small GPU programs (litmus tests), run 44.2 billion times in all on ...".
std::string what_was_run(std::span<const CrossRow> rows) {
  std::uint64_t runs = 0;
  std::uint64_t failed = 0;
  std::set<std::string> devices;
  for (const CrossRow& row : rows) {
    runs += row.runs;
    failed += row.has_counts() ? 0 : 1;
    if (row.has_counts()) devices.insert(row.device);
  }
  std::string text =
      fmt::format("<p>{} (litmus tests), run {} times in all", plural(rows.size(), "small GPU program"), rounded(runs));
  std::string where;
  for (const std::string& device : devices) where += (where.empty() ? "" : ", ") + device;
  if (!where.empty()) text += fmt::format(" on: <b>{}</b>", html_text(where));
  text += fmt::format(
      ". For each program, this page compares the outcomes that <b>memory models</b> allow, the outcomes that the {} "
      "<b>showed</b>, and the verdicts of <b>race detectors</b>.",
      runner(rows));
  if (failed > 0)
    text += fmt::format(" <span class=\"doubt\">{} could not be run.</span>", plural(failed, "small GPU program"));
  return text + "</p>\n";
}

/// Returns the paragraph for a campaign without a forbidden outcome. The paragraph says how many tests may have a
/// forbidden outcome.
std::string no_alarm(std::span<const CrossRow> rows) {
  const auto is_doubtful = [](const CrossRow& row) {
    return !row.error.empty() || row.incidents.uncounted > 0 || row.unaccounted() > 0 ||
           std::ranges::any_of(row.models, [](const CrossModel& model) { return !model.is_complete; });
  };
  const auto doubtful = static_cast<std::uint64_t>(std::ranges::count_if(rows, is_doubtful));
  if (doubtful == 0) return "<p class=\"fine\">No forbidden outcome was seen.</p>\n";
  return fmt::format(
      "<p class=\"doubt\">No forbidden outcome was seen, but {} of {} may have one: the program did not run to its "
      "end, some of its runs were not counted, or a model's answer is incomplete.</p>\n",
      doubtful, plural(rows.size(), "program"));
}

/// Lists the forbidden outcomes, with one line for each outcome.
std::string alarm(std::span<const CrossRow> rows, const std::vector<std::string>& links) {
  std::string lines;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const CrossOutcome& one : rows[i].histogram) {
      for (const CrossModel& model : rows[i].models) {
        if (std::find(one.forbidden_by.begin(), one.forbidden_by.end(), model.model) == one.forbidden_by.end())
          continue;
        lines +=
            fmt::format("<li>{}: <b>{}</b> forbids <code>{}</code>, seen in {} of {} runs{}</li>\n",
                        test_link(rows[i], links[i]), html_text(model.model), html_text(one.outcome), grouped(one.runs),
                        grouped(rows[i].runs), model.race.value_or(false) ? " (it calls the program racy)" : "");
      }
    }
  }
  if (lines.empty()) return no_alarm(rows);
  const std::string_view reason = is_simulated(rows)
                                      ? "The simulator does something that the model forbids, or Ambit has a bug."
                                      : "The model is wrong about this hardware, the hardware has a bug, or Ambit has "
                                        "a bug.";
  return fmt::format("<div class=\"alarm\"><b class=\"bad\">Forbidden outcomes were seen.</b> {} ", reason) +
         "(The models of the HRF family and of CUDA C++ guarantee nothing about a program that they call racy; PTX "
         "does.)<ul>\n" +
         lines + "</ul></div>\n";
}

// ---- the glossary ----

std::string words(std::span<const CrossRow> rows) {
  std::string text = "<h2>How to read it</h2>\n<dl class=\"words\">\n";
  const auto add = [&](std::string_view word, std::string_view meaning) {
    text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", word, meaning);
  };
  add("outcome", "the values of the program's variables at its end");
  add("data race", "two threads touch the same memory, one of them writes, and nothing orders the two accesses");
  add("model",
      "a definition of what a GPU may do. It judges the program: which outcomes are allowed, and whether there is a "
      "race");
  add("detector",
      "judges runs: it examines the accesses of recorded runs and reports races among them. It may miss a race "
      "that no run showed");
  const auto any = [&](auto holds) { return std::any_of(rows.begin(), rows.end(), holds); };
  const bool has_in_gpu = any([](const CrossRow& row) { return !row.in_gpu.empty(); });
  if (has_in_gpu) {
    add("in GPU",
        "the same detector inside the program while it runs on the hardware. It reported a race in <b>every</b> run, "
        "in <b>some</b> runs, or in none (<b>·</b>)");
  }
  const bool is_silent = any([](const CrossRow& row) {
    return std::ranges::any_of(row.detectors, [&](const CrossDetector& one) { return !race_verdict(row, one); });
  });
  const bool is_idle = any([](const CrossRow& row) {
    return std::ranges::any_of(row.in_gpu, [](const Detections& one) { return !race_verdict(one); });
  });
  if (is_idle || is_silent) {
    add("?",
        "no verdict: the detector reported no race, but has no verdict on some runs (<b>open</b>) or could not judge "
        "them; "
        "or it did not run on this program");
  }
  add("race, ·", "a race; no race");
  if (any([](const CrossRow& row) { return !row.label.empty(); })) {
    add("label",
        "the verdict of the program's authors. <span class=\"good\">Green</span> agrees with it, <span "
        "class=\"bad\">bold red</span> does not");
  }
  add("seen",
      "the share of the model's allowed outcomes that runs showed; <span class=\"bad\">bold red</span>: a forbidden "
      "outcome was seen, too");
  add("recorded", "separate runs in which every access was recorded");
  add("traces", "different orders of accesses in the recorded runs; detectors judge each order once");
  add("weak", "recorded runs whose accesses fit no single order; detectors cannot judge them");
  return text + "</dl>\n";
}

// ---- the score of each judge ----

std::string_view to_string(CrossScore::Kind kind) {
  switch (kind) {
    case CrossScore::Kind::Model: return "memory model";
    case CrossScore::Kind::Replayed: return "detector, on recorded runs";
    case CrossScore::Kind::InGpu: return "detector, inside the GPU";
  }
  return "";
}

HtmlCell count(std::uint64_t value, Tone tone) {
  return {fmt::format("{}", value), value == 0 ? Tone::Soft : tone, {}, {}, Place::Right};
}

HtmlCell share_of(std::uint64_t value, std::uint64_t all) {
  HtmlCell cell{all == 0 ? "" : fmt::format("{} of {}", value, all), Tone::Plain, {}, {}, Place::Right};
  if (value < all) cell.tone = Tone::Bad;
  return cell;
}

std::string score_table(std::span<const CrossRow> rows) {
  std::vector<CrossScore> all = scores(rows);
  std::erase_if(all, [](const CrossScore& one) { return one.labelled == 0 && one.compared == 0; });
  const auto any = [&](auto member) {
    return std::any_of(all.begin(), all.end(), [&](const CrossScore& one) { return one.*member > 0; });
  };
  const bool has_labels = any(&CrossScore::labelled);
  const bool has_twins = any(&CrossScore::compared);
  if (all.empty()) return {};
  HtmlTable table("scores");
  table.head("who");
  table.head("what it is");
  if (has_labels) {
    for (const char* head : {"as labelled", "missed races", "false positives"}) table.head(head);
  }
  if (has_twins) table.head("in GPU as on recorded runs");
  for (const CrossScore& one : all) {
    std::vector<HtmlCell> cells = {{one.title}, {std::string(to_string(one.kind))}};
    if (has_labels) {
      cells.push_back(share_of(one.as_labelled, one.labelled));
      cells.push_back(count(one.missed, Tone::Bad));
      cells.push_back(count(one.false_alarms, Tone::Bad));
    }
    if (has_twins) {
      cells.push_back(share_of(one.compared - one.differing.size(), one.compared));
      for (const std::size_t row : one.differing) {
        cells.back().below += fmt::format("{}{}", cells.back().below.empty() ? "not " : ", ", rows[row].test);
      }
    }
    table.add(std::move(cells));
  }
  return "<h2>Who finds the races</h2>\n<p> A model has its own definition of a race, so it can differ from a "
         "label without being wrong; a detector follows its own rules, which may differ from every model's.</p>\n" +
         table.render();
}

// ---- the table of tests ----

/// The columns that depend on the models and detectors.
struct Columns {
  std::vector<std::string> judges;  ///< titles
  std::vector<std::string> models;  ///< the judges that are models
};

Columns columns_of(std::span<const CrossRow> rows) {
  Columns columns{judge_titles(rows), {}};
  for (const std::string& title : columns.judges) {
    const bool is_model = std::ranges::any_of(rows, [&](const CrossRow& row) {
      return std::ranges::find(row.models, title, &CrossModel::model) != row.models.end();
    });
    if (is_model) columns.models.push_back(title);
  }
  return columns;
}

void add_heads(HtmlTable& table, const Columns& columns) {
  table.head("test");
  table.head("label");
  for (const std::string& judge : columns.judges) table.head(judge, true);
  table.head("runs");
  table.head("outcomes", true);
  for (const std::string& model : columns.models) table.head("seen of " + model, true);
  for (const char* head : {"recorded", "traces", "weak"}) table.head(head, true);
  const std::size_t models = columns.models.size();
  table.group("", 2);
  table.group("race by the model", models);
  if (columns.judges.size() > models) table.group("race by the detector", columns.judges.size() - models);
  table.group("outcomes seen", 2 + models);
  table.group("for the detectors", 3);
}

HtmlCell seen_cell(const CrossRow& row, const std::string& title) {
  const auto model = std::ranges::find(row.models, title, &CrossModel::model);
  if (model == row.models.end()) return {};
  return {fmt::format("{} of {}{}", model->seen, model->allowed, model->is_complete ? "" : "+"),
          model->forbidden.empty() ? Tone::Plain : Tone::Bad,
          {},
          {},
          Place::Right};
}

/// Returns the remarks on a test, in one line.
std::string remark_on(const CrossRow& row) {
  std::string text = row.has_forbidden() ? "a forbidden outcome was seen" : "";
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  if (!row.error.empty()) add("error: " + row.error.substr(0, row.error.find('\n')));
  for (const std::string& incident : incident_texts(row)) add(incident);
  return text;
}

std::string test_table(std::span<const CrossRow> rows, const std::vector<std::string>& links) {
  HtmlTable table("tests");
  const Columns columns = columns_of(rows);
  add_heads(table, columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CrossRow& row = rows[i];
    std::vector<HtmlCell> cells = {{row.test, Tone::Plain, {}, links[i]}, {row.label}};
    if (row.has_forbidden()) cells[0].tone = Tone::Bad;
    if (!row.has_counts()) {
      cells.push_back({"not run: " + row.error.substr(0, row.error.find('\n')), Tone::Doubtful});
      cells.back().span = columns.judges.size() + 5 + columns.models.size();
      table.add(std::move(cells));
      continue;
    }
    cells[0].below = remark_on(row);
    const std::vector<CrossJudge> judges = row.judges();
    for (const std::string& title : columns.judges) {
      const auto judge = std::ranges::find(judges, title, &CrossJudge::title);
      cells.push_back(judge == judges.end() ? HtmlCell{} : race_cell(row, *judge));
    }
    cells.push_back(rounded_cell(row.runs));
    cells.push_back(rounded_cell(row.outcomes));
    for (const std::string& model : columns.models) cells.push_back(seen_cell(row, model));
    for (const std::uint64_t value : {row.recorded, row.traces, row.weak}) cells.push_back(rounded_cell(value));
    table.add(std::move(cells));
  }
  return "<h2>Tests</h2>\n<p class=\"soft\">Each name links to the program, its picture, an explanation and its "
         "outcomes. "
         "Click a column's title to sort.</p>\n" +
         table.filter() + table.render();
}

}  // namespace

Tone tone_of(const CrossRow& row, std::optional<bool> race) {
  if (row.label.empty() || !race) return Tone::Soft;
  return (row.label == "race") == *race ? Tone::Good : Tone::Bad;
}

std::string index_page(std::span<const CrossRow> rows, const std::vector<std::string>& links,
                       const std::vector<std::string>& notes) {
  std::string body = what_was_run(rows);
  for (const std::string& note : notes) body += fmt::format("<p class=\"doubt\">{}</p>\n", html_text(note));
  body += alarm(rows, links);
  body += words(rows) + score_table(rows);
  for (const std::string& line : idle_detectors(rows))
    body += fmt::format("<p class=\"soft\">{}</p>\n", html_text(line));
  body += test_table(rows, links);
  return html_page(fmt::format("Models, detectors and {} compared", runner(rows)), body, true);
}

}  // namespace ambit::report
