import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../latchkey/test/servers/free-port.ts";
import {
  authorizationRequest,
  exchange,
  jwks,
  signInAs,
  tokenRequest,
  tokensOf,
} from "../../test/sign-in.ts";
import { startProvider } from "../index.ts";

let dataFolder: string;

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), "provider-"));
});

afterAll(() => rm(dataFolder, { recursive: true }));

describe("the data folder", () => {
  it("preserves keys, sessions and refresh tokens over a restart", async () => {
    // The system would give a port of its own choice to another program meanwhile.
    const port = await freePort();
    const first = await startProvider({ dataFolder, port });
    const keys = await jwks(first);
    const { browser, ...session } = await signInAs(first, "person-ada");
    const tokens = await exchange(first, session);
    await first.close();

    const second = await startProvider({ dataFolder, port });
    try {
      expect(await jwks(second)).toEqual(keys);
      const again = await browser.open(authorizationRequest(second).url);
      expect(again.url.searchParams.has("code")).toBe(true);
      const refreshed = await tokensOf(
        await tokenRequest(second, {
          grant_type: "refresh_token",
          refresh_token: tokens.refresh_token ?? "",
        }),
      );
      expect(refreshed.access_token).toBeDefined();
    } finally {
      await second.close();
    }
  });

  it("contains a key file with access for its owner only", async () => {
    const { mode } = await stat(join(dataFolder, "keys.json"));
    expect(mode & 0o777).toBe(0o600);
  });
});
