import { describe, expect, test } from "vitest";

import { failingStore } from "../../../test/failing-store.ts";
import { deriveKeyRing, type KeyRing } from "../../crypto/key-ring.ts";
import { memoryStore } from "../../stores/memory.ts";
import type { Store } from "../../stores/store.ts";
import type { SessionContent } from "../seal.ts";
import { createRefreshTickets } from "./refresh-tickets.ts";
import type { Ticket } from "./ticket.ts";

const registration = { issuer: "https://op.example", client: "client" };
const session: SessionContent = {
  header: { uat: 0, iat: 0, exp: 86_400, id: "s", subTag: "t" },
  data: { user: { sub: "ada" }, accessToken: "at-0", refreshToken: "rt-0" },
};
const tokens = { accessToken: "at-1", refreshToken: "rt-1" };
const result = { generation: 1, tokens, claims: null };

/** Two engines that share a store, or others over it; a ticket, and how two owners take it. */
function world() {
  const secrets = ["a-secret-of-the-tickets-0123456789"];
  let now = 1_000_000;
  const clock = () => now;
  const store = memoryStore(clock);
  const ring = deriveKeyRing(secrets, "refresh");
  const engine = (more: { readonly keys?: KeyRing; readonly store?: Store | null } = {}) => {
    const { keys = ring, ...others } = more;
    return createRefreshTickets({ registration, store, keys: () => keys, clock, ...others });
  };
  const [one, other] = [engine(), engine()];
  const ticket = ticketOf(one);
  const byOne = { ticket, owner: "one" };
  const byTwo = { ticket, owner: "two" };
  return {
    store,
    engine,
    one,
    other,
    ticket,
    byOne,
    byTwo,
    advance: (ms: number) => void (now += ms),
    /** One has spent the token, and the result is kept for so long. */
    async spent(keepMs = 60_000) {
      await one.take(byOne, 1000);
      await one.settle(byOne, result, keepMs);
    },
  };
}

function ticketOf(tickets: ReturnType<typeof createRefreshTickets>, of = session): Ticket {
  const ticket = tickets.of(of);
  if (ticket === null) throw new Error("there is no ticket");
  return ticket;
}

describe("a ticket", () => {
  test("belongs to issuer, client, refresh token and generation, and tells none of them", () => {
    const tickets = world().one;
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
    const { one, other, ticket, byOne, byTwo, store, advance } = world();
    await store.lease(ticket.key, "one", 1000);
    expect(await other.take(byTwo, 1000)).toEqual({ state: "spending" });
    expect(await one.take(byOne, 1000)).toEqual({ state: "leased", isEarlier: true });
    advance(26);
    expect(one.known(ticket)).toEqual({ state: "spending" });
    expect(await one.settle(byOne, result, 60_000)).toBe(true);
  });

  test("is leased once, over all engines, and hands its result to whoever has the spent token", async () => {
    const { one, other, ticket, byOne, byTwo } = world();
    expect(await one.take(byOne, 1000)).toEqual({ state: "leased" });
    expect(await one.take(byTwo, 1000)).toEqual({ state: "spending" });
    expect(await other.take({ ticket, owner: "three" }, 1000)).toEqual({ state: "spending" });
    expect(await one.settle(byOne, result, 60_000)).toBe(true);
    expect(await other.look(ticket)).toEqual({ state: "done", result });
    expect(one.known(ticket)).toEqual({ state: "done", result });
  });

  test("can be taken again where its owner gave it back, or was gone for too long", async () => {
    const { one, other, ticket, byOne, byTwo, advance } = world();
    await one.take(byOne, 1000);
    await one.release(byOne);
    expect(await other.take(byTwo, 1000)).toEqual({ state: "leased" });
    advance(1000);
    expect(await one.take({ ticket, owner: "three" }, 1000)).toEqual({ state: "leased" });
    expect(await other.settle(byTwo, result, 60_000)).toBe(false);
    expect(other.known(ticket)).toEqual({ state: "unspent" });
  });

  test("remembers a refusal for ten minutes", async () => {
    const { one, other, byOne, byTwo, advance } = world();
    await one.take(byOne, 1000);
    await one.kill(byOne);
    expect(await other.take(byTwo, 1000)).toEqual({ state: "dead", since: 1_000_000 });
    advance(600_000);
    expect(await other.take(byTwo, 1000)).toEqual({ state: "leased" });
  });

  test("keeps its result for ten minutes from when that is safe, and not before", async () => {
    const { one: tickets, ticket, advance, store, spent } = world();
    await spent(86_400_000);
    const [text] = await store.get([ticket.key]);
    advance(119_999);
    expect(tickets.isSafe(ticket.key, text)).toBe(false);
    advance(1);
    expect(tickets.isSafe(ticket.key, text)).toBe(true);
    await tickets.arrive(ticket.key, text);
    const [arrived] = await store.get([ticket.key]);
    expect(tickets.isSafe(ticket.key, arrived)).toBe(true);
    advance(599_000);
    expect(tickets.known(ticket)).toEqual({ state: "done", result });
    expect(await tickets.look(ticket)).toEqual({ state: "done", result });
    advance(2000);
    expect(await tickets.look(ticket)).toEqual({ state: "unspent" });
  });

  test("is closed to a reader of the store, also to one with the secret of the app", async () => {
    const { engine, one: tickets, ticket, store, spent } = world();
    await spent();
    const [text = null] = await store.get([ticket.key]);
    expect(text).not.toMatch(/at-1|rt-1/);
    expect(tickets.read({ key: ticket.key, refreshToken: "rt-guessed" }, text)).toEqual({
      state: "unspent",
    });
    const keys = deriveKeyRing(["another-secret-0123456789abcdef"], "refresh");
    const stranger = engine({ keys });
    expect(stranger.read(ticket, text)).toEqual({ state: "unspent" });
  });

  test.each(["", "done", "done 1 x", "seen x y", "nonsense"])(
    "whose text is %j leaves the token unspent",
    (text) => {
      const { one, ticket } = world();
      expect(one.read(ticket, text)).toEqual({ state: "unspent" });
    },
  );

  test.each(["dead 1000000", "seen 1000000 x"])("that says %j brings no tokens to lose", (text) => {
    expect(world().one.isSafe("refresh|key", text)).toBe(true);
  });

  test("that another process has given back meanwhile is told to be unspent", async () => {
    const { engine, store, byOne } = world();
    const tickets = engine({ store: { ...store, lease: async () => false } });
    expect(await tickets.take(byOne, 1000)).toEqual({ state: "unspent" });
  });

  test("that nobody knows is safe, and cannot arrive", async () => {
    const { one: tickets, ticket } = world();
    const { key } = ticket;
    expect(tickets.isSafe(key)).toBe(true);
    await expect(tickets.arrive(key)).resolves.toBeUndefined();
    await expect(tickets.arrive(key, "dead 0")).resolves.toBeUndefined();
    expect(await tickets.look(ticket)).toEqual({ state: "unspent" });
  });

  test("is forgotten with its session", async () => {
    const { one: tickets, ticket, store, spent } = world();
    await spent();
    await tickets.forget(ticket);
    expect(tickets.known(ticket)).toEqual({ state: "unspent" });
    expect(await store.get([ticket.key])).toEqual([null]);
  });
});

