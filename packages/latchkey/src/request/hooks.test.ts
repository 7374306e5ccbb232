import { expect, test } from "vitest";

import { configOf } from "../../test/settings.ts";
import { createContext } from "../host/create-context.ts";
import type { SessionData } from "../session/session.ts";
import { afterRefresh, beforeSave } from "./hooks.ts";

const config = configOf();
const marked = (mark: string) => (data: SessionData) => ({
  ...data,
  marks: [data["marks"] ?? [], mark].flat(),
});
const contextWith = (hooks: object) =>
  createContext(config, { store: null, log: () => undefined, hooks });
const header = {
  uat: 1,
  iat: 1,
  exp: 2,
  id: "s",
  subTag: "t",
  issuer: "https://op.example",
  client: "client",
};
const data = { user: { sub: "ada" } };

test("a refreshed session is shown to both hooks, the one for what is written last", async () => {
  const context = contextWith({ afterRefresh: marked("r"), beforeSave: marked("s") });
  expect(await afterRefresh(context, { header, data })).toEqual({
    header,
    data: { ...data, marks: ["r", "s"] },
  });
  expect(await beforeSave(context, data)).toEqual({ ...data, marks: ["s"] });
});

test("without hooks a session is written as it is", async () => {
  expect(await afterRefresh(contextWith({}), { header, data })).toEqual({ header, data });
});
