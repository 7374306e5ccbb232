import { bodyRows } from "./bodies.ts";
import { guardRows } from "./guard.ts";
import { headerRows } from "./headers.ts";
import { malformedRows } from "./malformed.ts";
import { requireRows } from "./require.ts";
import { sessionRows } from "./session.ts";
import { signInRows } from "./sign-in.ts";
import { spellingRows } from "./spellings.ts";
import { streamRows } from "./streams.ts";
import type { DrivenHost } from "./world.ts";

/** What holds on every host, whatever stands between it and sign-in. */
export function everyRow(host: DrivenHost): void {
  signInRows(host);
  guardRows(host);
  headerRows(host);
  requireRows(host);
  sessionRows(host);
  streamRows(host);
  bodyRows(host);
  malformedRows(host);
  spellingRows(host);
}
