import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import type { LogEvent } from "../../telemetry/log-event.ts";
import { optionsFromEnvironment } from "../../config/environment.ts";
import { variableOf } from "../../config/setting-definitions.ts";
import { createAuth } from "../../host/auth.ts";
import { goodSettings, goodVariables } from "../../../test/settings.ts";
import type { FilesToRead } from "../../config/settings-in-files.ts";
import { openSecretFiles } from "./secret-files.ts";

const [oldSecret, newSecret] = ["old-".repeat(8), "new-".repeat(8)];
const everyMs = 5;

const undo: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), "latchkey-secrets-"));
  undo.push(() => rm(made, { recursive: true, force: true }));
  return made;
}

/** The files as the variables name them. */
function named(files: Readonly<Record<string, string>>): FilesToRead {
  const secretFiles = Object.entries(files).map(([option, file]) => {
    return { path: [option], variable: `${variableOf(option)}_FILE`, file };
  });
  return { secretFiles };
}

/** An app with its secret in a file, and the key events in its log. */
async function appWithFile(file: string) {
  const files = openSecretFiles(named({ secret: file }), everyMs);
  const events: LogEvent[] = [];
  const auth = createAuth({
    ...goodSettings,
    ...files.secrets,
    watchSecrets: files.watch,
    log: (event) => events.push(event),
  });
  await auth.ready();
  undo.unshift(() => auth.close());
  const told = () => events.flatMap((each) => (each.event === "key-ring-changed" ? [each] : []));
  const keyIds = async () => (await auth.status()).sessionKeys.map(({ id }) => id);
  return { auth, files, told, keyIds };
}

