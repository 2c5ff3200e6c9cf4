"""Runs the code of a notebook with the plain interpreter and compares its outputs with the outputs in the notebook.

notebook.py NOTEBOOK    exit status 1 if an output differs; with AMBIT_WRITE_GOLDENS set, stores the outputs instead

A cell's output is its printed text, then its last expression, as in Jupyter. Pictures depend on Graphviz's version and
fonts, so only their kind is compared.
"""

import ast
import contextlib
import io
import json
import os
import pathlib
import sys

KINDS = {"text/html": "_repr_html_", "image/svg+xml": "_repr_svg_"}


def lines(text):
    return text.splitlines(keepends=True)


def shown(value):
    data = {"text/plain": lines(repr(value))}
    for kind, method in KINDS.items():
        form = getattr(value, method, None)
        text = form() if form else None
        if text is not None:
            data[kind] = lines(text)
    return {"data": data, "execution_count": None, "metadata": {}, "output_type": "execute_result"}


def run(source, names):
    """Returns the outputs of one cell."""
    body = ast.parse(source).body
    last = ast.Expression(body.pop().value) if body and isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
        value = eval(compile(last, "<cell>", "eval"), names) if last else None
    outputs = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines(printed.getvalue())})
    if value is not None:
        outputs.append(shown(value))
    return outputs


def comparable(outputs):
    """Returns the parts of an output that must be equal: its texts, and the kind of every picture."""
    result = []
    for output in outputs:
        if output["output_type"] == "stream":
            result.append("".join(output["text"]))
        else:
            data = output["data"]
            result.append(("".join(data["text/plain"]), sorted(set(data) - {"image/svg+xml"})))
    return result


def main(arguments):
    write = bool(os.environ.get("AMBIT_WRITE_GOLDENS"))
    path = pathlib.Path(arguments[0]).resolve()
    notebook = json.loads(path.read_text())
    os.chdir(path.parent)
    names = {"__name__": "__main__"}
    failures = 0
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] != "code":
            continue
        outputs = run("".join(cell["source"]), names)
        if write:
            cell["outputs"] = outputs
        elif comparable(outputs) != comparable(cell["outputs"]):
            failures += 1
            print(f"cell {number}: expected\n{comparable(cell['outputs'])}\nfound\n{comparable(outputs)}\n")
    if write:
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
