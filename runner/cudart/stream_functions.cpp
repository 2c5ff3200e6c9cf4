// Functions for streams and events ("Stream Management" and "Event Management" in the runtime's manual). Work is
// performed when the program issues it. The library records the order that streams and events guarantee, in order to
// find races between unordered work.

#include <chrono>

#include "runner/cudart/session.h"

using namespace ambit::cudart;  // NOLINT: the functions below have C linkage

namespace {

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  std::uint64_t number = 0;
};
struct Event {
  std::chrono::steady_clock::time_point at;
  bool is_recorded = false;
};

Error make_stream(void** stream, unsigned flags, int priority) {
  Call call;
  // Assigns the members separately, because clang's analyzer treats members set by a braced initialiser as unset.
  auto* const created = new Stream;  // NOLINT: cudaStreamDestroy deletes the stream
  created->flags = flags;
  created->priority = priority;
  created->number = call.session.number_of_new_stream();
  *stream = created;
  constexpr unsigned kNonBlocking = 1;
  call.session.watch().add_stream(stream_number(*stream), (flags & kNonBlocking) == 0);
  return cudaSuccess;
}

/// Returns the result of a function that waits: the sticky error, if any.
Error wait() {
  Call call;
  return call.session.sticky() == cudaSuccess ? cudaSuccess : call.session.note(call.session.sticky());
}

/// Returns whether the stream is a default stream: 0, 1 or 2. Stream 2 is the default stream of the thread.
bool is_default(const void* stream) { return reinterpret_cast<std::uintptr_t>(stream) <= 2; }

Error wait_for_stream(void* stream) {
  Call call;
  call.session.watch().order().host_waits_for(stream_number(stream));
  return wait();
}
Error wait_for_event(void* event) {
  Call call;
  call.session.watch().order().host_waits_for(static_cast<const void*>(event));
  return wait();
}

}  // namespace

namespace ambit::cudart {

std::uint64_t stream_number(const void* stream) {
  using Order = ambit::shadow::StreamOrder;
  if (!is_default(stream)) return Order::kThreadDefault + static_cast<const Stream*>(stream)->number;
  return reinterpret_cast<std::uintptr_t>(stream) == 2 ? Order::kThreadDefault : Order::kDefault;
}

}  // namespace ambit::cudart

extern "C" {

int cudaStreamCreate(void** stream) { return make_stream(stream, 0, 0); }
int cudaStreamCreateWithFlags(void** stream, unsigned flags) { return make_stream(stream, flags, 0); }
int cudaStreamCreateWithPriority(void** stream, unsigned flags, int priority) {
  return make_stream(stream, flags, priority);
}
int cudaStreamDestroy(void* stream) {
  if (!is_default(stream)) delete static_cast<Stream*>(stream);  // NOLINT
  return cudaSuccess;
}
int cudaStreamSynchronize(void* stream) { return wait_for_stream(stream); }
int cudaStreamQuery(void* stream) { return wait_for_stream(stream); }
int cudaStreamWaitEvent(void* stream, void* event, unsigned /*flags*/) {
  Call call;
  call.session.watch().order().wait(stream_number(stream), event);
  return cudaSuccess;
}
int cudaStreamGetFlags(void* stream, unsigned* flags) {
  *flags = is_default(stream) ? 0 : static_cast<Stream*>(stream)->flags;
  return cudaSuccess;
}
int cudaStreamGetPriority(void* stream, int* priority) {
  *priority = is_default(stream) ? 0 : static_cast<Stream*>(stream)->priority;
  return cudaSuccess;
}
int cudaStreamGetId(void* stream, unsigned long long* number) {
  *number = is_default(stream) ? 0 : static_cast<Stream*>(stream)->number;
  return cudaSuccess;
}
int cudaStreamGetDevice(void* /*stream*/, int* device) {
  *device = 0;
  return cudaSuccess;
}
int cudaStreamIsCapturing(void* /*stream*/, int* status) {
  *status = 0;
  return cudaSuccess;
}
int cudaStreamAddCallback(void* stream, void (*callback)(void*, int, void*), void* data, unsigned /*flags*/) {
  callback(stream, cudaSuccess, data);
  return cudaSuccess;
}

int cudaEventCreateWithFlags(void** event, unsigned /*flags*/) {
  *event = new Event;  // NOLINT: cudaEventDestroy deletes the event
  return cudaSuccess;
}
int cudaEventCreate(void** event) { return cudaEventCreateWithFlags(event, 0); }
int cudaEventDestroy(void* event) {
  Call call;
  call.session.watch().order().forget(event);
  delete static_cast<Event*>(event);  // NOLINT
  return cudaSuccess;
}
int cudaEventRecordWithFlags(void* event, void* stream, unsigned /*flags*/) {
  Call call;
  if (event == nullptr) return call.session.note(cudaErrorInvalidResourceHandle);
  call.session.watch().order().record(event, stream_number(stream));
  *static_cast<Event*>(event) = {std::chrono::steady_clock::now(), true};
  return cudaSuccess;
}
int cudaEventRecord(void* event, void* stream) { return cudaEventRecordWithFlags(event, stream, 0); }
int cudaEventSynchronize(void* event) { return wait_for_event(event); }
int cudaEventQuery(void* event) { return wait_for_event(event); }
int cudaEventElapsedTime(float* milliseconds, void* first, void* second) {
  const auto* from = static_cast<const Event*>(first);
  const auto* to = static_cast<const Event*>(second);
  if (from == nullptr || to == nullptr || !from->is_recorded || !to->is_recorded) {
    return Call().session.note(cudaErrorInvalidResourceHandle);
  }
  *milliseconds = std::chrono::duration<float, std::milli>(to->at - from->at).count();
  return cudaSuccess;
}

}  // extern "C"
