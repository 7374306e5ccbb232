import { describe, expect, test } from "vitest";

import { deriveKeyRing } from "../../crypto/key-ring.ts";
import { memoryStore } from "../../stores/memory.ts";
import type { SessionContent } from "../seal.ts";
import { createRefreshTickets } from "./refresh-tickets.ts";
import type { Ticket } from "./ticket.ts";

const registration = { issuer: "https://op.example", client: "client" };
const session: SessionContent = {
  header: { uat: 0, iat: 0, exp: 86_400, id: "s", subTag: "t" },
  data: { user: { sub: "ada" }, accessToken: "at-0", refreshToken: "rt-0" },
};
const result = {
  generation: 1,
  tokens: { accessToken: "at-1", refreshToken: "rt-1" },
  claims: null,
};

function world(secrets = ["a-secret-of-the-tickets-0123456789"]) {
  let now = 1_000_000;
  const clock = () => now;
  const store = memoryStore(clock);
  const ring = deriveKeyRing(secrets, "refresh");
  const engine = (keys = ring) =>
    createRefreshTickets({ registration, store, keys: () => keys, clock });
  return { store, engine, advance: (ms: number) => void (now += ms) };
}

function ticketOf(tickets: ReturnType<typeof createRefreshTickets>, of = session): Ticket {
  const ticket = tickets.of(of);
  if (ticket === null) throw new Error("there is no ticket");
  return ticket;
}

describe("a ticket", () => {
  test("belongs to issuer, client, refresh token and generation, and tells none of them", () => {
    const tickets = world().engine();
    const changed = (header: object, data: object) =>
      tickets.of({ header: { ...session.header, ...header }, data: { ...session.data, ...data } });
    const keys = [
      changed({}, {}),
      changed({ generation: 1 }, {}),
      changed({}, { refreshToken: "x" }),
    ];
    expect(new Set(keys.map((ticket) => ticket?.key)).size).toBe(3);
    expect(changed({ generation: 0 }, { accessToken: "x" })?.key).toBe(keys[0]?.key);
    expect(changed({}, { refreshToken: undefined })).toBeNull();
    expect(keys[0]?.key).toMatch(/^refresh\|[\w-]{43}$/);
  });

  test("is still leased to an owner whom the store could not tell so", async () => {
    const { engine, store } = world();
    const [one, other] = [engine(), engine()];
    const ticket = ticketOf(one);
    await store.lease(ticket.key, "one", 1000);
    expect(await other.take({ ticket, owner: "two" }, 1000)).toEqual({ state: "spending" });
    expect(await one.take({ ticket, owner: "one" }, 1000)).toEqual({
      state: "leased",
      isEarlier: true,
    });
    expect(await one.settle({ ticket, owner: "one" }, result, 60_000)).toBe(true);
  });

  test("is leased once, over all engines, and hands its result to whoever has the spent token", async () => {
    const { engine } = world();
    const [one, other] = [engine(), engine()];
    const ticket = ticketOf(one);
    const attempt = { ticket, owner: "one" };
    expect(await one.take(attempt, 1000)).toEqual({ state: "leased" });
    expect(await one.take({ ticket, owner: "two" }, 1000)).toEqual({ state: "spending" });
    expect(await other.take({ ticket, owner: "three" }, 1000)).toEqual({ state: "spending" });
    expect(await one.settle(attempt, result, 60_000)).toBe(true);
    expect(await other.look(ticket)).toEqual({ state: "done", result });
    expect(one.known(ticket)).toEqual({ state: "done", result });
  });

  test("can be taken again where its owner gave it back, or was gone for too long", async () => {
    const { engine, advance } = world();
    const [one, other] = [engine(), engine()];
    const ticket = ticketOf(one);
    await one.take({ ticket, owner: "one" }, 1000);
    await one.release({ ticket, owner: "one" });
    expect(await other.take({ ticket, owner: "two" }, 1000)).toEqual({ state: "leased" });
    advance(1000);
    expect(await one.take({ ticket, owner: "three" }, 1000)).toEqual({ state: "leased" });
    expect(await other.settle({ ticket, owner: "two" }, result, 60_000)).toBe(false);
    expect(other.known(ticket)).toEqual({ state: "unspent" });
  });

  test("remembers a refusal for ten minutes", async () => {
    const { engine, advance } = world();
    const [one, other] = [engine(), engine()];
    const ticket = ticketOf(one);
    await one.take({ ticket, owner: "one" }, 1000);
    await one.kill({ ticket, owner: "one" });
    expect(await other.take({ ticket, owner: "two" }, 1000)).toEqual({
      state: "dead",
      since: 1_000_000,
    });
    advance(600_000);
    expect(await other.take({ ticket, owner: "two" }, 1000)).toEqual({ state: "leased" });
  });

  test("keeps its result for ten minutes from when that is safe, and not before", async () => {
    const { engine, advance, store } = world();
    const tickets = engine();
    const ticket = ticketOf(tickets);
    await tickets.take({ ticket, owner: "one" }, 1000);
    await tickets.settle({ ticket, owner: "one" }, result, 86_400_000);
    const [text] = await store.get([ticket.key]);
    advance(119_999);
    expect(tickets.isSafe(ticket.key, text)).toBe(false);
    advance(1);
    expect(tickets.isSafe(ticket.key, text)).toBe(true);
    await tickets.arrive(ticket.key, text);
    advance(599_000);
    expect(await tickets.look(ticket)).toEqual({ state: "done", result });
    advance(2000);
    expect(await tickets.look(ticket)).toEqual({ state: "unspent" });
  });

  test("is closed to a reader of the store, also to one with the secret of the app", async () => {
    const { engine, store } = world();
    const tickets = engine();
    const ticket = ticketOf(tickets);
    await tickets.take({ ticket, owner: "one" }, 1000);
    await tickets.settle({ ticket, owner: "one" }, result, 60_000);
    const [text = null] = await store.get([ticket.key]);
    expect(text).not.toMatch(/at-1|rt-1/);
    expect(tickets.read({ key: ticket.key, refreshToken: "rt-guessed" }, text)).toEqual({
      state: "unspent",
    });
    const stranger = engine(deriveKeyRing(["another-secret-0123456789abcdef"], "refresh"));
    expect(stranger.read(ticket, text)).toEqual({ state: "unspent" });
  });

  test.each(["", "done", "done 1 x", "seen x y", "nonsense"])(
    "whose text is %j leaves the token unspent",
    (text) => {
      const tickets = world().engine();
      expect(tickets.read(ticketOf(tickets), text)).toEqual({ state: "unspent" });
    },
  );
});
