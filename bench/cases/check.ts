import { browserHeaders } from "../measure/browser-headers.ts";
import { cpuTimeByRound } from "../measure/rounds.ts";
import { checkedHost, checkPort } from "../programs.ts";
import type { Case } from "./case.ts";
import { requestSubject } from "./request-subject.ts";

/** The question of a proxy about a signed-in user, compared with the route of the claims. */
export const check: Case = {
  name: "check",
  title: "the check of the web application",
  unit: "µs",
  comparisons: [{ of: "the check", to: "me", bar: 1.3 }],
  async measure({ open, effort }) {
    const server = await open("web application with a check");
    const me = await requestSubject(server, "/api/auth/me");
    const asked = await requestSubject(
      { ...server, origin: `http://localhost:${checkPort}` },
      "/check/nginx",
      questionHeaders,
    );
    for (const subject of [me, asked]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await subject.work(effort.warmUpRequests);
    }
    const subjects = [
      { ...me, name: "me" },
      { ...asked, name: "the check" },
    ];
    const figures = await cpuTimeByRound(subjects, effort);
    await Promise.all([me.close(), asked.close()]);
    return figures;
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
