/**
 * An answer that was read from the measured server, for the floors to give again: the same bytes, the same
 * headers. `headers` holds name and value in turn, as `writeHead` takes them, `Set-Cookie` apart.
 *
 * @returns {{ status: number, headers: string[], setCookies: string[], body: string }}
 */
export function templateFromEnvironment() {
  return JSON.parse(process.env["BENCH_TEMPLATE"] ?? "");
}
