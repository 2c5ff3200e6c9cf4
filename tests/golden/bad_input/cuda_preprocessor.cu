#define
#define F(a, 1) a
#undef
#defin N 3
#if 1 +
#endif
#ifdef
#elif
#else
#elif 1
#endif
#endif
#if defined
#endif
#define PAIR(a, b) a
int y = PAIR(1);
#error no variant chosen
#if 0