describe("what a process knows of a ticket", () => {
  test("is all that there is, where there is no store", async () => {
    const { engine, ticket, byOne, byTwo, advance } = world();
    const tickets = engine({ store: null });
    expect(await tickets.take(byOne, 1000)).toEqual({ state: "leased" });
    expect(await tickets.take(byTwo, 1000)).toEqual({ state: "spending" });
    await tickets.release(byOne);
    expect(await tickets.settle(byOne, result, 60_000)).toBe(false);
    expect(await tickets.take(byOne, 1000)).toEqual({ state: "leased" });
    expect(await tickets.settle(byOne, result, 60_000)).toBe(true);
    expect(await tickets.look(ticket)).toEqual({ state: "done", result });
    advance(50_000);
    await tickets.arrive(ticket.key);
    advance(50_000);
    expect(await tickets.take(byOne, 1000)).toEqual({ state: "done", result });
    await tickets.forget(ticket);
    expect(await tickets.look(ticket)).toEqual({ state: "unspent" });
  });

  test("is its own lease, where the store does not answer", () => {
    const { one, byOne, byTwo } = world();
    expect(one.takeHere(byOne, 1000)).toBe(true);
    expect(one.takeHere(byTwo, 1000)).toBe(false);
  });

  test("is nothing of a lease that the store could not give", async () => {
    const { engine, store, ticket, byOne } = world();
    const failing = failingStore(store);
    const tickets = engine({ store: failing });
    failing.fail(true, "lease");
    await expect(tickets.take(byOne, 1000)).rejects.toThrow("the store is down");
    expect(tickets.known(ticket)).toEqual({ state: "unspent" });
  });

  test("is for a moment that another process spends the token", async () => {
    const { one, other, byOne, byTwo, advance } = world();
    await one.take(byOne, 1000);
    expect(await other.take(byTwo, 1000)).toEqual({ state: "spending" });
    await one.release(byOne);
    advance(24);
    expect(await other.take(byTwo, 1000)).toEqual({ state: "spending" });
    advance(1);
    expect(await other.take(byTwo, 1000)).toEqual({ state: "leased" });
  });

  test("is what it has read in the store once, and no lease", async () => {
    const { engine, one, store } = world();
    const failing = failingStore(store);
    const other = engine({ store: failing });
    for (const [refreshToken, end] of [
      ["rt-done", "settle"],
      ["rt-dead", "kill"],
    ] as const) {
      const data = { ...session.data, refreshToken };
      const ticket = ticketOf(one, { ...session, data });
      const attempt = { ticket, owner: "one" };
      await one.take(attempt, 1000);
      expect(await other.look(ticket)).toEqual({ state: "spending" });
      expect(other.known(ticket)).toEqual({ state: "unspent" });
      await (end === "settle" ? one.settle(attempt, result, 60_000) : one.kill(attempt));
      const state = await other.look(ticket);
      failing.fail(true);
      expect(await other.take({ ticket, owner: "two" }, 1000)).toEqual(state);
      failing.fail(false);
    }
  });

  test("is forgotten after ten minutes, however long the store keeps it", async () => {
    const { one: tickets, ticket, advance, spent } = world();
    await spent(86_400_000);
    advance(600_000);
    expect(tickets.known(ticket)).toEqual({ state: "unspent" });
    expect(await tickets.look(ticket)).toEqual({ state: "done", result });
  });

  test("is no result of a lease that was lost in the store", async () => {
    const { one, other, ticket, byOne, byTwo, store } = world();
    await one.take(byOne, 1000);
    await store.delete(ticket.key);
    await other.take(byTwo, 1000);
    expect(await one.settle(byOne, result, 60_000)).toBe(false);
    expect(one.known(ticket)).toEqual({ state: "unspent" });
  });
});
