// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ambit/export.h>

#include <string_view>

namespace AMBIT_NAMESPACE {

/// The version of the library: "0.2.0".
AMBIT_API std::string_view version();

}  // namespace AMBIT_NAMESPACE
