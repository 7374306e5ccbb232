/** What a browser and its system are called; absent where they could not be found out. */
export interface DeviceName {
  readonly browser?: string;
  readonly system?: string;
}

/** One sign-in of the list; all times in epoch seconds. */
export interface ListedDevice extends DeviceName {
  readonly id: string;
  readonly isCurrent: boolean;
  readonly startedAt: number;
  readonly lastUsedAt: number;
  readonly endsAt: number;
}

/** What has just been done: the list says it once. */
export type FlashMessage =
  | {
      readonly done: "one";
      readonly device: DeviceName;
      /** Until then other services may go on accepting what the sign-in was given; epoch seconds. */
      readonly lateUntil?: number;
    }
  | { readonly done: "others"; readonly lateUntil?: number }
  | { readonly done: "gone" }
  | { readonly done: "failed" };

/** What the page of signed-in devices shows. */
export type DevicesView =
  | {
      /** Sign-ins live in browsers: there is no list, only this one. */
      readonly kind: "only-here";
      readonly startedAt: number;
      readonly endsAt: number;
    }
  | {
      readonly kind: "list";
      /** Those of this page. */
      readonly devices: readonly ListedDevice[];
      /** Those of all pages. */
      readonly count: number;
      /** From 1. */
      readonly page: number;
      readonly pages: number;
      readonly flash?: FlashMessage;
    };

/** What is asked before many sign-ins end together. */
export interface EndDevicesView {
  readonly which: "others" | "all";
  /** How many will end; absent where nobody knows. */
  readonly count?: number;
  readonly lateUntil?: number;
}
