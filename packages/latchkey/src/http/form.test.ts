import { describe, expect, test } from "vitest";

import { Refusal } from "../errors/refusal.ts";
import { formLimit, readForm } from "./form.ts";

function post(body: BodyInit, headers: Record<string, string> = {}): Request {
  const type = "application/x-www-form-urlencoded";
  return new Request("http://localhost/", {
    method: "POST",
    body,
    headers: { "content-type": type, ...headers },
  });
}

async function reasonOf(request: Request): Promise<string> {
  const error: unknown = await readForm(request).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof Refusal ? `${error.reason} ${error.status}` : "read";
}

describe("a form is read", () => {
  test("with its values decoded", async () => {
    const form = await readForm(post("state=a%20b&code=1+2&x=%C3%A4"));
    expect([...form]).toEqual([
      ["state", "a b"],
      ["code", "1 2"],
      ["x", "ä"],
    ]);
  });

  test("when its type names a charset, in any case", async () => {
    const type = { "content-type": "Application/X-WWW-Form-Urlencoded; charset=UTF-8" };
    expect((await readForm(post("a=1", type))).get("a")).toBe("1");
  });

  test("when it is empty", async () => {
    expect([...(await readForm(post("")))]).toEqual([]);
  });

  test("up to 64 KiB, however it arrives", async () => {
    const body = `a=${"x".repeat(formLimit - 2)}`;
    expect((await readForm(post(body))).get("a")).toHaveLength(formLimit - 2);
  });
});

describe("a form is refused", () => {
  test.each(["application/json", "multipart/form-data; boundary=x", "text/plain", ""])(
    "as 415 when its type is %j [STD-031]",
    async (type) => {
      expect(await reasonOf(post("a=1", { "content-type": type }))).toBe("content_type 415");
    },
  );

  test("as 413 above 64 KiB [STD-031]", async () => {
    expect(await reasonOf(post(`a=${"x".repeat(formLimit)}`))).toBe("body_too_large 413");
  });

  test("as 413 by the length it announces, before it is read", async () => {
    const announced = post("a=1", { "content-length": `${formLimit + 1}` });
    expect(await reasonOf(announced)).toBe("body_too_large 413");
  });

  test("as 413 when it announces nothing and does not end", async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(1024).fill(120));
      },
    });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const init = { method: "POST", body: endless, headers, duplex: "half" };
    expect(await reasonOf(new Request("http://localhost/", init))).toBe("body_too_large 413");
    expect(sent).toBeLessThan(80);
  });
});
