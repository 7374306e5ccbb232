import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";

import { type DrivenHost, sharedWorld } from "./world.ts";

/**
 * WebSockets, which no middleware sees: the app serves them at `/members/socket` and
 * `/public/socket`.
 */
export function webSocketRows(host: DrivenHost): void {
  describe(`a WebSocket on ${host.title}`, () => {
    const world = sharedWorld(host);
    const answerTo = (path: string, headers = {}) => firstOf(world().baseURL + path, headers);

    test("is opened to a signed-in user, and to no stranger [AD-009, AD-010]", async () => {
      const cookie = await (await world().signedIn()).cookies();
      expect(await answerTo("/members/socket", { cookie })).toContain("Open");
      for (const path of ["/members/socket", "/members//socket", "/MEMBERS/socket", "/nowhere"]) {
        expect([path, await answerTo(path)]).toEqual([path, "302"]);
      }
    });

    test("is opened to all clients if its path is public [AD-010]", async () => {
      expect(await answerTo("/public/socket")).toContain("Open");
    });
  });
}

const upgrade = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};

/**
 * The first message, or the status of a refusal.
 *
 * @throws {Error} if it is opened and stays silent
 */
async function firstOf(address: string, headers: Record<string, string>): Promise<string> {
  const asked = request(address, { headers: { ...headers, ...upgrade } }).end();
  const [response, socket, head] = (await Promise.race([
    once(asked, "upgrade"),
    once(asked, "response"),
  ])) as [IncomingMessage, Socket?, Buffer?];
  if (socket === undefined) return `${response.resume().statusCode}`;
  if (head !== undefined && head.length > 0) return head.toString();
  const [message] = await once(socket, "data", { signal: AbortSignal.timeout(5000) });
  return String(message);
}