/** As careful operators do it: a reader sees the old content or the new one. */
async function replace(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

async function fileWith(text: string): Promise<string> {
  const file = path.join(await folder(), "secret");
  await writeFile(file, text);
  return file;
}

test("a secret is read from its file, several of them one a line [OP-082]", async () => {
  const file = await fileWith(`${newSecret}\n${oldSecret}\n`);
  expect(openSecretFiles(named({ secret: file })).secrets).toEqual({
    secret: [newSecret, oldSecret],
  });
  const client = await fileWith("client secret with spaces\n");
  expect(openSecretFiles(named({ clientSecret: client }))).toMatchObject({
    secrets: { clientSecret: "client secret with spaces" },
    warnings: [],
  });
});

test.each(["", " \n"])(
  "openSecretFiles() reports an empty file, which holds no secret: %j",
  async (text) => {
    const { secrets, warnings } = openSecretFiles(named({ secret: await fileWith(text) }));
    expect(secrets).toEqual({});
    expect(warnings).toEqual([expect.stringMatching(/^LATCHKEY_SECRET_FILE .* is empty$/)]);
  },
);

test("openSecretFiles() reports a missing file, which holds no secret", async () => {
  const { secrets, warnings } = openSecretFiles(named({ clientSecret: "/nowhere/secret" }));
  expect(secrets).toEqual({});
  expect(warnings).toEqual([expect.stringMatching(/^LATCHKEY_CLIENT_SECRET_FILE .*ENOENT/)]);
});

test("openSecretFiles() changes the keys without a restart when a file is replaced [OP-082]", async () => {
  const file = await fileWith(oldSecret);
  const { told, keyIds } = await appWithFile(file);
  const [before] = await keyIds();
  await replace(file, `${newSecret}\n${oldSecret}`);
  await expect.poll(told).toHaveLength(1);
  const now = await keyIds();
  expect(now).toHaveLength(2);
  expect(now[1]).toBe(before);
  expect(told()).toEqual([{ event: "key-ring-changed", outcome: "changed", keyIds: now }]);
});

test("openSecretFiles() changes the keys when the symbolic link of their folder is swapped, as Kubernetes does [OP-082]", async () => {
  const mount = await folder();
  for (const [version, secret] of Object.entries({ v1: oldSecret, v2: newSecret })) {
    await mkdir(path.join(mount, version));
    await writeFile(path.join(mount, version, "secret"), secret);
  }
  await symlink("v1", path.join(mount, "..data"));
  await symlink("..data/secret", path.join(mount, "secret"));
  const { told, keyIds } = await appWithFile(path.join(mount, "secret"));
  const before = await keyIds();
  await symlink("v2", path.join(mount, "..data_tmp"));
  await rename(path.join(mount, "..data_tmp"), path.join(mount, "..data"));
  await expect.poll(told).toHaveLength(1);
  expect(await keyIds()).not.toEqual(before);
});

test.each([
  ["is too short", "short"],
  ["is empty", ""],
])(
  "openSecretFiles() keeps the old keys after a file %s, and reports it once [OP-082]",
  async (_, text) => {
    const file = await fileWith(oldSecret);
    const { told, keyIds } = await appWithFile(file);
    const before = await keyIds();
    await replace(file, text);
    await expect.poll(told).toHaveLength(1);
    expect(told()[0]).toMatchObject({ outcome: "refused" });
    await new Promise((resolve) => setTimeout(resolve, 5 * everyMs));
    expect(told()).toHaveLength(1);
    expect(await keyIds()).toEqual(before);
    await replace(file, newSecret);
    await expect.poll(told).toHaveLength(2);
    expect(await keyIds()).not.toEqual(before);
  },
);

test("openSecretFiles() keeps the old keys when a file is removed [OP-082]", async () => {
  const file = await fileWith(oldSecret);
  const { told, keyIds } = await appWithFile(file);
  await rm(file);
  await expect.poll(told).toHaveLength(1);
  expect(told()[0]).toMatchObject({
    outcome: "refused",
    detail: expect.stringContaining("ENOENT"),
  });
  expect(await keyIds()).toHaveLength(1);
});

describe("a watched file [OP-082]", () => {
  /** By default. */
  const longMs = 5000;
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  async function watched() {
    const file = await fileWith(oldSecret);
    const seen: unknown[] = [];
    const observer = { next: (value: unknown) => void seen.push(value), error: () => undefined };
    const stop = openSecretFiles(named({ secret: file })).watch(observer);
    /** Until what was begun has been read: then the next look is planned. */
    const look = async () => {
      vi.advanceTimersByTime(longMs);
      await expect.poll(() => vi.getTimerCount()).toBe(1);
    };
    return { file, seen, stop, look };
  }

  test("counts when it was read twice alike: it may be written in parts", async () => {
    const { file, seen, look } = await watched();
    await writeFile(file, newSecret.slice(0, 4));
    await look();
    await writeFile(file, newSecret);
    await look();
    expect(seen).toEqual([]);
    await look();
    await look();
    expect(seen).toEqual([{ secret: newSecret }]);
  });

  test.each(["between two looks", "during a look"])(
    "is read no more when the app was closed %s",
    async (moment) => {
      const { file, seen, stop, look } = await watched();
      await writeFile(file, newSecret);
      await look();
      if (moment === "during a look") vi.advanceTimersByTime(longMs);
      stop();
      await pause(50);
      expect([seen, vi.getTimerCount()]).toEqual([[], 0]);
    },
  );
});

describe("the connections file", () => {
  const client = (issuer: string) => ({
    issuerBaseURL: `https://${issuer}.example`,
    clientID: issuer,
    clientSecret: `secret-of-${issuer}`,
  });

  async function appWithConnections(content: string) {
    const made = await folder();
    const file = path.join(made, "connections.json");
    const secretFile = path.join(made, "acme");
    await writeFile(file, content);
    await writeFile(secretFile, "secret-in-a-file");
    const events: LogEvent[] = [];
    const variables = {
      ...goodVariables,
      LATCHKEY_IDENTITY: "issuer+sub",
      LATCHKEY_CONNECTIONS_FILE: file,
      LATCHKEY_CONNECTIONS: "acme",
      LATCHKEY_CONNECTION_ACME_CLIENT_SECRET_FILE: secretFile,
    };
    const read = optionsFromEnvironment(variables);
    const files = openSecretFiles(read, everyMs);
    const auth = createAuth({
      ...read.options,
      ...files.secrets,
      watchSecrets: files.watch,
      log: (event) => events.push(event),
    });
    undo.unshift(() => auth.close());
    const secretOf = (id: string) => auth.config.connections[id]?.clientSecret;
    const refused = () =>
      events.flatMap((each) =>
        each.event === "key-ring-changed" && each.outcome === "refused" ? [each.detail] : [],
      );
    return { auth, file, secretFile, secretOf, refused };
  }

  const both = JSON.stringify({ acme: client("acme"), globex: client("globex") });

  test("is read again while the app runs, with the files of its secrets [MX-005]", async () => {
    const { auth, file, secretFile, secretOf } = await appWithConnections(both);
    await auth.ready();
    expect([secretOf("acme"), secretOf("globex")]).toEqual([
      "secret-in-a-file",
      "secret-of-globex",
    ]);
    await replace(secretFile, "next-secret-in-a-file");
    await vi.waitFor(() => expect(secretOf("acme")).toBe("next-secret-in-a-file"));
    await replace(file, JSON.stringify({ acme: client("acme"), initech: client("initech") }));
    await vi.waitFor(() => expect(secretOf("initech")).toBe("secret-of-initech"));
    expect([secretOf("acme"), secretOf("globex")]).toEqual(["next-secret-in-a-file", undefined]);
  });

  test.each([
    ["half of it", both.slice(0, 50), "not all of it"],
    ["a member named twice", '{ "acme": {}, "acme": {} }', "twice"],
    ["a list", "[]", "an empty list"],
    [
      "a misspelt setting",
      JSON.stringify({ acme: { ...client("acme"), clientIdd: "x" } }),
      "clientIdd",
    ],
  ])("with %s changes nothing [MX-005]", async (_, content, words) => {
    const { auth, file, secretOf, refused } = await appWithConnections(both);
    await auth.ready();
    await replace(file, content);
    await vi.waitFor(() => expect(refused()).toEqual([expect.stringContaining(words)]));
    expect(secretOf("globex")).toBe("secret-of-globex");
  });

  test("with no settings in it stops the start [MX-004]", async () => {
    const { auth } = await appWithConnections("{");
    await expect(auth.ready()).rejects.toMatchObject({
      faults: [expect.objectContaining({ option: "connections" })],
    });
  });
});
