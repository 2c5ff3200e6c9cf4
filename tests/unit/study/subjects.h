#pragma once

#include <string>
#include <utility>

#include "detector/algorithms/registry.h"
#include "study/subject.h"
#include "tests/support/parsed.h"

namespace ambit::study {

inline Subject model(const std::string& name) { return {name, test::shipped_model(name), {}}; }

inline Subject detector_named(const std::string& name) {
  return {"detector:" + name, {}, [name](const TraceTables& tables) {
            return std::move(detector::make_detector(name, {}, tables)).value();
          }};
}

}  // namespace ambit::study
