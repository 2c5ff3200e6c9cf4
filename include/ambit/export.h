// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Marks what the shared library exports.
#define AMBIT_API __attribute__((visibility("default")))

/// The inline namespace carries the version of the binary interface: programs name `ambit::check`, and the linker sees
/// `ambit::v0::check`. It also keeps these names apart from the library's own.
#define AMBIT_NAMESPACE ambit::inline v0
