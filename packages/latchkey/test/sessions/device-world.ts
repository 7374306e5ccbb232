import { type Jar, jarAfter } from "../browser/cookie-jar.ts";
import { createDevice, type Device, type Registered } from "../browser/device.ts";
import { type FailingStore, failingStore } from "../failing-store.ts";
import { createQuickApp, isThePage, type QuickApp } from "../worlds/quick-app.ts";
import type { Options } from "../../src/host/auth.ts";
import { memoryStore } from "../../src/stores/memory.ts";

const began = 1_800_000_000;
/** Headers of a browser that loads a page. */
export const asDocument = {
  "sec-fetch-dest": "document",
  "sec-fetch-mode": "navigate",
  accept: "text/html",
};

/** An app that binds sessions to devices, and its browsers. */
export interface DeviceWorld {
  readonly app: QuickApp;
  readonly store: FailingStore;
  advance(seconds: number): void;
  /** Signs in; the response of the callback, and the cookies afterwards. */
  signIn(): Promise<{ readonly callback: Response; readonly jar: Jar }>;
  /** Opens a page: its response, and the cookies afterwards. */
  open(jar: Jar, headers?: Readonly<Record<string, string>>): Promise<Opened>;
  /** A session that is bound to a device, and what its browser holds. */
  bound(): Promise<Bound>;
}

export interface Opened {
  readonly response: Response;
  readonly jar: Jar;
  readonly isPage: boolean;
}

export interface Bound extends Registered {
  /** Renews the proof; the cookie of it. */
  renew(): Promise<Jar>;
  readonly device: Device;
  /** The cookies of the session without the one of the proof. */
  readonly session: Jar;
}

export function deviceWorld(options: Partial<Options> = {}): DeviceWorld {
  let now = began * 1000;
  const clock = () => (now += 1);
  const store = failingStore(memoryStore(clock));
  const session = { deviceBound: "enforce" as const, ...options.session };
  const given = { baseURL: "https://app.example", clock, ...options, session };
  const app = createQuickApp(given);

  async function signIn() {
    const begun = await app.begin();
    const { jar, code, state } = begun;
    const query = new URLSearchParams({ code, state }).toString();
    const callback = await app.ask(`/api/auth/callback?${query}`, { jar, headers: asDocument });
    return { callback, jar: jarAfter(callback.headers.getSetCookie(), jar) };
  }

  async function open(jar: Jar, headers: Readonly<Record<string, string>> = asDocument) {
    const response = await app.open("/page", { jar, headers });
    const after = jarAfter(response.headers.getSetCookie(), jar);
    return { response, jar: after, isPage: await isThePage(response.clone()) };
  }

  async function bound(): Promise<Bound> {
    const device = await createDevice(app);
    const { callback, jar } = await signIn();
    const registered = await device.register(callback);
    const { "appSession.device": _proof, ...withoutProof } = (
      await open({ ...jar, ...registered.jar })
    ).jar;
    now += 61_000;
    const renew = async () => jarAfter((await device.refresh(registered)).headers.getSetCookie());
    return { ...registered, device, session: withoutProof, renew };
  }

  return { app, store, advance: (seconds) => void (now += seconds * 1000), signIn, open, bound };
}

export function deviceWorldWithStore(options: Partial<Options> = {}): DeviceWorld {
  let now = began * 1000;
  const store = failingStore(memoryStore(() => now));
  const made = deviceWorld({ ...options, store, session: { stateful: true, ...options.session } });
  return {
    ...made,
    store,
    advance: (seconds) => (made.advance(seconds), void (now += seconds * 1000)),
  };
}
