#ifndef AMBIT_DETECTOR_PLUGIN_H
#define AMBIT_DETECTOR_PLUGIN_H

/* The C interface of race detectors in shared libraries (docs/detectors/protocol.md):
 *
 *   ambit validate litmus/scor --detector ./mydetector.so
 *
 * Ambit loads the library in a child process and passes it one run after the other. A library exports one function,
 * ambit_detector_plugin(). All calls come from one thread. Every pointer that Ambit passes belongs to Ambit.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The version of this interface. Ambit refuses a library with another version. */
#define AMBIT_DETECTOR_VERSION 1u
/** An absent thread, location or source place. */
#define AMBIT_NONE 0xffffffffu
/** The event number in an ambit_side if the detector does not record the event. */
#define AMBIT_NO_EVENT UINT64_MAX
/** The mask of a warp barrier that all lanes join. */
#define AMBIT_ALL_LANES 0xffffffffu

/** The kind of an event (docs/reference/traces.md). */
enum ambit_operation {
  AMBIT_READ = 0,
  AMBIT_WRITE = 1,
  AMBIT_RMW = 2,       /**< read-modify-write; with AMBIT_FAILED: a failed compare-exchange, which wrote nothing */
  AMBIT_REDUCTION = 3, /**< read-modify-write whose old value is not used */
  AMBIT_FENCE = 4,
  AMBIT_BARRIER = 5, /**< arrival at a barrier; `scope` says whether it is a barrier of the block, cluster or grid */
  AMBIT_WARP_BARRIER = 6,
  AMBIT_ACQUIRE = 7, /**< acquisition of an explicit lock */
  AMBIT_RELEASE = 8,
  AMBIT_FORK = 9,
  AMBIT_JOIN = 10,
  AMBIT_EXIT = 11
};

/** The operation of a read-modify-write. */
enum ambit_rmw {
  AMBIT_RMW_UNKNOWN = 0,
  AMBIT_RMW_ADD = 1,
  AMBIT_RMW_SUB = 2,
  AMBIT_RMW_EXCH = 3,
  AMBIT_RMW_MIN = 4,
  AMBIT_RMW_MAX = 5,
  AMBIT_RMW_INC = 6,
  AMBIT_RMW_DEC = 7,
  AMBIT_RMW_AND = 8,
  AMBIT_RMW_OR = 9,
  AMBIT_RMW_XOR = 10,
  AMBIT_RMW_CAS = 11
};

enum ambit_order {
  AMBIT_WEAK = 0, /**< a plain access */
  AMBIT_RELAXED = 1,
  AMBIT_ACQUIRES = 2,
  AMBIT_RELEASES = 3,
  AMBIT_ACQ_REL = 4,
  AMBIT_SEQ_CST = 5
};

enum ambit_scope {
  AMBIT_SCOPE_THREAD = 0,
  AMBIT_SCOPE_BLOCK = 1,
  AMBIT_SCOPE_CLUSTER = 2,
  AMBIT_SCOPE_DEVICE = 3,
  AMBIT_SCOPE_SYSTEM = 4
};

enum ambit_event_flag {
  AMBIT_VOLATILE = 1,
  AMBIT_FAILED = 2,
  AMBIT_HAS_VALUE = 4,
  AMBIT_HAS_OLD_VALUE = 8,
  AMBIT_ARRIVES_ONLY = 16 /**< a barrier arrival that does not wait */
};

/** One event of a run: 40 bytes, the record of binary traces. Fields refer to names by their index in ambit_names. */
typedef struct ambit_event {
  uint8_t operation; /**< enum ambit_operation */
  uint8_t rmw;       /**< enum ambit_rmw */
  uint8_t order;     /**< enum ambit_order */
  uint8_t scope;     /**< enum ambit_scope; for atomic accesses, fences, locks and barriers */
  uint8_t flags;     /**< flags of type enum ambit_event_flag */
  uint8_t reserved[3];
  uint32_t thread;
  uint32_t object; /**< location or lock; barrier number; the other thread of a fork or join; otherwise AMBIT_NONE */
  uint32_t place;  /**< source place, or AMBIT_NONE */
  uint32_t count;  /**< barrier: number of expected threads, 0 for all; warp barrier: mask of lanes */
  int64_t value;   /**< value read; for an event that reads nothing, the value written */
  int64_t old_value;
} ambit_event;

