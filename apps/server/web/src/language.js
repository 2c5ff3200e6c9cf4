// Syntax highlighting of the litmus language. litmus_words.json is generated from core/litmus_words.cpp.
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";
import words from "./litmus_words.json";

const TAGS = { keyword: "keyword", type: "typeName", argument: "propertyName", answer: "atom" };
const tagOf = new Map(Object.entries(TAGS).flatMap(([kind, tag]) => words[kind].map((word) => [word, tag])));

function token(stream, state) {
  if (state.comment) {
    if (stream.skipTo(state.comment)) {
      stream.match(state.comment);
      state.comment = null;
    } else stream.skipToEnd();
    return "comment";
  }
  if (state.string || stream.peek() === '"') {
    if (!state.string) stream.next();
    state.string = true;
    while (!stream.eol()) if (stream.next() === '"') { state.string = false; break; }
    return "string";
  }
  if (stream.match("//")) { stream.skipToEnd(); return "comment"; }
  if (stream.match("/*")) { state.comment = "*/"; return "comment"; }
  if (stream.match(/^\(\*(?=[\s*]|$)/)) { state.comment = "*)"; return "comment"; } // (*p) is CUDA
  if (stream.match(/^(0x[0-9a-fA-F]+|\d+)/)) return "number";
  const word = stream.match(/^[A-Za-z_%][\w.-]*/);
  if (word) {
    const text = word[0];
    if (tagOf.has(text)) return tagOf.get(text);
    if (/^(atomic|fetch_|__|ld\.|st\.|atom\.|red\.|fence|bar\.)/.test(text) || stream.peek() === "(") return "macroName";
    return "variableName";
  }
  stream.next();
  return null;
}

const language = StreamLanguage.define({ name: "litmus", startState: () => ({ comment: null, string: false }), token,
  languageData: { commentTokens: { line: "//" } } });

const style = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--keyword)", fontWeight: "600" },
  { tag: tags.typeName, color: "var(--good)" },
  { tag: tags.atom, color: "var(--atom)", fontWeight: "600" },
  { tag: tags.propertyName, color: "var(--property)" },
  { tag: tags.macroName, color: "var(--macro)" },
  { tag: tags.number, color: "var(--number)" },
  { tag: tags.string, color: "var(--string)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
]);

export const litmus = [language, syntaxHighlighting(style)];
