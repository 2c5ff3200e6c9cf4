// Starts `ambit lsp` and connects the editor to it.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = function () {
  const command = workspace.getConfiguration("ambit").get("path");
  client = new LanguageClient(
    "ambit",
    "Ambit",
    { command, args: ["lsp"] },
    { documentSelector: [{ language: "ambit-litmus" }, { language: "ambit-cat" }] }
  );
  return client.start();
};

exports.deactivate = function () {
  return client && client.stop();
};
