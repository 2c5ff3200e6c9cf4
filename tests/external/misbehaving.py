#!/usr/bin/env python3
"""A detector program that fails in the way that its argument names (tests/external)."""
import os
import signal
import sys
import time

way = sys.argv[1]
runs = 0
run = ""
for line in sys.stdin:
    if line.startswith("run "):
        run = line.split()[1]
    if not line.startswith("end "):
        continue
    runs += 1
    if way == "crash" and runs == 7:
        os.kill(os.getpid(), signal.SIGSEGV)
    if way == "raise" and runs == 7:
        raise ValueError("the seventh run")
    if way == "lie":
        print('{"race": [0, 1000000000]}')
    if way == "silent":
        time.sleep(1000)
    if way == "rubbish":
        print("hello")
    if way == "other-run":
        run = "99"
    if way == "flood":
        print('{"remark": "x"}\n' * 2000)
    if way == "gave-up":
        print('{"gave_up": "no more entries"}')
    if way == "deaf":
        os.close(0)
        time.sleep(1000)
    print('{"end": %s}' % run, flush=True)
if way == "farewell":
    open(sys.argv[2], "w").close()