typedef struct ambit_thread {
  const char* name; /**< "b0t5" */
  uint32_t gpu;
  uint32_t cluster; /**< index in the grid */
  uint32_t block;   /**< index in the grid */
  uint32_t index;   /**< index in the block */
  uint32_t warp;    /**< index in the block */
  uint32_t lane;
} ambit_thread;

/** The initial value of a location. */
enum ambit_initial { AMBIT_INITIAL_DEFAULT = 0, AMBIT_INITIAL_VALUE = 1, AMBIT_INITIAL_UNKNOWN = 2 };

typedef struct ambit_location {
  const char* name;   /**< "x", "data[3]", "b0:s[1]", "0x7f00" */
  uint32_t object;    /**< locations of one variable have the same number */
  uint32_t is_shared; /**< 1 for shared memory, 0 for global memory */
  uint32_t gpu;       /**< for shared memory: GPU of the block that owns the memory */
  uint32_t block;     /**< for shared memory: the block that owns the memory */
  uint32_t size;      /**< bytes */
  uint32_t initial;   /**< enum ambit_initial */
  uint64_t offset;    /**< bytes from the start of the variable */
  int64_t initial_value;
} ambit_location;

/** The names of a run. The arrays grow during the run; each call receives the names of all its events. */
typedef struct ambit_names {
  const ambit_thread* threads;
  const ambit_location* locations;
  const char* const* places; /**< "kernel.cu:18" */
  size_t thread_count;
  size_t location_count;
  size_t place_count;
} ambit_names;

/** The shape of the launch. */
typedef struct ambit_launch {
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t warp;
  uint32_t cluster;
  uint32_t gpus;
  uint32_t only_named_threads; /**< 1 if only threads with a name exist (CPU programs, litmus tests) */
} ambit_launch;

typedef struct ambit_run {
  const char* test; /**< name of the test, or file of the trace */
  uint64_t number;
  ambit_launch launch;
  const ambit_names* names; /**< valid until the run ends; read the pointer again in each call */
} ambit_run;

/** An option that the user gave: -O NAME.OPTION=VALUE. */
typedef struct ambit_option {
  const char* name;
  const char* value;
} ambit_option;

/** One side of a race. If `event` is known, Ambit takes the other fields from the event. */
typedef struct ambit_side {
  uint64_t event;  /**< 0-based number in the run, or AMBIT_NO_EVENT */
  uint32_t thread; /**< thread number, or AMBIT_NONE if the detector does not record the thread */
  uint32_t place;  /**< place in the source, or AMBIT_NONE */
  uint32_t is_write;
  uint32_t is_atomic;
} ambit_side;

typedef struct ambit_race {
  ambit_side first;
  ambit_side second;
  uint32_t location; /**< location number, or AMBIT_NONE; ignored if the `event` of a side is known */
  const char* kind;  /**< kind of race, in the words of the protocol: "missing fence"; or NULL */
  const char* why;   /**< an explanation in one sentence, or NULL */
  uint64_t count;    /**< how often the detector found the race; 0 means 1 */
} ambit_race;

/** Functions that a detector may call during a run, from events() and finish(). Texts are copied. */
typedef struct ambit_host {
  void* context;
  void (*race)(void* context, const ambit_race* race);
  void (*gave_up)(void* context, const char* reason); /**< reports that the detector did not examine some accesses */
  void (*remark)(void* context, const char* text);
} ambit_host;

/** A detector. All functions are required. */
typedef struct ambit_detector {
  uint32_t version;    /**< AMBIT_DETECTOR_VERSION */
  uint32_t event_size; /**< sizeof(ambit_event) */
  /** Begins a run. `run` and `host` are valid until destroy(). Returns NULL if the detector cannot judge the run. */
  void* (*create)(const ambit_run* run, const ambit_host* host, const ambit_option* options, size_t option_count);
  /** Receives the next events of the run. */
  void (*events)(void* self, const ambit_event* events, size_t count);
  /** Ends the run. */
  void (*finish)(void* self);
  void (*destroy)(void* self);
} ambit_detector;

/** The function that a detector library exports. */
const ambit_detector* ambit_detector_plugin(void);

#ifdef __cplusplus
}
#endif

#endif
