import { sealData, unsealData } from "iron-session";
import { CompactEncrypt, compactDecrypt } from "jose";
// The built files themselves: they are no entry point of the package.
import { deriveKeyRing } from "../../packages/latchkey/dist/crypto/keys.js";
import { openText, sealText } from "../../packages/latchkey/dist/crypto/sealed-text.js";
import { ownWork } from "../measure/own-work.ts";
import { cpuTimeByRound } from "../measure/rounds.ts";
import { sessionOf } from "../measure/sample-session.ts";
import { secret } from "../programs.ts";
import type { World } from "../world.ts";
import type { Case, Comparison, Measured } from "./case.ts";

/** How one library makes a cookie's text of a session, and the other way round. */
interface Sealer {
  readonly seal: (session: object) => unknown;
  readonly open: (sealed: string) => unknown;
}

const sizes = [
  ["0.5 kB", 500],
  ["2.6 kB", 2600],
  ["4 kB", 4000],
  ["16 kB", 16_000],
] as const;
const withBars = "2.6 kB";

/** Sealing and opening alone, with keys that are made once where a library lets one do so. */
export const sealing: Case = {
  name: "sealing",
  async measure(world) {
    const found: Measured[] = [];
    for (const [size, bytes] of sizes.filter(([name]) => !world.quick || name === withBars)) {
      const session = sessionOf(bytes);
      const text = JSON.stringify(session);
      const sealers = {
        latchkey: await latchkey(() => text, String),
        jose: await jose(() => text, String),
        "latchkey with JSON": await latchkey(JSON.stringify, JSON.parse),
        "iron-session": ironSession,
      };
      const [openings, sealings] = await subjectsOf(sealers, session);
      const effort = shortened(world);
      found.push(
        {
          title: `opening ${size}`,
          unit: "µs",
          figures: await cpuTimeByRound(openings, effort),
          comparisons: comparisons(size === withBars ? 1 / 4 : undefined),
        },
        {
          title: `sealing ${size}`,
          unit: "µs",
          figures: await cpuTimeByRound(sealings, effort),
          comparisons: comparisons(size === withBars ? 1 / 3 : undefined),
        },
      );
    }
    return found;
  },
};

async function subjectsOf(sealers: Readonly<Record<string, Sealer>>, session: object) {
  const entries = Object.entries(sealers);
  const openings = entries.map(async ([name, { seal, open }]) => {
    const sealed = String(await seal(session));
    return ownWork(name, () => open(sealed));
  });
  const sealings = entries.map(([name, { seal }]) => ownWork(name, () => seal(session)));
  return [await Promise.all(openings), sealings] as const;
}

function shortened({ effort }: World): World["effort"] {
  return { ...effort, turnMs: effort.turnMs / 2, warmUpMs: effort.warmUpMs / 4 };
}

/** jose takes a text, as we do inside; iron-session takes a value, so that its JSON counts. */
function comparisons(bar: number | undefined): readonly Comparison[] {
  return [
    { of: "latchkey", to: "jose", bar },
    { of: "latchkey with JSON", to: "iron-session" },
  ];
}

type Write = (session: object) => string;
type Read = (text: string) => unknown;

async function latchkey(write: Write, read: Read): Promise<Sealer> {
  const ring = await deriveKeyRing([secret], "session");
  return {
    seal: (session) => sealText(ring, { uat: 1, iat: 1, exp: 2 }, write(session)),
    open: async (sealed) => read((await openText(ring, sealed))?.text ?? ""),
  };
}

async function jose(write: Write, read: Read): Promise<Sealer> {
  const bits = crypto.getRandomValues(new Uint8Array(32));
  const key = await crypto.subtle.importKey("raw", bits, "AES-GCM", false, ["encrypt", "decrypt"]);
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  return {
    seal: (session) =>
      new CompactEncrypt(encoder.encode(write(session)))
        .setProtectedHeader({ alg: "dir", enc: "A256GCM", uat: 1, iat: 1, exp: 2 })
        .encrypt(key),
    open: async (sealed) => read(decoder.decode((await compactDecrypt(sealed, key)).plaintext)),
  };
}

const ironSession: Sealer = {
  seal: (session) => sealData(session, { password: secret }),
  open: (sealed) => unsealData(sealed, { password: secret }),
};
