#include <ambit/check.h>
#include <ambit/explain.h>
#include <ambit/outcomes.h>
#include <ambit/version.h>

#include <array>

namespace AMBIT_NAMESPACE {
namespace {

template <typename Enum, std::size_t Count>
std::string_view name_of(Enum value, const std::array<std::string_view, Count>& names) {
  return names[static_cast<std::size_t>(value)];
}

}  // namespace

std::string_view to_string(Answer answer) {
  return name_of<Answer, 6>(answer, {"Never", "Sometimes", "Always", "NoExecution", "Unknown", "NotAsked"});
}
std::string_view to_string(Raciness race) {
  return name_of<Raciness, 4>(race, {"NoRace", "Race", "Unknown", "NotAsked"});
}
std::string_view to_string(Ending ending) {
  return name_of<Ending, 4>(ending, {"Terminates", "Stuck", "Unknown", "NotAsked"});
}
std::string_view to_string(Status status) {
  return name_of<Status, 4>(status, {"Ok", "Fail", "NothingExpected", "Unknown"});
}
std::string_view to_string(Possibility possibility) {
  return name_of<Possibility, 3>(possibility, {"Impossible", "Possible", "Unknown"});
}
std::string_view to_string(Permission permission) {
  return name_of<Permission, 3>(permission, {"Forbidden", "Allowed", "Unknown"});
}

std::string_view version() { return AMBIT_VERSION; }

}  // namespace AMBIT_NAMESPACE
