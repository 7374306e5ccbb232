export const port = Number(process.env["PORT"]);

/** Reports to the parent process when the server is ready. */
export function onListening() {
  process.send?.({ ready: true });
}
