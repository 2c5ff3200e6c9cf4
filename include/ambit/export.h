// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Exports a symbol from the shared library.
#define AMBIT_API __attribute__((visibility("default")))

/// The inline namespace is named after the version of the binary interface: programs write `ambit::check`, and the
/// linker sees `ambit::v0::check`. The namespace also separates the public names from the library's internal names.
#define AMBIT_NAMESPACE ambit::inline v0
