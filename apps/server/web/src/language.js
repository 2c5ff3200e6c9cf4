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
  if (stream.match("(*")) { state.comment = "*)"; return "comment"; }
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
  { tag: tags.keyword, color: "#1f5fa8", fontWeight: "600" },
  { tag: tags.typeName, color: "#00674f" },
  { tag: tags.atom, color: "#8a3ea0", fontWeight: "600" },
  { tag: tags.propertyName, color: "#9a4f00" },
  { tag: tags.macroName, color: "#7a2d5c" },
  { tag: tags.number, color: "#0b5e8a" },
  { tag: tags.string, color: "#4a6b1f" },
  { tag: tags.comment, color: "#5b6573", fontStyle: "italic" },
]);

export const litmus = [language, syntaxHighlighting(style)];
