#!/usr/bin/env python3
"""Tests `ambit mcp` with a client of its own: test_mcp.py PROGRAM [TEST...]"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from client import Client
from protocol import violations
from schema import errors_of, validate

PROGRAM = ""
HAS_NVCC = bool(shutil.which("nvcc")) or pathlib.Path("/usr/local/cuda/bin/nvcc").exists()
KERNELS = pathlib.Path(__file__).resolve().parent / "kernels"
TOOLS = ["judge", "judge_suite", "check", "explain", "fix", "exec", "search_docs"]
MESSAGE_PASSING = """CUDA MP
{ global int x = 0; global int flag = 0; }
P0 @ block 0 { x = 1; store(flag, 1, relaxed, device); }
P1 @ block 1 { int r0 = load(flag, relaxed, device); int r1 = x; }
exists (P1:r0 == 1 && P1:r1 == 0)
"""
# A thread that never ends.
ENDLESS_PTX = """.version 7.0
.target sm_70
.address_size 64
.visible .entry endless(.param .u64 p)
{
  .reg .u64 %rd<2>;
  .reg .u32 %r<2>;
  ld.param.u64 %rd1, [p];
LOOP:
  ld.volatile.global.u32 %r1, [%rd1];
  add.u32 %r1, %r1, 1;
  st.volatile.global.u32 [%rd1], %r1;
  bra LOOP;
}
"""


class Protocol(unittest.TestCase):
    """Revision 2025-06-18 of the protocol: lifecycle, tools, ping, errors, cancellation."""

    def setUp(self):
        self.client = Client(PROGRAM)
        self.addCleanup(self.close)

    def close(self):
        self.assertEqual(self.client.close(), 0)

    def error_of(self, method, parameters=None):
        answer = self.client.request(method, parameters)
        self.assertNotIn("result", answer)
        self.assertIsInstance(answer["error"]["message"], str)
        return answer["error"]["code"]

    def test_initialize_agrees_on_a_revision(self):
        self.assertEqual(self.client.about["protocolVersion"], "2025-06-18")
        self.assertEqual(self.client.about["serverInfo"]["name"], "ambit")
        self.assertIn("tools", self.client.about["capabilities"])
        for wanted, agreed in [("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-06-18"), ("2099-01-01", "2025-06-18")]:
            other = Client(PROGRAM, revision=wanted)
            self.assertEqual(other.about["protocolVersion"], agreed)
            self.assertEqual(other.close(), 0)

    def test_requests_before_initialize_are_refused_except_ping(self):
        client = Client(PROGRAM, initialize=False)
        self.assertEqual(client.request("ping")["result"], {})
        self.assertIn("error", client.request("tools/list"))
        self.assertIn("error", client.request("initialize", {}))  # no protocolVersion
        self.assertEqual(client.close(), 0)

    def test_ping(self):
        self.assertEqual(self.client.request("ping")["result"], {})

    def test_tools_have_schemas(self):
        tools = self.client.request("tools/list")["result"]["tools"]
        self.assertEqual([tool["name"] for tool in tools], TOOLS)
        for tool in tools:
            self.assertEqual(tool["inputSchema"]["type"], "object")
            self.assertTrue(tool["description"])
            for argument in tool["inputSchema"]["properties"].values():
                self.assertTrue(argument["description"])

    def test_arguments_are_checked_like_the_schema_says(self):
        tools = {tool["name"]: tool for tool in self.client.request("tools/list")["result"]["tools"]}
        cases = [
            ("judge", {"text": 5}),
            ("judge", {"text": "x", "unroll": -1}),
            ("judge", {"text": "x", "timeout": 0}),
            ("judge", {"text": "x", "models": "ptx"}),
            ("check", {"text": "x", "models": [1]}),
            ("fix", {"text": "x", "race": "yes"}),
            ("exec", {"text": "x", "colour": "red"}),
            ("search_docs", {"query": 1}),
            ("search_docs", {}),
            ("search_docs", {"query": "x", "limit": 0}),
        ]
        for name, arguments in cases:
            self.assertTrue(errors_of(arguments, tools[name]["inputSchema"]), arguments)
            self.assertEqual(self.error_of("tools/call", {"name": name, "arguments": arguments}), -32602, arguments)

    def test_input_is_a_file_or_a_text(self):
        for arguments in [{}, {"file": "a.cu", "text": "x"}, {"file": "--help"}, {"file": ""}]:
            self.assertEqual(self.error_of("tools/call", {"name": "judge", "arguments": arguments}), -32602)
        for name in ["", "-x.cu", "..", ".hidden", "a/.."]:
            arguments = {"text": "x", "name": name}
            self.assertEqual(self.error_of("tools/call", {"name": "judge", "arguments": arguments}), -32602)

    def test_unknown_names(self):
        self.assertEqual(self.error_of("tools/call", {"name": "rm", "arguments": {}}), -32602)
        self.assertEqual(self.error_of("tools/call", {"arguments": {}}), -32602)
        self.assertEqual(self.error_of("tools/call"), -32602)
        self.assertEqual(self.error_of("resources/list"), -32601)

    def test_malformed_messages(self):
        cases = [
            (b"{", -32700),
            (b"\xff\xfe", -32700),
            (b"[]", -32600),
            (b"[{}]", -32600),
            (b"7", -32600),
            (b'{"jsonrpc": "2.0", "id": 1}', -32600),
            (b'{"jsonrpc": "2.0", "id": 1, "method": 7}', -32600),
            (b'{"jsonrpc": "2.0", "id": [], "method": "ping"}', -32600),
            (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": []}', -32602),
            (b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": 3}', -32602),
            (b'{"a":' * 100000, -32700),  # deep nesting
            (b" " * 10 + b"x" * (17 << 20), -32600),
        ]
        for text, code in cases:
            self.client.write(text + b"\n")
            answer = self.client.receive()
            self.assertEqual(answer["error"]["code"], code, text[:60])
        # The server does not answer responses, notifications or blank lines.
        for text in [b"", b"  ", b'{"jsonrpc": "2.0", "id": 9, "result": {}}', b'{"jsonrpc": "2.0", "method": "no"}',
                     b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": []}',
                     b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 77}}']:
            self.client.write(text + b"\n")
        self.assertEqual(self.client.request("ping")["result"], {})

    def test_an_id_in_use_is_refused(self):
        call = {"jsonrpc": "2.0", "id": "a", "method": "tools/call",
                "params": {"name": "exec", "arguments": self.endless()}}
        self.client.send(call)
        self.client.send(call)
        self.assertEqual(self.client.receive()["error"]["code"], -32600)
        self.client.notify("notifications/cancelled", {"requestId": "a"})

    def endless(self):
        return {"text": ENDLESS_PTX, "name": "endless.ptx", "launch": "endless<<<1, 1>>>(int[1])", "timeout": 60}

    def seconds_to_cancel(self):
        # Four calls run at the same time. If the server did not stop cancelled calls, the search would wait for them.
        numbers = [self.client.start("tools/call", {"name": "exec", "arguments": self.endless()}) for _ in range(4)]
        time.sleep(1)
        begin = time.monotonic()
        for number in numbers:
            self.client.notify("notifications/cancelled", {"requestId": number, "reason": "test"})
        result = self.client.call("search_docs", query="acquire pattern")
        elapsed = time.monotonic() - begin
        self.assertFalse(result["isError"])
        self.assertEqual(self.client.others, {})  # no answer to a cancelled call
        return elapsed

    def test_cancelled_calls_end(self):
        # On a machine without other work, cancelling takes less than half a second. A call that is not cancelled takes
        # a minute.
        self.assertLess(self.seconds_to_cancel(), 30)

    def test_the_end_of_the_input_ends_calls(self):
        client = Client(PROGRAM)
        client.start("tools/call", {"name": "exec", "arguments": self.endless()})
        time.sleep(0.5)
        begin = time.monotonic()
        self.assertEqual(client.close(), 0)
        self.assertLess(time.monotonic() - begin, 30)  # as above


class Violations(unittest.TestCase):
    """The client rejects messages that violate the protocol."""

    def test_wrong_messages(self):
        text = {"type": "text", "text": "x"}
        cases = [
            ("tools/call", {"jsonrpc": "2.0", "id": 1, "result": {"isError": False}}),
            ("tools/call", {"jsonrpc": "2.0", "id": 1, "result": {"content": [text], "is_error": False}}),
            ("tools/call", {"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text"}]}}),
            ("tools/call", {"jsonrpc": "1.0", "id": 1, "result": {"content": [text]}}),
            ("tools/call", {"jsonrpc": "2.0", "result": {"content": [text]}}),
            ("tools/list", {"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "check"}]}}),
            ("initialize", {"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": "2025-06-18"}}),
            ("ping", {"jsonrpc": "2.0", "id": 1, "error": {"code": "1", "message": "x"}}),
            ("unknown", {"jsonrpc": "2.0", "id": 1, "result": {}}),
        ]
        for method, answer in cases:
            self.assertTrue(violations(answer, method), answer)
        self.assertEqual(violations({"jsonrpc": "2.0", "id": 1, "result": {"content": [text]}}, "tools/call"), [])


class Tools(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = Client(PROGRAM)

    @classmethod
    def tearDownClass(cls):
        assert cls.client.close() == 0

    def document(self, tool, **arguments):
        result = self.client.call(tool, **arguments)
        self.assertFalse(result["isError"], result)
        self.assertEqual(json.loads(result["content"][0]["text"]), result["structuredContent"])
        return result["structuredContent"]

    def test_check(self):
        document = self.document("check", text=MESSAGE_PASSING, name="mp.litmus", models=["ptx"])
        self.assertTrue(document["tests"][0]["results"][0]["race"])

    @unittest.skipUnless(HAS_NVCC, "no nvcc compiles the kernels")
    def test_judge_suite(self):
        tasks = pathlib.Path(__file__).resolve().parents[1] / "judge_suite" / "tasks"
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(tasks / "saxpy", pathlib.Path(folder) / "saxpy")
            document = self.document("judge_suite", timeout=200, folder=folder)
        validate(document, "judge-suite.schema.json")
        self.assertEqual([task["task"] for task in document["tasks"]], ["saxpy"])

    def test_judge_suite_needs_a_folder_of_tasks(self):
        answer = self.client.request("tools/call", {"name": "judge_suite", "arguments": {"models": ["ptx"]}})
        self.assertEqual(answer["error"]["message"], "expected the argument 'folder'")
        result = self.client.call("judge_suite", folder="/nowhere")
        self.assertTrue(result["isError"])
        self.assertIn("/nowhere", result["content"][0]["text"])

    def test_explain(self):
        result = self.client.call("explain", text=MESSAGE_PASSING, name="mp.litmus", model="ptx", race=True)
        self.assertFalse(result["isError"])
        self.assertIn("race", result["content"][0]["text"])

    def test_fix(self):
        document = self.document("fix", text=MESSAGE_PASSING, name="mp.litmus", model="ptx", race=True)
        self.assertEqual(document["state"], "found")
        self.assertIn("--- mp.litmus", document["proposals"][0]["diff"])

    def test_exec(self):
        ptx = ENDLESS_PTX.replace("  bra LOOP;\n", "  ret;\n")
        document = self.document("exec", text=ptx, name="k.ptx", launch="endless<<<2, 1>>>(int[1])", runs=2)
        self.assertEqual(document["format"], 1)
        self.assertEqual(document["runs"], 2)

    def test_judge_by_file(self):
        document = self.document("judge", file=str(KERNELS / "shift.cu"), models=["ptx"])
        validate(document, "judge.schema.json")
        self.assertEqual(document["judged"][0]["verdict"], "race")

    def test_errors_of_the_input_are_results(self):
        result = self.client.call("check", file="no/such.cu", models=["nonsense"])
        self.assertTrue(result["isError"])
        self.assertIn("nonsense", result["content"][0]["text"])

    def test_search_docs(self):
        document = self.client.call("search_docs", query="out of bounds virtual GPU", limit=3)["structuredContent"]
        self.assertEqual(len(document["sections"]), 3)
        document = self.client.call("search_docs", query="ambit judge")["structuredContent"]
        self.assertIn("judge", document["sections"][0]["path"] + document["sections"][0]["heading"])
        self.assertEqual(
            self.client.call("search_docs", query="qqqqzzzz")["structuredContent"], {"sections": []}
        )


class Loop(unittest.TestCase):
    """An agent's loop: judge, apply the patch, judge again."""

    def judge(self, client, file):
        result = client.call("judge", file=file, models=["ptx", "cuda-cpp"])
        document = result["structuredContent"]
        validate(document, "judge.schema.json")
        return document

    def test_a_racy_kernel_becomes_clean(self):
        with tempfile.TemporaryDirectory() as folder:
            kernel = pathlib.Path(folder) / "shift.cu"
            kernel.write_text((KERNELS / "shift.cu").read_text())
            client = Client(PROGRAM, folder)
            first = self.judge(client, "shift.cu")
            self.assertEqual(first["status"], 1)
            self.assertEqual([one["verdict"] for one in first["judged"]], ["race", "race"])
            # As the comment in the kernel says, the race is between the write of tile[...] in line 4 and the read in
            # line 5.
            self.assertEqual({place["line"] for place in first["judged"][0]["places"]}, {4, 5})
            patch = first["judged"][0]["patch"]
            self.assertGreaterEqual(len(patch["confirmed_by"]), 1)
            subprocess.run(["patch", "-p0"], input=patch["diff"].encode(), cwd=folder, check=True,
                           stdout=subprocess.DEVNULL)
            self.assertIn("__syncthreads()", kernel.read_text())
            second = self.judge(client, "shift.cu")
            self.assertEqual(second["status"], 0)
            self.assertEqual([one["verdict"] for one in second["judged"]], ["no race", "no race"])
            self.assertEqual(client.close(), 0)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
