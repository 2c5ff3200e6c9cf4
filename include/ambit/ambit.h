// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The C++ interface of Ambit, a checker for scoped GPU synchronization (docs/guide/library.md):
///
///   const ambit::Test test = ambit::read("mp.litmus");
///   for (const ambit::Verdict& verdict : ambit::check(test, {"sc", "ptx"})) std::cout << verdict.text;
///
/// Every function can be called from several threads at the same time. An error that the caller caused (a malformed
/// test, an unknown model) is thrown as ambit::Error. A bug in Ambit is a std::logic_error.

#include <ambit/check.h>
#include <ambit/detect.h>
#include <ambit/draw.h>
#include <ambit/error.h>
#include <ambit/explain.h>
#include <ambit/judge.h>
#include <ambit/limits.h>
#include <ambit/model.h>
#include <ambit/outcomes.h>
#include <ambit/simulate.h>
#include <ambit/test.h>
#include <ambit/version.h>
