#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "model/verdict/verdict.h"

namespace ambit::report {

/// Returns a value in the notation of its type. 64-bit unsigned values have no sign. An address of the program's memory
/// becomes a name: "&data[1]".
std::string value_text(const Program& program, Value value, ScalarType type);

/// Returns the value that an access reads or writes; "?" if Ambit does not track it (OpaqueUse).
std::string accessed_value_text(const events::EventGraph& graph, const events::Execution& execution,
                                events::EventId event);

/// Returns an outcome as text: "P1:r0 == 1, P1:r1 == 0".
std::string outcome_text(const Program& program, const events::Outcome& outcome);

/// Describes an executed event: "W x = 1", "R.acquire.gpu flag = 0", "RMW.relaxed.gpu lock 0 -> 1", "F.sc.gpu", "bar
/// 0". The read and the write of a read-modify-write get the same description.
std::string event_text(const events::EventGraph& graph, const events::Execution& execution, events::EventId event);
/// Like event_text(), but without values: "W x".
std::string access_text(const events::EventGraph& graph, const events::Execution& execution, events::EventId event);

/// Returns the source line of a span, without surrounding white space. If the line has several statements, returns the
/// span's statement. Returns an empty text if the span has no line.
std::string_view source_text(const Program& program, const SourceSpan& span);
/// Returns a place such as "mp.litmus:8", with the path as the user gave it.
std::string place_text(const Program& program, const SourceSpan& span);

/// Returns "possible", "impossible", "unknown".
std::string_view to_string(events::Possibility possibility);

/// Returns the text for the answer Unknown: "Unknown (bound): a loop ...; raise --unroll".
std::string unknown_text(UnknownReason reason, std::string_view detail);

/// Returns `count` as a percentage of `all`: "12.5 %". `all` must not be 0.
std::string share(std::uint64_t count, std::uint64_t all);

/// Shortens a list of names: "t, u, v and 2 more", or "t, u, v and at least 2 more" if the list is incomplete
/// (`has_more`).
std::string first_names(std::span<const std::string> names, bool has_more = false);

/// Returns advice about an answer Unknown, such as "raise --unroll"; may be empty.
std::string_view remedy(UnknownReason reason);

}  // namespace ambit::report
