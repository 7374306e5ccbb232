import type { DeviceTrace } from "./device-trace.ts";

/** What happens to the sign-ins of a user; unlike events of the log, it may name their browser. */
export type UserEvent = {
  /** See `userTag`. */
  readonly subTag: string;
} & (
  | {
      readonly event: "signed-in";
      readonly session: string;
      readonly sidTag: string | undefined;
      readonly device: DeviceTrace;
      /** The id of its connection, if the app has several. */
      readonly connection?: string | undefined;
      /** The session that it replaced in its browser. */
      readonly replaced: string | undefined;
    }
  | {
      readonly event: "sign-in-refused";
      /** The reference shown to the user. */
      readonly reference: string;
      readonly device: DeviceTrace;
    }
  | {
      readonly event: "ended-by-provider";
      readonly session: string;
      readonly sidTag: string | undefined;
    }
  | { readonly event: "device-ended"; readonly session: string; readonly device: DeviceTrace }
  | { readonly event: "device-renamed"; readonly session: string; readonly name: string }
);
