import { createServer } from "node:net";

/** The two addresses of "localhost". */
const loopback = ["127.0.0.1", "::1"];

/**
 * Explains in one sentence, with the variable to change, why a port cannot be used; `undefined` if
 * it is free.
 */
export async function portFault(port: number, variable: string): Promise<string | undefined> {
  for (const host of loopback) {
    const code = await listenFault(port, host);
    if (code === "EADDRINUSE") {
      return (
        `Port ${port} is taken by another program. ` +
        `Stop that one, or choose another port with ${variable}=${port + 1}.`
      );
    }
    if (code === "EACCES") {
      return `Port ${port} is not open to this account. Choose one above 1024 with ${variable}.`;
    }
  }
  return undefined;
}

function listenFault(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
