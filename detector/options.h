#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "detector/detector.h"
#include "detector/inference/lock_groups.h"

namespace ambit::detector {

/// The options of one detector. Each option sets a field of `Options` and has a list of values that users can write. A
/// field is given as a pointer to a member or as a function that returns a reference. The first value is the default.
template <typename Options>
class OptionTable {
 public:
  template <typename Field>
  using Value = std::remove_cvref_t<std::invoke_result_t<Field, Options&>>;

  /// Adds an option with named values.
  template <typename Field>
  OptionTable& choice(std::string name, Field field,
                      std::initializer_list<std::pair<const char*, std::type_identity_t<Value<Field>>>> values,
                      std::string meaning) {
    Row row{{std::move(name), {}, std::move(meaning)}, {}};
    for (const auto& [text, value] : values) {
      row.option.values.emplace_back(text);
      row.setters.push_back([field, value = value](Options& options) { std::invoke(field, options) = value; });
    }
    rows_.push_back(std::move(row));
    return *this;
  }
  /// Adds an option with the values yes and no. The default of the option is the default of the field.
  template <typename Field>
  OptionTable& yes_or_no(std::string name, Field field, std::string meaning) {
    Options defaults;
    if (std::invoke(field, defaults)) return choice(std::move(name), field, {{"yes", true}, {"no", false}}, meaning);
    return choice(std::move(name), field, {{"no", false}, {"yes", true}}, std::move(meaning));
  }
  /// Adds an option whose values are the numbers in `values`.
  template <typename Field>
  OptionTable& number(std::string name, Field field, std::initializer_list<std::uint32_t> values, std::string meaning) {
    Row row{{std::move(name), {}, std::move(meaning)}, {}};
    for (const std::uint32_t value : values) {
      row.option.values.push_back(fmt::to_string(value));
      row.setters.push_back([field, value](Options& options) { std::invoke(field, options) = Value<Field>{value}; });
    }
    rows_.push_back(std::move(row));
    return *this;
  }

  /// Returns the descriptions of the options that users see.
  std::vector<DetectorOption> described() const {
    std::vector<DetectorOption> options;
    for (const Row& row : rows_) options.push_back(row.option);
    return options;
  }
  /// Returns the options. Values in `given` replace the defaults. check_options() must have accepted `given`.
  Options read(const GivenOptions& given) const {
    Options options;
    for (const auto& [option, setters] : rows_) {
      const auto value = given.find(option.name);
      const auto at = value == given.end() ? option.values.begin() : std::ranges::find(option.values, value->second);
      AMBIT_ASSERT(at != option.values.end());
      setters[static_cast<std::size_t>(at - option.values.begin())](options);
    }
    return options;
  }
  /// Returns a function that makes detectors of type D with the options that the user gave.
  template <typename D>
  MakeDetector maker() const {
    return [table = *this](const TraceTables& tables, const GivenOptions& given) {
      return std::make_unique<D>(tables, table.read(given));
    };
  }

 private:
  struct Row {
    DetectorOption option;
    std::vector<std::function<void(Options&)>> setters;  ///< for each value
  };
  std::vector<Row> rows_;
};

/// Adds the option that selects which lock operations exclude each other.
template <typename Options, typename Field>
OptionTable<Options>& add_overlap_option(OptionTable<Options>& table, Field field) {
  return table.choice("overlap", field,
                      {{"mut", Overlap::Mutual}, {"either", Overlap::Either}, {"exact", Overlap::Exact}},
                      "which scopes make two lock operations exclude each other");
}

}  // namespace ambit::detector
