#include "runner/shadow/report_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace ambit::shadow {
namespace {

using nlohmann::json;

json to_json(const ProgramSite& site) {
  json places = json::array();
  for (const ProgramPlace& place : site.places) {
    places.push_back(
        {{"file", place.file}, {"line", place.line}, {"column", place.column}, {"function", place.function}});
  }
  return {{"places", places},
          {"user-place", site.user_place},
          {"function", site.function},
          {"instruction", site.instruction},
          {"ptx-line", site.ptx_line}};
}

ProgramSite site_of(const json& from) {
  ProgramSite site;
  for (const json& place : from.at("places")) {
    site.places.push_back({place.at("file"), place.at("line"), place.at("column"), place.at("function")});
  }
  site.user_place = from.at("user-place");
  if (!site.places.empty()) site.user_place = std::min(site.user_place, site.places.size() - 1);
  site.function = from.at("function");
  site.instruction = from.at("instruction");
  site.ptx_line = from.at("ptx-line");
  return site;
}

json to_json(const ProgramAccess& access) {
  return {{"site", to_json(access.site)},
          {"thread", access.thread},
          {"write", access.is_write},
          {"atomic", access.is_atomic}};
}

ProgramAccess access_of(const json& from) {
  return {site_of(from.at("site")), from.at("thread"), from.at("write"), from.at("atomic")};
}

ProgramRace race_of(const json& from) {
  ProgramRace race;
  race.detector = from.at("detector");
  race.kernel = from.at("kernel");
  race.launch = from.at("launch");
  race.kind = static_cast<RaceKind>(from.at("kind").get<int>());
  race.level = static_cast<RaceLevel>(from.at("level").get<int>());
  race.first = access_of(from.at("first"));
  race.second = access_of(from.at("second"));
  race.memory = from.at("memory");
  race.why = from.at("why");
  race.remedy = from.at("remedy");
  race.needs_trial = from.at("needs-trial");
  race.count = from.at("count");
  return race;
}

ProgramFinding finding_of(const json& from) {
  return {from.at("kind"),  from.at("kernel"), site_of(from.at("site")), from.at("thread"), from.at("message"),
          from.at("where"), from.at("count"),  from.at("is-error"),      from.at("is-cut")};
}

std::string signal_text(const json& from) {
  const int signal = from.at("signal");
  return fmt::format("signal {} ({})", signal, strsignal(signal));
}
std::string launch_text(const json& from) {
  return fmt::format("{}, launch {}", from.at("kernel").get<std::string>(), from.at("launch").get<std::uint64_t>());
}

/// Reads the lines of a report one after the other.
class Reader {
 public:
  void line(const json& from) {
    const std::string type = from.at("type");
    const int process = from.at("process");
    if (type == "begin") {
      report.has_begun = true;
      ++open_;
    } else if (type == "race") {
      const auto [known, is_new] =
          numbers_.emplace(std::pair(process, from.at("number").get<std::uint64_t>()), report.races.size());
      if (is_new) report.races.emplace_back();
      ProgramRace& race = report.races[known->second];
      const ProgramRaceClass race_class = race.race_class;  // separate lines contain the class
      race = race_of(from);
      race.race_class = race_class;
    } else if (type == "count") {
      const auto known = numbers_.find({process, from.at("number").get<std::uint64_t>()});
      if (known != numbers_.end()) report.races[known->second].count = from.at("count");
    } else if (type == "class") {
      const auto known = numbers_.find({process, from.at("number").get<std::uint64_t>()});
      const auto number = from.at("class").get<int>();
      if (known != numbers_.end()) report.races[known->second].race_class = static_cast<ProgramRaceClass>(number);
    } else if (type == "crash") {
      report.crashes.push_back(fmt::format("{} in the code of Ambit, in {}", signal_text(from), launch_text(from)));
    } else if (type == "host-fault") {
      report.errors.push_back(fmt::format("{} in {}: the kernel accessed host memory that the program had freed",
                                          signal_text(from), launch_text(from)));
    } else if (type == "finding") {
      report.findings.push_back(finding_of(from));
    } else if (type == "remark") {
      report.remarks.push_back(from.at("text"));
    } else if (type == "error") {
      report.errors.push_back(from.at("text"));
    } else if (type == "statistics") {
      report.launches = from.at("launches");
      report.warp_instructions = from.at("warp-instructions");
      report.kernel_seconds = from.at("seconds");
    } else if (type == "end") {
      --open_;
    }
  }
  ProgramReport finished() {
    report.is_complete = report.has_begun && open_ <= 0 && !report.has_cut_launch();
    return std::move(report);
  }

