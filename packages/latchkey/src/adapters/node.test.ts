import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { type Server, startServer } from "../../test/hosts/world/server.ts";
import { goodSettings } from "../../test/settings.ts";
import { createAuth } from "../auth.ts";
import { protect } from "./node.ts";

const fault = new Error("the handler's own fault");
let server: Server;

beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

/** Fetches a public page that is handled so. */
function fetched(handle: (response: ServerResponse) => void): Promise<Response> {
  const auth = createAuth({
    ...goodSettings,
    baseURL: server.origin,
    publicPaths: ["/"],
    production: false,
    log: () => undefined,
  });
  server.serve(protect(auth, (_request, response) => handle(response)));
  return fetch(server.origin);
}

describe("what a handler throws", () => {
  test("it is answered 500 without its words, which no cache keeps, and told on stderr", async () => {
    const told = vi.spyOn(console, "error").mockImplementation(() => undefined);
    try {
      const response = await fetched((outgoing) => {
        outgoing.setHeader("Cache-Control", "public, max-age=600");
        throw fault;
      });
      expect([response.status, response.headers.get("cache-control")]).toEqual([500, "no-store"]);
      expect(await response.text()).toBe("Something went wrong on our side.");
      expect(told.mock.calls).toEqual([[fault]]);
    } finally {
      told.mockRestore();
    }
  });

  test("after the head of the response has left, the connection ends, and the process does not", async () => {
    const told = vi.spyOn(console, "error").mockImplementation(() => undefined);
    try {
      const broken = fetched((outgoing) => {
        outgoing.writeHead(200).write("half of it");
        throw fault;
      });
      await expect(broken.then((response) => response.text())).rejects.toThrow(TypeError);
      expect((await fetched((outgoing) => void outgoing.end("alive"))).status).toBe(200);
    } finally {
      told.mockRestore();
    }
  });
});
