import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";

import { digestOfLook, outdatedPictures } from "./pictures.ts";

const page = (style: string, body: string, more = "") =>
  `<!doctype html><html><head><style>${style}</style>${more}</head>${body}</html>`;
const screen = page("p{color:red}", "<body><p>Your account</p></body>");

test("a digest follows texts, elements and styles", () => {
  const others = [
    page("p{color:blue}", "<body><p>Your account</p></body>"),
    page("p{color:red}", "<body><p>Your details</p></body>"),
    page("p{color:red}", "<body><p data-state='ending'>Your account</p></body>"),
    page("p{color:red}", "<body><h1>Your account</h1></body>"),
  ];
  const digests = [screen, ...others].map(digestOfLook);
  expect(new Set(digests).size).toBe(digests.length);
});

test("a digest leaves out scripts, and the words that they say later", () => {
  const body = `<body data-words="{}"><p>Your account</p><script>void 1</script></body>`;
  const preload = `<link rel="modulepreload" href="/assets/watch-1.js">`;
  expect(digestOfLook(page("p{color:red}", body, preload))).toBe(digestOfLook(screen));
});

test("a picture is outdated if its screen has changed, or if a file of it is missing", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "pictures-"));
  for (const file of ["home-light", "home-dark", "account-light", "account-dark", "share"])
    writeFileSync(path.join(folder, `${file}.png`), "");
  const made = { home: "one", account: "two", devices: "three", share: "four" };
  expect(outdatedPictures(folder, made, { ...made, account: "new" })).toEqual([
    "account-light.png and account-dark.png: the screen has changed.",
    "devices-light.png and devices-dark.png: missing.",
  ]);
});
