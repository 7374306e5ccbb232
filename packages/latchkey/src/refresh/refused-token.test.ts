import { describe, expect, test } from "vitest";

import { askWith } from "../../test/handle-request.ts";
import { leaseless, token, twoInstances } from "../../test/refresh/two-instances.ts";
import type { Store } from "../stores/store.ts";
import type { RequestAuth } from "../host/request-auth.ts";

const settings = { session: { stateful: true } };
const refusal = "ERR_FAILED_REFRESH_GRANT";
const missing = "ERR_MISSING_SESSION";
const refreshToken = ({ session }: RequestAuth) => session?.refreshToken;

describe("a refused token", () => {
  test("leaves the record by compare-and-set, and the person stays signed in", async () => {
    const { one, other, jar, family, outcomes } = await twoInstances({ settings });
    family.isRevoked = true;
    const first = await askWith(one, jar, async (here) => [await token(here), refreshToken(here)]);
    expect(first.made).toEqual([refusal, undefined]);
    const after = await askWith(other, jar, ({ session }) => session);
    expect(after.made).toMatchObject({ user: { sub: "ada" } });
    expect(after.made).not.toHaveProperty("refreshToken");
    expect(outcomes()).toEqual(["refused"]);
  });

  test("is sent by one of two instances, and the other one learns of it", async () => {
    const beforeAnswer = () => new Promise((resolve) => setTimeout(resolve, 20));
    const world = await twoInstances({ settings, beforeAnswer });
    const { jar, family } = await world.signIn(-5);
    family.isRevoked = true;
    const both = [askWith(world.one, jar, token), askWith(world.other, jar, token)];
    expect((await Promise.all(both)).map(({ made }) => made)).toEqual([refusal, refusal]);
    const details = world.told("refresh").map((each) => "detail" in each && each.detail);
    expect(details).toContain("the provider has refused this refresh token before");
  });

  test("that another instance has replaced meanwhile is a race, and no refusal [OP-005]", async () => {
    let isFirst = true;
    const { one, other, jar, outcomes, told } = await twoInstances({
      // The provider refuses a second use, and revokes nothing.
      isForgiving: true,
      settings,
      async beforeAnswer() {
        if (!isFirst) return;
        isFirst = false;
        await askWith(other, jar, token);
      },
      storeOf: leaseless,
    });
    const { made } = await askWith(one, jar, token);
    expect(made).toBe("at.1.1");
    expect(outcomes().toSorted()).toEqual(["renewed", "shared"]);
    expect(told("refresh")).not.toContainEqual(expect.objectContaining({ outcome: "refused" }));
    const after = await askWith(one, jar, ({ session }) => session?.refreshToken);
    expect(after.made).toBe("rt.1.1");
  });

  /** Something that happens once, before the refused token is removed from the record. */
  async function refusedWhile(happens: (world: World, here: RequestAuth) => Promise<unknown>) {
    let isFirst = true;
    let onSwap: (() => Promise<unknown>) | undefined;
    const storeOf = (store: Store): Store => ({
      ...leaseless(store),
      async swap(...words) {
        const happen = onSwap;
        onSwap = undefined;
        await happen?.();
        return store.swap(...words);
      },
    });
    /** Refuses the token when it comes for the first time, and takes it then. */
    const onCall = async (input: string, send: () => Promise<Response>) => {
      if (!input.endsWith("/token") || !isFirst) return send();
      isFirst = false;
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    };
    const world = await twoInstances({ settings, storeOf, onCall });
    const asked = await askWith(world.one, world.jar, (here) => {
      onSwap = () => happens(world, here);
      return token(here);
    });
    return { ...world, ...asked };
  }

  test("does not take a newer one out of the record, which others have put there since", async () => {
    const { made, other, jar } = await refusedWhile((its) => askWith(its.other, its.jar, token));
    expect(made).toBe("at.1.1");
    expect((await askWith(other, jar, refreshToken)).made).toBe("rt.1.1");
  });

  test("leaves no cookie of a session the same request ends meanwhile", async () => {
    const { made, next } = await refusedWhile((_, here) => here.endDevices("all"));
    expect(made).toBe(missing);
    expect(next).not.toHaveProperty("appSession");
  });

  test("leaves the cookie of a session whose record goes meanwhile to the next request", async () => {
    const { made, next, other } = await refusedWhile(async ({ store }) =>
      store.list("session|").map(store.delete),
    );
    expect([made, next]).toEqual([missing, { appSession: expect.anything() }]);
    expect((await askWith(other, next, token)).next).toEqual({});
  });

  test("costs a request whose hook of the app fails then the error of that", async () => {
    const beforeSave = () => {
      throw new Error("the hook is broken");
    };
    const broken = { ...settings, hooks: { beforeSave } };
    const { one, jar, family } = await twoInstances({ settings: broken });
    family.isRevoked = true;
    const ask = (here: RequestAuth) => here.accessToken().catch(String);
    expect((await askWith(one, jar, ask)).made).toBe("Error: the hook is broken");
  });

  test("leaves the record also after the head of the response", async () => {
    const { one, other, jar, family } = await twoInstances({ settings });
    family.isRevoked = true;
    let asking: Promise<unknown> = Promise.resolve();
    await askWith(one, jar, (here) => {
      asking = token(here);
    });
    expect(await asking).toBe(refusal);
    expect((await askWith(other, jar, refreshToken)).made).toBeUndefined();
  });
});

type World = Awaited<ReturnType<typeof twoInstances>>;
