/** Where the server listens. */
export const port = Number(process.env["PORT"]);

/** Tells whoever started the server that it is ready. */
export function onListening() {
  process.send?.({ ready: true });
}
