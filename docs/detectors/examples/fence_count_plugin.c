/* A race detector as a plugin: gcc -O2 -shared -fPIC -Iinclude -o fence_count.so fence_count_plugin.c
 *   ambit validate litmus/scor --detector ./fence_count.so
 * Reports an access if another thread wrote the location last and has executed no fence or barrier since. */
#include <ambit/detector_plugin.h>
#include <stdlib.h>
#include <string.h>

struct write_record {
  uint64_t event;
  uint64_t passed; /* fences and barriers that the thread had executed */
  uint32_t thread;
  int is_atomic;
};

struct detector {
  const ambit_run* run;
  const ambit_host* host;
  uint64_t event;                               /* number of the next event */
  uint64_t* passed;                             /* by thread */
  struct write_record* last;                    /* by location */
  size_t thread_count, location_count;
};

/* Longer memory with the same contents; ends the program where there is none. */
static void* resized(void* memory, size_t bytes) {
  void* longer = realloc(memory, bytes);
  if (longer == NULL) abort();
  return longer;
}

/* Makes room for the names that have come since the last call. */
static void grow(struct detector* self) {
  const ambit_names* names = self->run->names;
  if (names->thread_count > self->thread_count) {
    self->passed = resized(self->passed, names->thread_count * sizeof *self->passed);
    memset(self->passed + self->thread_count, 0, (names->thread_count - self->thread_count) * sizeof *self->passed);
    self->thread_count = names->thread_count;
  }
  if (names->location_count > self->location_count) {
    self->last = resized(self->last, names->location_count * sizeof *self->last);
    for (size_t i = self->location_count; i < names->location_count; ++i) self->last[i].thread = AMBIT_NONE;
    self->location_count = names->location_count;
  }
}

static void report(struct detector* self, uint64_t first) {
  ambit_race race;
  memset(&race, 0, sizeof race);
  race.first.event = first;
  race.second.event = self->event;
  race.location = AMBIT_NONE;
  race.kind = "missing fence";
  self->host->race(self->host->context, &race);
}

static void access_memory(struct detector* self, const ambit_event* event) {
  struct write_record* before = &self->last[event->object];
  const int is_atomic = event->order != AMBIT_WEAK && !(event->flags & AMBIT_VOLATILE);
  const int is_other = before->thread != AMBIT_NONE && before->thread != event->thread;
  if (is_other && before->passed == self->passed[before->thread] && !(is_atomic && before->is_atomic))
    report(self, before->event);
  if (event->operation == AMBIT_READ) return;
  before->event = self->event;
  before->passed = self->passed[event->thread];
  before->thread = event->thread;
  before->is_atomic = is_atomic;
}

static void* create(const ambit_run* run, const ambit_host* host, const ambit_option* options, size_t option_count) {
  (void)options;
  (void)option_count;
  struct detector* self = calloc(1, sizeof *self);
  if (self == NULL) return NULL;
  self->run = run;
  self->host = host;
  return self;
}

static void events(void* detector, const ambit_event* events, size_t count) {
  struct detector* self = detector;
  grow(self);
  for (size_t i = 0; i < count; ++i, ++self->event) {
    if (events[i].operation <= AMBIT_REDUCTION) access_memory(self, &events[i]);
    if (events[i].operation >= AMBIT_FENCE && events[i].operation <= AMBIT_WARP_BARRIER) ++self->passed[events[i].thread];
  }
}

static void finish(void* detector) { (void)detector; }

static void destroy(void* detector) {
  struct detector* self = detector;
  free(self->passed);
  free(self->last);
  free(self);
}

const ambit_detector* ambit_detector_plugin(void) {
  static const ambit_detector kDetector = {AMBIT_DETECTOR_VERSION, sizeof(ambit_event), create, events, finish, destroy};
  return &kDetector;
}
