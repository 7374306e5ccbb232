import { describe, expect, test, vi } from "vitest";

import { Refusal } from "../errors/refusal.ts";
import { fromFetchRequest, type HostRequest, type RequestBody } from "./auth-request.ts";
import { formLimit, readForm } from "./form.ts";

const formType = "application/x-www-form-urlencoded";

/** A request whose body is a stream, as a Web server hands it over. */
function post(body: BodyInit, headers: Record<string, string> = {}): HostRequest {
  const init = { method: "POST", body, headers: { "content-type": formType, ...headers } };
  const request = new Request("http://localhost/", { ...init, duplex: "half" } as RequestInit);
  return fromFetchRequest(request, "http://localhost");
}

/** A request whose body a parser has read before. */
function parsed(body: RequestBody): HostRequest {
  return { ...post(""), body: () => Promise.resolve(body) };
}

async function reasonOf(request: HostRequest, timeoutMs?: number): Promise<string> {
  const error: unknown = await readForm(request, timeoutMs).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof Refusal ? `${error.reason} ${error.status}` : String(error);
}

describe("a valid form", () => {
  test("its values are decoded", async () => {
    const form = await readForm(post("state=a%20b&code=1+2&x=%C3%A4"));
    expect([...form]).toEqual([
      ["state", "a b"],
      ["code", "1 2"],
      ["x", "ä"],
    ]);
  });

  test.each([
    "Application/X-WWW-Form-Urlencoded; charset=UTF-8",
    "application/x-www-form-urlencoded ; charset=utf-8",
  ])("its type may name a charset, in any case: %s", async (type) => {
    expect((await readForm(post("a=1", { "content-type": type }))).get("a")).toBe("1");
  });

  test("its announced length may be 64 KiB", async () => {
    const length = { "content-length": `${formLimit}` };
    expect((await readForm(post("a=1", length))).get("a")).toBe("1");
  });

  test("nothing of it is left to wait for", async () => {
    vi.useFakeTimers();
    try {
      await readForm(parsed("a=1"));
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  test("it may be empty, or have no body at all", async () => {
    expect([...(await readForm(post("")))]).toEqual([]);
    expect([...(await readForm(parsed(null)))]).toEqual([]);
  });

  test("it may have up to 64 KiB, in however many pieces it arrives", async () => {
    const body = `a=${"x".repeat(formLimit - 2)}`;
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of body.match(/.{1,1000}/g) ?? []) controller.enqueue(Buffer.from(piece));
        controller.close();
      },
    });
    for (const each of [body, pieces]) {
      expect((await readForm(post(each))).get("a")).toHaveLength(formLimit - 2);
    }
  });
});

describe("a form already read by a body parser", () => {
  test.each<[string, RequestBody]>([
    ["a text", "state=a%20b&state=c"],
    ["bytes", Buffer.from("state=a%20b&state=c")],
    ["an object with a list", { state: ["a b", "c"] }],
  ])("it is read from %s, with repeated fields", async (_, body) => {
    expect((await readForm(parsed(body))).getAll("state")).toEqual(["a b", "c"]);
  });

  test("it is read from a stream of texts, as one with an encoding yields", async () => {
    async function* texts() {
      yield "state=ä&co";
      yield "de=1";
    }
    const form = await readForm(parsed(texts()));
    expect([...form]).toEqual([
      ["state", "ä"],
      ["code", "1"],
    ]);
  });

  test("it is read from an object without a prototype", async () => {
    const body = Object.assign(Object.create(null) as object, { state: "s" });
    expect((await readForm(parsed(body))).get("state")).toBe("s");
  });

  test.each([
    { state: { nested: "x" } },
    { state: [["x"]] },
    { state: 7 },
    { state: null },
    { state: ["x", { y: "z" }] },
  ])("the object %j is refused as 400, because no form of ours is nested", async (body) => {
    expect(await reasonOf(parsed(body))).toBe("body_malformed 400");
  });

  test("rejects a body which was read before and is lost, with 400", async () => {
    const request = new Request("http://localhost/", {
      method: "POST",
      body: "a=1",
      headers: { "content-type": formType },
    });
    await request.text();
    expect(await reasonOf(fromFetchRequest(request, "http://localhost"))).toBe(
      "body_malformed 400",
    );
  });
});

describe("an invalid form", () => {
  test.each(["application/json", "multipart/form-data; boundary=x", "text/plain", ""])(
    "the type %j is refused as 415",
    async (type) => {
      expect(await reasonOf(post("a=1", { "content-type": type }))).toBe("content_type 415");
    },
  );

  test("leaves a body of another type untouched for the app", async () => {
    const body = () => expect.unreachable();
    expect(await reasonOf({ ...post("", { "content-type": "text/plain" }), body })).toBe(
      "content_type 415",
    );
  });

  test("more than 64 KiB are refused as 413", async () => {
    expect(await reasonOf(post(`a=${"x".repeat(formLimit)}`))).toBe("body_too_large 413");
  });

  test("a length of more than 64 KiB is refused as 413 before the body is read", async () => {
    const headers = { "content-length": `${formLimit + 1}` };
    const body = () => expect.unreachable();
    expect(await reasonOf({ ...post("a=1", headers), body })).toBe("body_too_large 413");
  });

  test("rejects an endless body without a length, with 413", async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(1024).fill(120));
      },
    });
    expect(await reasonOf(post(endless))).toBe("body_too_large 413");
    expect(sent).toBeLessThan(80);
  });

  test("rejects a body which does not arrive in time, with 408", async () => {
    const silent = new ReadableStream<Uint8Array>({ start: (it) => it.enqueue(Buffer.from("a=")) });
    expect(await reasonOf(post(silent), 20)).toBe("body_timeout 408");
  });

  test("rejects a truncated body, with 400", async () => {
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(Buffer.from("a="));
        controller.error(new Error("the client went away"));
      },
    });
    expect(await reasonOf(post(broken))).toBe("body_malformed 400");
  });
});

test("a body without a type is no form", async () => {
  const request = { ...parsed("a=1"), headers: new Headers() };
  expect(await reasonOf(request)).toBe("content_type 415");
});

test("the log names a wrong field by its shortened name, never by its value", async () => {
  const wrong = { ["n".repeat(99)]: { secret: 1 } };
  await expect(readForm(parsed(wrong))).rejects.toMatchObject({ detail: "n".repeat(50) });
});
