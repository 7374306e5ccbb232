/** What is remembered of the browser of a sign-in, for the user to recognize it. */
export interface DeviceTrace {
  /** The `User-Agent` header, at most 256 characters; empty without one. */
  readonly userAgent: string;
  /** As the person calls it, at most {@link deviceNameLimit} characters; absent for no name. */
  readonly name?: string;
  /** The network of the sign-in; see `session.networkFrom`. Absent if it is not kept. */
  readonly network?: string;
}

/** In characters. */
const userAgentLimit = 256;

/** In characters, as forms count them. */
export const deviceNameLimit = 60;

/** What to remember of a browser. The header is not trusted: it is only shown. */
export function deviceTrace(userAgent: string | null, network?: string): DeviceTrace {
  const printable = (userAgent ?? "").replace(/[\p{Cc}\p{Cf}]/gu, "");
  return {
    userAgent: printable.slice(0, userAgentLimit).trim(),
    ...(network === undefined ? {} : { network }),
  };
}

/** The same trace under another name; an empty one takes the name away. */
export function withDeviceName(trace: DeviceTrace, name: string): DeviceTrace {
  const { name: _former, ...rest } = trace;
  return name === "" ? rest : { ...rest, name };
}

/** The trace in a session; an empty one if it has none. */
export function deviceTraceIn(device: unknown): DeviceTrace {
  if (typeof device !== "object" || device === null) return { userAgent: "" };
  const text = (name: keyof DeviceTrace) => {
    const value: unknown = Reflect.get(device, name);
    return typeof value === "string" ? value : "";
  };
  const [name, network] = [text("name"), text("network")];
  return {
    userAgent: text("userAgent"),
    ...(name === "" ? {} : { name }),
    ...(network === "" ? {} : { network }),
  };
}

/**
 * A name as it is kept: in one line, without invisible characters or those that turn the text
 * around them. Joiners stay: scripts and emoji need them.
 *
 * @returns an empty text if nothing visible is left
 */
export function cleanDeviceName(text: string): string {
  const clean = text
    .normalize("NFC")
    .replace(/[\s\p{Zl}\p{Zp}]+/gu, " ")
    .replace(
      /[\p{Cc}\p{Cs}\p{Cn}\p{Co}\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/gu,
      "",
    )
    .trim();
  return /[^\p{Cf}\p{M}\s\u2800\u3164\uFFA0\u115F\u1160]/u.test(clean) ? clean : "";
}
