#include "runner/cuda/stress/trial_message.h"

#include <nlohmann/json.hpp>

namespace ambit::cuda {

using nlohmann::json;

std::string to_line(const TrialMessage& message) {
  json sets = json::array();
  for (const Stress& set : message.sets) sets.push_back(json::parse(profile_text(set)));
  const json fields = {{"test", message.test},         {"seed", message.seed}, {"seconds", message.seconds},
                       {"is_first", message.is_first}, {"sets", sets},         {"until", message.until}};
  return fields.dump() + "\n";
}

std::optional<TrialMessage> read_trial(std::string_view line) {
  try {
    const json fields = json::parse(line);
    TrialMessage message;
    fields.at("test").get_to(message.test);
    fields.at("seed").get_to(message.seed);
    fields.at("seconds").get_to(message.seconds);
    fields.at("is_first").get_to(message.is_first);
    for (const json& one : fields.at("sets")) {
      const auto set = parse_profile(std::make_shared<const SourceFile>(SourceFile{"set", one.dump()}));
      if (!set.ok()) return std::nullopt;
      message.sets.push_back(set.value());
    }
    fields.at("until").get_to(message.until);
    return message;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

}  // namespace ambit::cuda