 private:
  ProgramReport report;
  int open_ = 0;
  std::map<std::pair<int, std::uint64_t>, std::size_t> numbers_;
};

}  // namespace

ReportWriter::ReportWriter(const std::string& path) {
  if (!path.empty()) file_ = open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

ReportWriter::~ReportWriter() {
  if (file_ >= 0) close(file_);
}

void ReportWriter::write(const std::string& line) {
  if (file_ < 0) return;
  const std::string whole = line + "\n";
  std::size_t written = 0;
  while (written < whole.size()) {
    const ssize_t count = ::write(file_, whole.data() + written, whole.size() - written);
    if (count <= 0) return;
    written += static_cast<std::size_t>(count);
  }
}

namespace {
json line_of(const char* type) { return {{"type", type}, {"process", getpid()}}; }
/// Converts a line to text. Replaces invalid UTF-8, because names of files and kernels can contain invalid bytes.
std::string text_of(const json& line) { return line.dump(-1, ' ', false, json::error_handler_t::replace); }
}  // namespace

void ReportWriter::begin() { write(text_of(line_of("begin"))); }
void ReportWriter::end() { write(text_of(line_of("end"))); }

void ReportWriter::race(std::uint64_t number, const ProgramRace& race) {
  json line = line_of("race");
  line.update({{"number", number},
               {"detector", race.detector},
               {"kernel", race.kernel},
               {"launch", race.launch},
               {"kind", static_cast<int>(race.kind)},
               {"level", static_cast<int>(race.level)},
               {"first", to_json(race.first)},
               {"second", to_json(race.second)},
               {"memory", race.memory},
               {"why", race.why},
               {"remedy", race.remedy},
               {"needs-trial", race.needs_trial},
               {"count", race.count}});
  write(text_of(line));
}

void ReportWriter::count(std::uint64_t number, std::uint64_t count) {
  json line = line_of("count");
  line.update({{"number", number}, {"count", count}});
  write(text_of(line));
}

void ReportWriter::race_class(std::uint64_t number, ProgramRaceClass race_class) {
  json line = line_of("class");
  line.update({{"number", number}, {"class", static_cast<int>(race_class)}});
  write(text_of(line));
}

void ReportWriter::finding(const ProgramFinding& finding) {
  json line = line_of("finding");
  line.update({{"kind", finding.kind},
               {"kernel", finding.kernel},
               {"site", to_json(finding.site)},
               {"thread", finding.thread},
               {"message", finding.message},
               {"where", finding.where},
               {"count", finding.count},
               {"is-error", finding.is_error},
               {"is-cut", finding.is_cut}});
  write(text_of(line));
}

void ReportWriter::remark(const std::string& text) {
  json line = line_of("remark");
  line["text"] = text;
  write(text_of(line));
}

void ReportWriter::error(const std::string& text) {
  json line = line_of("error");
  line["text"] = text;
  write(text_of(line));
}

void ReportWriter::statistics(std::uint64_t launches, std::uint64_t warp_instructions, double seconds) {
  json line = line_of("statistics");
  line.update({{"launches", launches}, {"warp-instructions", warp_instructions}, {"seconds", seconds}});
  write(text_of(line));
}

std::string crash_note(const std::string& kernel, std::uint64_t launch, bool is_host_memory) {
  json line = line_of(is_host_memory ? "host-fault" : "crash");
  line.update({{"kernel", kernel.substr(0, 1000)}, {"launch", launch}});
  std::string text = text_of(line);
  text.pop_back();
  return text + ",\"signal\":";
}

Result<ProgramReport> read_report(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Diagnostic{nullptr, {}, path + ": cannot be opened", "expected a report of the runtime library"};
  Reader reader;
  std::string text;
  std::size_t number = 0;
  while (std::getline(file, text)) {
    ++number;
    const json line = json::parse(text, nullptr, false);
    const bool is_cut_off = file.eof();  // the last line has no line break
    bool is_line = !line.is_discarded();
    try {
      if (is_line) reader.line(line);
    } catch (const json::exception&) {
      is_line = false;
    }
    if (is_line) continue;
    if (is_cut_off) break;
    return Diagnostic{nullptr,
                      {},
                      path + ":" + std::to_string(number) + ": is not a line of a report",
                      "expected a report of the runtime library"};
  }
  return reader.finished();
}

}  // namespace ambit::shadow
