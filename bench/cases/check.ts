import { browserHeaders } from "../measure/browser-headers.ts";
import { checkedHost, checkPort } from "../programs.ts";
import type { Case } from "./case.ts";
import { measureRequests, requestSubject } from "./request-subject.ts";

/** The question of a proxy about a signed-in user, compared with the route of the claims. */
export const check: Case = {
  name: "check",
  title: "the check of the web application",
  unit: "µs",
  comparisons: [{ of: "the check", to: "me", bar: 1.3 }],
  async measure(testbed) {
    const server = await testbed.open("web application with a check");
    const me = await requestSubject(server, "/api/auth/me");
    const asked = await requestSubject(
      { ...server, origin: `http://localhost:${checkPort}` },
      "/check/nginx",
      questionHeaders,
    );
    return measureRequests(testbed, [
      { ...me, name: "me" },
      { ...asked, name: "the check" },
    ]);
  },
};

function questionHeaders(origin: string) {
  return {
    ...browserHeaders(origin),
    "X-Forwarded-Method": "GET",
    "X-Forwarded-Host": checkedHost,
    "X-Forwarded-Uri": "/page?a=1",
  };
}
