import { arabic } from "./languages/ar.ts";
import { german } from "./languages/de.ts";
import { english } from "./languages/en.ts";
import { spanish } from "./languages/es.ts";
import { french } from "./languages/fr.ts";
import { italian } from "./languages/it.ts";
import { japanese } from "./languages/ja.ts";
import { dutch } from "./languages/nl.ts";
import { polish } from "./languages/pl.ts";
import { portuguese } from "./languages/pt-BR.ts";
import type { Words } from "./words.ts";

/** Every language, by its tag. */
export const languages: ReadonlyMap<string, Words> = new Map([
  ["en", english],
  ["ar", arabic],
  ["de", german],
  ["es", spanish],
  ["fr", french],
  ["it", italian],
  ["ja", japanese],
  ["nl", dutch],
  ["pl", polish],
  ["pt-BR", portuguese],
]);
