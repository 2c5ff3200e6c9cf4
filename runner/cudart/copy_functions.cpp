// Copies and memsets ("Memory Management" in the runtime's manual). Asynchronous copies are also performed immediately;
// shadow::StreamOrder records their order relative to the work of other streams. A copy without a stream is in the
// default stream.

#include <cstring>

#include "runner/cudart/session.h"

using namespace ambit::cudart;  // NOLINT: the functions below have C linkage
using ambit::virtual_gpu::Memory;

namespace {

bool is_device(const void* pointer) { return Memory::is_device_address(address_of(pointer)); }

/// How a runtime function uses streams.
struct OnStream {
  const char* name = "cudaMemcpy";
  const void* stream = nullptr;
  bool is_asynchronous = false;
};
OnStream asynchronous(const char* name, const void* stream) { return {name, stream, true}; }

/// Records a copy. The host waits for a copy without a stream, unless both places are on the device. The host also
/// waits for copies to its own pageable memory ("API synchronization behavior"). A copy from pageable memory may be
/// incomplete when the function returns. Ambit ignores incomplete copies, because nearly all programs do.
void note_copy(Session& session, const OnStream& on, const void* to, const void* from, std::size_t bytes) {
  const std::uint64_t stream = stream_number(on.stream);
  const auto stretch = [&](const void* place, bool is_write) {
    return ambit::shadow::Watch::Stretch{address_of(place), place != nullptr && is_device(place) ? bytes : 0, is_write};
  };
  session.watch().copied(stream, on.name, {stretch(from, false), stretch(to, true)});
  const bool is_on_device = is_device(to) && (from == nullptr || is_device(from));
  const bool is_pageable = !is_device(to) && session.memory().find(address_of(to), 1) == nullptr;
  if (on.is_asynchronous ? is_pageable : !is_on_device) session.watch().order().host_waits_for(stream);
}

Error copy(void* to, const void* from, std::size_t bytes, int kind, const OnStream& on = {}) {
  Call call;
  Session& session = call.session;
  if (session.sticky() != cudaSuccess) return session.note(session.sticky());
  if (bytes == 0) return cudaSuccess;
  if (kind < HostToHost || kind > Default) return session.note(cudaErrorInvalidMemcpyDirection);
  // Managed memory and pinned memory count as host memory, both as source and as destination.
  const bool from_device = is_device(from);
  const bool to_device = is_device(to);
  const bool is_wrong = (kind == HostToDevice && from_device) || (kind == DeviceToHost && to_device) ||
                        (kind == HostToHost && (from_device || to_device)) || to == nullptr || from == nullptr;
  if (is_wrong) return session.note(cudaErrorInvalidValue);
  bool is_done = true;
  if (to_device && from_device) {
    is_done = session.memory().copy_on_device(address_of(to), address_of(from), bytes);
  } else if (to_device) {
    is_done = session.memory().copy_to_device(address_of(to), from, bytes);
  } else if (from_device) {
    is_done = session.memory().copy_to_host(to, address_of(from), bytes);
  } else {
    const auto* known = session.memory().find(address_of(kind == HostToDevice ? to : from), 1);
    if ((kind == HostToDevice || kind == DeviceToHost) && known == nullptr) return session.note(cudaErrorInvalidValue);
    std::memmove(to, from, bytes);
  }
  if (!is_done) return session.note(cudaErrorInvalidValue);
  note_copy(session, on, to, from, bytes);
  return cudaSuccess;
}

Error copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                std::size_t height, int kind, const OnStream& on) {
  if (width > to_pitch || width > from_pitch) return Call().session.note(cudaErrorInvalidPitchValue);
  for (std::size_t row = 0; row < height; ++row) {
    const Error error = copy(static_cast<char*>(to) + row * to_pitch, static_cast<const char*>(from) + row * from_pitch,
                             width, kind, on);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

Error set(void* to, int value, std::size_t bytes, const OnStream& on = {"cudaMemset"}) {
  Call call;
  Session& session = call.session;
  if (session.sticky() != cudaSuccess) return session.note(session.sticky());
  if (bytes == 0) return cudaSuccess;
  if (is_device(to)) {
    const bool is_done = session.memory().set(address_of(to), static_cast<std::uint8_t>(value), bytes);
    if (!is_done) return session.note(cudaErrorInvalidValue);
    note_copy(session, on, to, nullptr, bytes);
    return cudaSuccess;
  }
  if (session.memory().find(address_of(to), bytes) == nullptr) return session.note(cudaErrorInvalidValue);
  std::memset(to, value, bytes);
  return cudaSuccess;
}

Error set_rows(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height, const OnStream& on) {
  for (std::size_t row = 0; row < height; ++row) {
    const Error error = set(static_cast<char*>(to) + row * pitch, value, width, on);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

Error copy_symbol(const void* symbol, void* host, std::size_t bytes, std::size_t offset, bool to_symbol,
                  const OnStream& on) {
  Call call;
  ambit::virtual_gpu::Symbol found;
  const Error error = call.session.find_symbol(symbol, found);
  if (error != cudaSuccess) return call.session.note(error);
  if (offset > found.bytes || bytes > found.bytes - offset) return call.session.note(cudaErrorInvalidValue);
  void* place = reinterpret_cast<void*>(found.address + offset);
  return to_symbol ? copy(place, host, bytes, Default, on) : copy(host, place, bytes, Default, on);
}

Error copy_volume(const Copy3D* what, const OnStream& on) {
  if (what == nullptr || what->from_array != nullptr || what->to_array != nullptr) {
    return Call().session.not_supported("cudaMemcpy3D of arrays");
  }
  const auto at = [](const PitchedPointer& volume, const Extent3& position, std::size_t slice) {
    return static_cast<char*>(volume.pointer) + ((position.z + slice) * volume.height + position.y) * volume.pitch +
           position.x;
  };
  for (std::size_t slice = 0; slice < what->extent.z; ++slice) {
    const Error error =
        copy_rows(at(what->to, what->to_position, slice), what->to.pitch, at(what->from, what->from_position, slice),
                  what->from.pitch, what->extent.x, what->extent.y, what->kind, on);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace

extern "C" {

int cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind) { return copy(to, from, bytes, kind); }
int cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, void* stream) {
  return copy(to, from, bytes, kind, asynchronous("cudaMemcpyAsync", stream));
}
int cudaMemcpyPeer(void* to, int /*to_device*/, const void* from, int /*from_device*/, std::size_t bytes) {
  return copy(to, from, bytes, Default, {"cudaMemcpyPeer"});
}
int cudaMemcpyPeerAsync(void* to, int /*to_device*/, const void* from, int /*from_device*/, std::size_t bytes,
                        void* stream) {
  return copy(to, from, bytes, Default, asynchronous("cudaMemcpyPeerAsync", stream));
}
int cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                 std::size_t height, int kind) {
  return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, {"cudaMemcpy2D"});
}
int cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                      std::size_t height, int kind, void* stream) {
  return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, asynchronous("cudaMemcpy2DAsync", stream));
}
int cudaMemcpy3D(const Copy3D* what) { return copy_volume(what, {"cudaMemcpy3D"}); }
int cudaMemcpy3DAsync(const Copy3D* what, void* stream) {
  return copy_volume(what, asynchronous("cudaMemcpy3DAsync", stream));
}

int cudaMemset(void* to, int value, std::size_t bytes) { return set(to, value, bytes); }
int cudaMemsetAsync(void* to, int value, std::size_t bytes, void* stream) {
  return set(to, value, bytes, asynchronous("cudaMemsetAsync", stream));
}
int cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return set_rows(to, pitch, value, width, height, {"cudaMemset2D"});
}
int cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height, void* stream) {
  return set_rows(to, pitch, value, width, height, asynchronous("cudaMemset2DAsync", stream));
}

int cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int /*kind*/) {
  return copy_symbol(symbol, const_cast<void*>(from), bytes, offset, true,
                     {"cudaMemcpyToSymbol"});  // NOLINT: only read
}
int cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes, std::size_t offset, int /*kind*/,
                            void* stream) {
  return copy_symbol(symbol, const_cast<void*>(from), bytes, offset, true,
                     asynchronous("cudaMemcpyToSymbolAsync", stream));  // NOLINT: only read
}
int cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset, int /*kind*/) {
  return copy_symbol(symbol, to, bytes, offset, false, {"cudaMemcpyFromSymbol"});
}
int cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes, std::size_t offset, int /*kind*/,
                              void* stream) {
  return copy_symbol(symbol, to, bytes, offset, false, asynchronous("cudaMemcpyFromSymbolAsync", stream));
}
int cudaGetSymbolAddress(void** address, const void* symbol) {
  Call call;
  ambit::virtual_gpu::Symbol found;
  const Error error = call.session.find_symbol(symbol, found);
  if (error != cudaSuccess) return call.session.note(error);
  *address = reinterpret_cast<void*>(found.address);
  return cudaSuccess;
}
int cudaGetSymbolSize(std::size_t* size, const void* symbol) {
  Call call;
  ambit::virtual_gpu::Symbol found;
  const Error error = call.session.find_symbol(symbol, found);
  if (error != cudaSuccess) return call.session.note(error);
  *size = found.bytes;
  return cudaSuccess;
}

}  // extern "C"
