// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Exports a symbol from the shared library.
#define AMBIT_API __attribute__((visibility("default")))

/// The name of the inline namespace contains the version of the binary interface: programs write `ambit::check`, and
/// the linker sees `ambit::v0::check`. The namespace also separates these names from the library's internal names.
#define AMBIT_NAMESPACE ambit::inline v0
