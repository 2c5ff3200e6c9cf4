#include "generate/shapes.h"

namespace ambit::generate {
namespace {

constexpr int x = 0, y = 1, z = 2;

Step read(int location, int register_) {
  Step step;
  step.kind = Step::Kind::Read;
  step.location = location;
  step.register_ = register_;
  return step;
}
Step read_if(int guard, int location, int register_) {
  Step step = read(location, register_);
  step.guard = guard;
  return step;
}
Step write(int location, int value) {
  Step step;
  step.kind = Step::Kind::Write;
  step.location = location;
  step.value = value;
  return step;
}
Step write_if(int guard, int location, int value) {
  Step step = write(location, value);
  step.guard = guard;
  return step;
}
Clause reg(int index, int value) { return {true, index, value}; }
Clause final_value(int location, int value) { return {false, location, value}; }

}  // namespace

std::vector<Shape> two_thread_shapes() {
  return {
      {"MP",
       "Message passing: the flag is seen, the data is not.",
       {{write(x, 1), write(y, 1)}, {read(y, 0), read(x, 1)}},
       {reg(0, 1), reg(1, 0)}},
      {"SB",
       "Store buffering: both threads miss the other's write.",
       {{write(x, 1), read(y, 0)}, {write(y, 1), read(x, 1)}},
       {reg(0, 0), reg(1, 0)}},
      {"LB",
       "Load buffering: both threads see a write that comes later.",
       {{read(x, 0), write(y, 1)}, {read(y, 1), write(x, 1)}},
       {reg(0, 1), reg(1, 1)}},
      {"S",
       "A write that follows the sight of a flag is overtaken.",
       {{write(x, 2), write(y, 1)}, {read(y, 0), write(x, 1)}},
       {reg(0, 1), final_value(x, 2)}},
      {"R",
       "A write wins the race for y, yet its thread misses the other's x.",
       {{write(x, 1), write(y, 1)}, {write(y, 2), read(x, 0)}},
       {final_value(y, 2), reg(0, 0)}},
      {"2+2W",
       "Two pairs of writes, each first one last.",
       {{write(x, 1), write(y, 2)}, {write(y, 1), write(x, 2)}},
       {final_value(x, 1), final_value(y, 1)}},
  };
}

std::vector<Shape> wide_shapes() {
  return {
      {"WRC",
       "Write to read causality.",
       {{write(x, 1)}, {read(x, 0), write(y, 1)}, {read(y, 1), read(x, 2)}},
       {reg(0, 1), reg(1, 1), reg(2, 0)}},
      {"RWC",
       "Read to write causality.",
       {{write(x, 1)}, {read(x, 0), read(y, 1)}, {write(y, 1), read(x, 2)}},
       {reg(0, 1), reg(1, 0), reg(2, 0)}},
      {"ISA2",
       "Message passing through a third thread.",
       {{write(x, 1), write(y, 1)}, {read(y, 0), write(z, 1)}, {read(z, 1), read(x, 2)}},
       {reg(0, 1), reg(1, 1), reg(2, 0)},
       3},
      {"Z6.0",
       "A flag is seen, a write is overtaken, a read misses.",
       {{write(x, 1), write(y, 1)}, {read(y, 0), write(z, 1)}, {write(z, 2), read(x, 1)}},
       {reg(0, 1), final_value(z, 2), reg(1, 0)},
       3},
      {"Z6.1",
       "Two writes are overtaken, a flag is seen.",
       {{write(x, 2), write(y, 1)}, {write(y, 2), write(z, 1)}, {read(z, 0), write(x, 1)}},
       {final_value(y, 2), reg(0, 1), final_value(x, 2)},
       3},
      {"Z6.2",
       "Two flags are seen, a write is overtaken.",
       {{write(x, 2), write(y, 1)}, {read(y, 0), write(z, 1)}, {read(z, 1), write(x, 1)}},
       {reg(0, 1), reg(1, 1), final_value(x, 2)},
       3},
      {"Z6.3",
       "A write is overtaken, a flag is seen, a read misses.",
       {{write(x, 1), write(y, 1)}, {write(y, 2), write(z, 1)}, {read(z, 0), read(x, 1)}},
       {final_value(y, 2), reg(0, 1), reg(1, 0)},
       3},
      {"Z6.4",
       "A write is overtaken, two reads miss.",
       {{write(x, 1), write(y, 1)}, {write(y, 2), read(z, 0)}, {write(z, 1), read(x, 1)}},
       {final_value(y, 2), reg(0, 0), reg(1, 0)},
       3},
      {"Z6.5",
       "Two writes are overtaken, a read misses.",
       {{write(x, 1), write(y, 1)}, {write(y, 2), write(z, 1)}, {write(z, 2), read(x, 0)}},
       {final_value(y, 2), final_value(z, 2), reg(0, 0)},
       3},
      {"IRIW",
       "Independent reads of independent writes: two readers see them in opposite orders.",
       {{write(x, 1)}, {write(y, 1)}, {read(x, 0), read(y, 1)}, {read(y, 2), read(x, 3)}},
       {reg(0, 1), reg(1, 0), reg(2, 1), reg(3, 0)}},
  };
}

std::vector<Shape> coherence_shapes() {
  return {
      {"CoRR",
       "Two reads of one location go back in time.",
       {{write(x, 1)}, {read(x, 0), read(x, 1)}},
       {reg(0, 1), reg(1, 0)},
       1},
      {"CoWR",
       "A thread reads a write that its own write has overwritten.",
       {{write(x, 1), read(x, 0)}, {write(x, 2)}},
       {reg(0, 2), final_value(x, 1)},
       1},
      {"CoRW1", "A thread reads its own later write.", {{read(x, 0), write(x, 1)}}, {reg(0, 1)}, 1},
      {"CoRW2",
       "A thread reads a write that comes after its own later one.",
       {{read(x, 0), write(x, 1)}, {write(x, 2)}},
       {reg(0, 2), final_value(x, 2)},
       1},
      {"CoWW", "A thread's two writes in the wrong order.", {{write(x, 1), write(x, 2)}}, {final_value(x, 1)}, 1},
  };
}

std::vector<Shape> guarded_shapes() {
  return {
      {"MP+if",
       "Message passing; the data is read only if the flag is seen.",
       {{write(x, 1), write(y, 1)}, {read(y, 0), read_if(0, x, 1)}},
       {reg(0, 1), reg(1, 0)}},
      {"S+if",
       "The data is overwritten only if the flag is seen.",
       {{write(x, 2), write(y, 1)}, {read(y, 0), write_if(0, x, 1)}},
       {reg(0, 1), final_value(x, 2)}},
      {"ISA2+if",
       "Message passing through a third thread; each step is taken only if the flag before it is seen.",
       {{write(x, 1), write(y, 1)}, {read(y, 0), write_if(0, z, 1)}, {read(z, 1), read_if(1, x, 2)}},
       {reg(0, 1), reg(1, 1), reg(2, 0)},
       3},
  };
}

}  // namespace ambit::generate
