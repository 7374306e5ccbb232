import type { Hono } from "hono";
import { withHeaders } from "latchkey";

import type { PageDeps } from "../page-deps.ts";
import { pageResponse } from "../page-response.ts";
import { signInURL } from "../sign-in-url.ts";
import { signedOutPage } from "./signed-out-screen.tsx";

/** Adds the page where a sign-out ends. */
export function addSignedOutPage(app: Hono, { auth, rendering }: PageDeps): void {
  const { config } = auth;
  app.get(`${config.pagesPrefix}/signed-out`, async ({ req: { raw }, redirect }) => {
    const { state } = await auth.peek(raw);
    if (state === "signed-in") return redirect(`${config.baseURL}/`);
    const { provider, headers } = auth.signedOut(raw);
    const page = signedOutPage({ provider, signInURL: signInURL(config, null) });
    return withHeaders(pageResponse(raw, page, rendering), headers);
  });
}
