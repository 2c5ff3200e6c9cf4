#include "api/edit/course.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "api/files.h"
#include "parser/parse.h"

namespace ambit::api {
namespace {

namespace fs = std::filesystem;
using ProgramPtr = std::shared_ptr<const Program>;

constexpr std::string_view kExercises = "exercises/";
constexpr std::string_view kAnswers = "answers/";
constexpr std::string_view kHints = "hints/";

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool is_test_name(std::string_view name) { return name.ends_with(".litmus") || name.ends_with(".cu"); }

std::string_view stem_of(std::string_view file) { return file.substr(0, file.rfind('.')); }

/// Returns the title that a file name contains: "fence-place" for "03-fence-place".
std::string title_of(std::string_view stem) {
  const auto end = std::find_if_not(stem.begin(), stem.end(), is_digit);
  const auto digits = static_cast<std::size_t>(end - stem.begin());
  const bool is_numbered = digits > 0 && digits + 1 < stem.size() && stem[digits] == '-';
  return std::string(is_numbered ? stem.substr(digits + 1) : stem);
}

/// Returns the lesson number in a file name such as "03-fences.md"; nothing if the file is not a lesson.
std::optional<std::uint32_t> lesson_number(std::string_view path) {
  if (!path.ends_with(".md") || path.find('/') != std::string_view::npos) return std::nullopt;
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), number);
  if (error != std::errc() || end == path.data() + path.size() || *end != '-') return std::nullopt;
  return number;
}

/// Returns the text after "# " on the first line that begins with "# "; empty if no line does.
std::string heading_of(const SourceFile& file) {
  const std::string text = "\n" + file.text;
  const std::size_t at = text.find("\n# ");
  if (at == std::string::npos) return {};
  std::string heading = text.substr(at + 3, text.find('\n', at + 1) - at - 3);
  while (!heading.empty() && std::isspace(static_cast<unsigned char>(heading.back())) != 0) heading.pop_back();
  return heading;
}

/// Returns a heading without its number: "Fences" for "3. Fences".
std::string without_number(const std::string& heading) {
  const auto end = std::find_if_not(heading.begin(), heading.end(), is_digit);
  const auto digits = static_cast<std::size_t>(end - heading.begin());
  return digits > 0 && heading.compare(digits, 2, ". ") == 0 ? heading.substr(digits + 2) : heading;
}

/// A place in a lesson's text that names a file.
struct Mention {
  std::string file;
  SourceSpan span;
};

/// Returns the exercises that a lesson names, in order and without duplicates.
std::vector<Mention> mentions_in(const SourceFile& lesson) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
  };
  std::vector<Mention> found;
  std::uint32_t line = 1;
  std::size_t line_begin = 0;
  std::size_t counted = 0;
  for (std::size_t at = 0; (at = lesson.text.find(kExercises, at)) != std::string::npos; at += kExercises.size()) {
    for (; counted < at; ++counted) {
      if (lesson.text[counted] != '\n') continue;
      ++line;
      line_begin = counted + 1;
    }
    const std::size_t begin = at + kExercises.size();
    std::size_t end = begin;
    while (end < lesson.text.size() && is_part(lesson.text[end])) ++end;
    std::string file = lesson.text.substr(begin, end - begin);
    while (file.ends_with('.')) file.pop_back();  // the full stop belongs to the sentence
    if (!is_test_name(file)) continue;
    if (std::ranges::find(found, file, &Mention::file) != found.end()) continue;
    const SourceSpan span{line, static_cast<std::uint32_t>(at - line_begin + 1),
                          static_cast<std::uint32_t>(kExercises.size() + file.size())};
    found.push_back({std::move(file), span});
  }
  return found;
}

/// Returns the lesson's links to other lessons: `](02-scopes.md)`, `](02-scopes.md#placement)`.
std::vector<Mention> links_to_lessons_in(const SourceFile& lesson) {
  constexpr std::string_view kOpening = "](";
  std::vector<Mention> found;
  std::uint32_t line = 1;
  std::size_t line_begin = 0;
  for (std::size_t at = 0; at < lesson.text.size(); ++at) {
    if (lesson.text[at] == '\n') {
      ++line;
      line_begin = at + 1;
    }
    if (lesson.text.compare(at, kOpening.size(), kOpening) != 0) continue;
    const std::size_t begin = at + kOpening.size();
    const std::size_t end = std::min(lesson.text.find_first_of("#) \n", begin), lesson.text.size());
    std::string file = lesson.text.substr(begin, end - begin);
    const SourceSpan span{line, static_cast<std::uint32_t>(begin - line_begin + 1),
                          static_cast<std::uint32_t>(file.size())};
    if (lesson_number(file)) found.push_back({std::move(file), span});
  }
  return found;
}

class CourseReader {
 public:
  explicit CourseReader(const CourseFiles& files) : files_(files) {}

  Result<Course> read(const std::string& folder) {
    Course course;
    const SourceFilePtr about = file("README.md");
    if (about) course.title = heading_of(*about);
    if (course.title.empty()) course.title = "Lessons";
    for (const auto& [path, source] : files_) {
      if (const auto number = lesson_number(path)) add_lesson(*number, source, course);
    }
    if (course.lessons.empty() && errors_.empty()) {
      Diagnostic error = path_error(folder, "no lesson in this folder");
      error.hint = "a lesson is a file such as 01-first.md; docs/guide/playground.md describes the folder";
      return error;
    }
    std::ranges::stable_sort(course.lessons, {}, &Lesson::number);
    note_unused();
    if (!errors_.empty()) return errors_;
    return course;
  }

