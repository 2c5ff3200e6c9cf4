#include "report/json/remarks_json.h"

namespace ambit::report {

nlohmann::ordered_json remarks_json(const Diagnostics& remarks) {
  auto list = nlohmann::ordered_json::array();
  for (const Diagnostic& remark : remarks) {
    list.push_back({{"line", remark.span.line}, {"column", remark.span.column}, {"message", remark.message}});
  }
  return list;
}

}  // namespace ambit::report
