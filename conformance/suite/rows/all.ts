import { apiRows } from "./api.ts";
import { bodyRows } from "./bodies.ts";
import { connectionRows } from "./connections.ts";
import { deviceRows } from "./devices.ts";
import { guardRows } from "./guard.ts";
import { headerRows } from "./headers.ts";
import { loginRows } from "./login.ts";
import { malformedRows } from "./malformed.ts";
import { mcpRows } from "./mcp.ts";
import { requireRows } from "./require.ts";
import { refreshRows, sessionRows } from "./session.ts";
import { signInRows } from "./sign-in.ts";
import { siteRows } from "./sites.ts";
import { spellingRows } from "./spellings.ts";
import { streamRows } from "./streams.ts";
import type { DrivenHost } from "./world.ts";

/** The rows of every host: they prove its translation of requests and responses. */
export function translationRows(host: DrivenHost): void {
  signInRows(host);
  guardRows(host);
  headerRows(host);
  requireRows(host);
  loginRows(host);
  sessionRows(host);
  streamRows(host);
  bodyRows(host);
  malformedRows(host);
  siteRows(host);
  if (host.hasAPI !== true) return;
  apiRows(host);
  mcpRows(host, { environment: { API_ISSUER: "https://issuer.example" } });
}

/** Rows with a result of the engine alone, behind a translation that other rows prove. */
export function engineRows(host: DrivenHost): void {
  connectionRows(host);
  deviceRows(host);
}

/** The rows of a built application. Its router and its processes are those of the framework. */
export function everyRow(host: DrivenHost): void {
  translationRows(host);
  engineRows(host);
  spellingRows(host);
  refreshRows(host);
}
