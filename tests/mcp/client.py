"""A client of the Model Context Protocol over the standard streams of `ambit mcp`."""

import json
import queue
import subprocess
import threading

from protocol import violations


class Client:
    def __init__(self, program, folder=None, revision="2025-06-18", initialize=True):
        self.process = subprocess.Popen(
            [program, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder
        )
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.next_id = 0
        self.methods = {}  # the method of each request
        self.others = {}
        if initialize:
            self.about = self.request(
                "initialize",
                {"protocolVersion": revision, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
            )["result"]
            self.notify("notifications/initialized")

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        self.write(json.dumps(message).encode() + b"\n")

    def receive(self, timeout=60):
        line = self.lines.get(timeout=timeout)
        assert line is not None, "the server closed its output"
        assert line.endswith(b"\n") and b"\n" not in line[:-1]
        message = json.loads(line)
        found = violations(message, self.methods.get(message.get("id")))
        assert not found, found
        return message

    def start(self, method, parameters=None):
        """Sends a request, and returns its id."""
        self.next_id += 1
        self.methods[self.next_id] = method
        message = {"jsonrpc": "2.0", "id": self.next_id, "method": method}
        if parameters is not None:
            message["params"] = parameters
        self.send(message)
        return self.next_id

    def answer(self, number, timeout=60):
        """Returns the answer to a request. Keeps the answers to other requests."""
        while number not in self.others:
            message = self.receive(timeout)
            self.others[message["id"]] = message
        return self.others.pop(number)

    def request(self, method, parameters=None, timeout=60):
        return self.answer(self.start(method, parameters), timeout)

    def notify(self, method, parameters=None):
        self.send({"jsonrpc": "2.0", "method": method, "params": parameters or {}})

    def call(self, tool, timeout=90, **arguments):
        """Calls a tool, and returns its result."""
        answer = self.request("tools/call", {"name": tool, "arguments": arguments}, timeout)
        assert "result" in answer, answer
        return answer["result"]

    def close(self):
        """Closes the server's input, and returns its exit status."""
        self.process.stdin.close()
        status = self.process.wait(10)
        self.process.stdout.close()
        self.process.stderr.close()
        return status
