struct Node { int value; Node *next; };
union Both { int i; unsigned u; };
struct Base { int a; };
struct Derived : Base { int b; };
struct Made { int a; __device__ Made() { a = 1; } };
struct Counted { int a; static int count; };
struct Plain { int a; int rows[2]; };
__device__ Node node;
__device__ Both both;
__device__ Derived derived;
__device__ Made made;
__device__ Counted counted;
__device__ Plain plain[2] = {1, 2};
__global__ void kernel() { node.value = both.i + derived.b + made.a + counted.a + plain[0].a; }
// ambit: launch kernel<<<1, 1>>>();