 private:
  SourceFilePtr file(const std::string& path) const {
    const auto found = files_.find(path);
    return found == files_.end() ? nullptr : found->second;
  }

  void note(SourceFilePtr source, SourceSpan span, std::string message, std::string hint = {}) {
    errors_.push_back({std::move(source), span, std::move(message), std::move(hint)});
  }

  void add_lesson(std::uint32_t number, const SourceFilePtr& source, Course& course) {
    const std::string heading = heading_of(*source);
    if (heading.empty())
      note(source, {1, 1, 0}, "the lesson has no title", "begin it with a line such as '# 3. Fences'");
    if (number == 0) note(source, {}, "lessons are numbered from 1");
    const auto [first, is_new] = numbered_.try_emplace(number, source);
    if (!is_new)
      note(source, {}, fmt::format("there are two lessons {}: this one and {}", number, first->second->path));
    check_links(source);
    Lesson lesson{number, without_number(heading), source->text, {}};
    for (const Mention& mention : mentions_in(*source)) {
      const std::string path = std::string(kExercises) + mention.file;
      if (file(path)) {
        add_exercise(mention.file, lesson);
      } else {
        note(source, mention.span, fmt::format("there is no file {}", path));
      }
    }
    course.lessons.push_back(std::move(lesson));
  }

  /// Notes an error for each link to a lesson that does not exist.
  void check_links(const SourceFilePtr& source) {
    for (const Mention& link : links_to_lessons_in(*source)) {
      if (!file(link.file)) note(source, link.span, fmt::format("there is no lesson {}", link.file));
    }
  }

  /// Returns the test in a file. If the test cannot be read, notes the errors and returns null.
  ProgramPtr test_of(const SourceFilePtr& source) {
    auto read = parser::parse_program(source);
    if (read.ok()) return std::move(read).value();
    errors_.insert(errors_.end(), read.errors().begin(), read.errors().end());
    return nullptr;
  }

  void add_exercise(const std::string& name, Lesson& lesson) {
    const SourceFilePtr source = file(std::string(kExercises) + name);
    const SourceFilePtr answer = file(std::string(kAnswers) + name);
    const SourceFilePtr hint = file(fmt::format("{}{}.md", kHints, stem_of(name)));
    Exercise exercise;
    exercise.name = stem_of(name);
    exercise.title = title_of(exercise.name);
    exercise.file = name;
    exercise.text = source->text;
    if (answer) exercise.answer = answer->text;
    if (hint) exercise.hint = hint->text;
    used_.insert({source, answer, hint});
    const ProgramPtr test = test_of(source);
    const ProgramPtr solved = answer ? test_of(answer) : nullptr;
    if (!test || (answer && !solved)) return;
    exercise.expectations = count_expectations(*test);
    if (exercise.expectations == 0) {
      note(source, {}, "the exercise has no expectation, so it cannot be solved",
           "add a line such as 'expect ptx : Never, norace'");
    }
    exercise.locked = locked_lines(*test, solved.get());
    lesson.exercises.push_back(std::move(exercise));
  }

  /// Reports files that no lesson names, because the name may be misspelt.
  void note_unused() {
    for (const auto& [path, source] : files_) {
      if (used_.contains(source)) continue;
      if (path.starts_with(kExercises)) {
        note(source, {}, "no lesson names this exercise", fmt::format("write `{}` in a lesson", path));
      } else if (path.starts_with(kAnswers)) {
        note(source, {}, "no lesson names the exercise of this answer", "an answer has the file name of its exercise");
      } else if (path.starts_with(kHints)) {
        note(source, {}, "no lesson names the exercise of this hint", "the hint to exercises/a.litmus is hints/a.md");
      }
    }
  }

  const CourseFiles& files_;
  std::map<std::uint32_t, SourceFilePtr> numbered_;  ///< for each number, the first lesson with this number
  std::set<SourceFilePtr> used_;
  Diagnostics errors_;
};

/// Adds the files of one subfolder to `files`. The subfolder need not exist.
std::optional<Diagnostic> add_files(const std::string& folder, std::string_view part, CourseFiles& files) {
  const fs::path directory = part.empty() ? fs::path(folder) : fs::path(folder) / part;
  std::error_code error;
  if (!part.empty() && !fs::exists(directory, error)) return std::nullopt;
  fs::directory_iterator it(directory, error);
  for (const fs::directory_iterator end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    const bool is_text = part.empty() || part == kHints ? name.ends_with(".md") : is_test_name(name);
    if (!is_text || name.starts_with('.')) continue;
    auto read = parser::read_source((directory / name).string());
    if (!read.ok()) return read.errors().front();
    files[std::string(part) + name] = std::move(read).value();
  }
  if (error) return path_error(directory.string(), "cannot read the directory: " + error.message());
  return std::nullopt;
}

}  // namespace

Result<Course> make_course(const CourseFiles& files, const std::string& folder) {
  return CourseReader(files).read(folder);
}

Result<Course> read_course(const std::string& folder) {
  CourseFiles files;
  for (const std::string_view part : {std::string_view(), kExercises, kAnswers, kHints}) {
    if (std::optional<Diagnostic> error = add_files(folder, part, files)) return *std::move(error);
  }
  return make_course(files, folder);
}

}  // namespace ambit::api
