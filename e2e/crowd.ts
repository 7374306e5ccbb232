/** Many signed-in users who request pages and data in random order. */
import { Agent, request } from "node:http";
import { instanceClient, instanceSecret } from "./instances.ts";
import { redisStore } from "latchkey/redis";
import { signedInCookies } from "latchkey/testing";
import { jarAfter } from "../packages/latchkey/test/browser/cookie-jar.ts";
import { connectRedis } from "../packages/latchkey/test/servers/redis.ts";
import { seededRandom } from "../packages/latchkey/test/seeded-random.ts";
import type { Site } from "./site.ts";

export interface Person {
  /** Part of every response to this person, and of no other response. */
  readonly name: string;
  jar: Readonly<Record<string, string>>;
}

/** How the site stores sessions. */
export interface Keeping {
  readonly isStateful: boolean;
  /** Default: the secret of all instances. */
  readonly secret?: string;
}

/** Signs people in without the provider. */
export async function gather(
  site: Site,
  count: number,
  { isStateful, secret = instanceSecret }: Keeping,
): Promise<Person[]> {
  const client = await connectRedis(site.redisPort);
  const options = {
    baseURL: site.url,
    issuerBaseURL: site.issuer,
    clientID: instanceClient.id,
    clientSecret: instanceClient.secret,
    secret,
    session: { stateful: isStateful },
    store: redisStore(client),
    log: () => undefined,
  };
  const people: Person[] = [];
  for (let number = 0; number < count; number += 1) {
    const name = `crowd-${String(number).padStart(6, "0")}`;
    const user = { sub: name, name, iss: site.issuer };
    // oxlint-disable-next-line no-await-in-loop -- one connection to the store
    const cookies = await signedInCookies({ options, session: { user } });
    const pairs = cookies.split("; ").map((pair) => pair.split("=", 2) as [string, string]);
    people.push({ name, jar: Object.fromEntries(pairs) });
  }
  client.close();
  return people;
}

export interface CrowdFigures {
  readonly requests: number;
  readonly seconds: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Responses with the data of another person, or of none. */
  readonly wrong: readonly string[];
  /** Connections that broke before the response. */
  readonly broken: readonly string[];
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const paths = ["/api/auth/me", "/account", "/_auth/session.json", "/"];
const together = 32;
const maxReported = 20;

/**
 * Sends requests for random people and paths, 32 at a time.
 *
 * @param goesOn - receives the number of requests so far
 */
export async function sendRequests(
  site: Pick<Site, "url">,
  people: readonly Person[],
  goesOn: (sent: number) => boolean,
): Promise<CrowdFigures> {
  const agent = new Agent({ keepAlive: true, maxSockets: together });
  const below = seededRandom(7);
  const statuses: Record<string, number> = {};
  const [wrong, broken, times]: [string[], string[], number[]] = [[], [], []];
  let sent = 0;
  const start = performance.now();

  async function sendOne(person: Person, path: string): Promise<void> {
    const begun = performance.now();
    const answer = await send(agent, site.url + path, person);
    times.push(performance.now() - begun);
    if (answer instanceof Error) return void broken.push(`${path}: ${answer.message}`);
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    person.jar = jarAfter(answer.setCookies, person.jar);
    const named = new Set(answer.text.match(/crowd-\d{6}/g));
    if (answer.status === 200 && named.size === 1 && named.has(person.name)) return;
    if (wrong.length < maxReported) {
      wrong.push(`${path} of ${person.name}: ${answer.status}, names ${[...named].join(" ")}`);
    }
  }

  async function sendMore(): Promise<void> {
    while (goesOn(sent)) {
      sent += 1;
      const person = people[below(people.length)];
      // oxlint-disable-next-line no-await-in-loop -- one request after the other
      if (person !== undefined) await sendOne(person, paths[below(paths.length)] ?? "/");
    }
  }

  await Promise.all(Array.from({ length: together }, sendMore));
  agent.destroy();
  times.sort((one, other) => one - other);
  const share = (part: number) => times[Math.floor(times.length * part)] ?? 0;
  return {
    requests: sent,
    seconds: (performance.now() - start) / 1000,
    statuses,
    wrong,
    broken,
    p50Ms: share(0.5),
    p99Ms: share(0.99),
  };
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly setCookies: readonly string[];
}

/** Resolves with the response, or with the error of the connection. */
function send(agent: Agent, url: string, { jar }: Person): Promise<Answer | Error> {
  const cookie = Object.entries(jar)
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");
  return new Promise((resolve) => {
    const sending = request(url, { agent, headers: { cookie } }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => (text += chunk));
      response.on("error", resolve);
      response.on("end", () => {
        const { statusCode: status = 0, headers } = response;
        resolve({ status, text, setCookies: headers["set-cookie"] ?? [] });
      });
    });
    sending.on("error", resolve);
    sending.end();
  });
}
