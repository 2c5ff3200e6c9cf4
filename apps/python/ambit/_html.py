# SPDX-License-Identifier: Apache-2.0
"""Converts results to HTML and SVG for notebooks. Every function takes a result and returns text."""

from html import escape

_GOOD = "color:#1a7f37"
_BAD = "color:#cf222e;font-weight:bold"
_DOUBTFUL = "color:#9a6700"
_TONES = {
    "Ok": _GOOD,
    "NoRace": _GOOD,
    "Terminates": _GOOD,
    "Fail": _BAD,
    "Race": _BAD,
    "Stuck": _BAD,
    "FORBIDDEN": _BAD,
    "Unknown": _DOUBTFUL,
    "?": _DOUBTFUL,
}
_EMPTY = {"NotAsked", "NothingExpected"}


def _cell(text):
    text = str(text)
    if text in _EMPTY:
        text = ""
    tone = _TONES.get(text)
    style = f' style="text-align:left;{tone}"' if tone else ' style="text-align:left"'
    return f"<td{style}>{escape(text)}</td>"


def _table(heads, rows):
    head = "".join(f'<th style="text-align:left">{escape(one)}</th>' for one in heads)
    body = "".join("<tr>" + "".join(_cell(one) for one in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _pre(text):
    return f'<pre style="text-align:left">{escape(text)}</pre>'


def _details(summary, text):
    return f"<details><summary>{escape(summary)}</summary>{_pre(text)}</details>"


def test(self):
    return _pre(self.source)


def check(self):
    rows = []
    for one in self:
        race = one.race
        if one.races:
            race += " on " + ", ".join(dict.fromkeys(each.location for each in one.races if each.location))
        answer = one.ending if one.scheduler else one.answer
        remarks = one.reasons + ([one.unknown] if one.unknown else []) + [each.kind for each in one.incidents]
        rows.append([one.model, one.status, answer, race, "; ".join(remarks)])
    table = _table(["model", "status", "answer", "race", ""], rows)
    return table + "".join(_details(one.model, one.text) for one in self)


def _outcome_rows(result, permission, runs):
    for one in result.outcomes:
        row = [one.values[name] for name in result.observables]
        if runs:
            row.append(one.runs)
        row.append("holds" if one.holds else "")
        row += [permission[one.allowed[model]] for model in result.models]
        yield row


def outcomes(self):
    permission = {True: "yes", False: "-", None: "?"}
    heads = self.observables + ["condition"] + self.models
    notes = [f"{model}: {why}" for model, why in zip(self.models, self.unknown) if why]
    return _table(heads, _outcome_rows(self, permission, runs=False)) + "".join(map(_pre, notes))


def simulation(self):
    permission = {True: "allowed", False: "FORBIDDEN", None: "?"}
    counts = self.runs > 0
    heads = self.observables + (["runs"] if counts else []) + ["condition"] + self.models
    note = f"no other outcome exists; {len(self.outcomes)} in all" if self.is_exhaustive else f"{self.runs} runs"
    return _table(heads, _outcome_rows(self, permission, runs=counts)) + _pre(self.incomplete or note)


def detection(self):
    rows = []
    for one in self.findings:
        races = "; ".join(each.sentence for each in one.races) or one.not_judged
        rows.append([one.detector, one.race, races])
    return _table(["detector", "race", ""], rows)


def svg(self):
    """Returns None if Graphviz is not installed; the notebook then shows the picture's title."""
    try:
        return self.svg()
    except ValueError:
        return None


def explanation(self):
    from ambit import draw

    picture = draw(self)
    drawn = svg(picture) if picture else None
    inline = drawn[drawn.index("<svg") :] if drawn else ""
    return _pre(self.text) + inline
