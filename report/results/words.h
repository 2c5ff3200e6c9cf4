#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "model/verdict/verdict.h"

namespace ambit::report {

/// A value as its type writes it: 64-bit unsigned ones without a sign, addresses of the program's memory as "&data[1]".
std::string value_text(const Program& program, Value value, ScalarType type);

/// The value that an access reads or writes; "?" for one that Ambit does not follow (OpaqueUse).
std::string accessed_value_text(const events::EventGraph& graph, const events::Execution& execution,
                                events::EventId event);

/// "P1:r0 == 1, P1:r1 == 0".
std::string outcome_text(const Program& program, const events::Outcome& outcome);

/// An event as it took place: "W x = 1", "R.acquire.gpu flag = 0", "RMW.relaxed.gpu lock 0 -> 1", "F.sc.gpu", "bar 0".
/// For either half of a read-modify-write the whole operation.
std::string event_text(const events::EventGraph& graph, const events::Execution& execution, events::EventId event);
/// The same without the values of one execution, but with the location that it accesses there: "W x".
std::string access_text(const events::EventGraph& graph, const events::Execution& execution, events::EventId event);

/// The line of the source that a span points at, without white space at its ends; empty if the span has no line.
std::string_view source_text(const Program& program, const SourceSpan& span);
/// "mp.litmus:8", the path as the user gave it.
std::string place_text(const Program& program, const SourceSpan& span);

/// "possible", "impossible", "unknown".
std::string_view to_string(events::Possibility possibility);

/// "Unknown (bound): a loop ...; raise --unroll".
std::string unknown_text(UnknownReason reason, std::string_view detail);

/// "12.5 %"; `all` is not 0.
std::string share(std::uint64_t count, std::uint64_t all);

/// "t, u, v and 2 more"; "t, u, v and at least 2 more" where `has_more` says that the list is not whole.
std::string first_names(std::span<const std::string> names, bool has_more = false);

/// What a user can do about an Unknown: "raise --unroll". Empty when nothing.
std::string_view remedy(UnknownReason reason);

}  // namespace ambit::report
