/** What a browser and its system are called; absent where they could not be found out. */
export interface DeviceName {
  readonly browser?: string;
  readonly system?: string;
}

/** What sort of thing a device is; `terminal` is whatever is no browser. */
export type DeviceKind = "phone" | "tablet" | "laptop" | "terminal";

/** One sign-in of the list; all times in epoch seconds. */
export interface ListedDevice extends DeviceName {
  readonly id: string;
  readonly kind: DeviceKind;
  readonly isCurrent: boolean;
  /** Whether it was used within the last minutes. */
  readonly isActive: boolean;
  readonly startedAt: number;
  readonly lastUsedAt: number;
  readonly endsAt: number;
}

/** The sign-ins on devices of one kind and system. */
export interface DeviceGroup {
  readonly kind: DeviceKind;
  readonly system?: string;
  readonly devices: readonly ListedDevice[];
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
      readonly groups: readonly DeviceGroup[];
      /** All sign-ins, shown or not. */
      readonly count: number;
      /** What the list is narrowed to; empty where it is whole. Absent where the list is too short for that. */
      readonly filter?: string;
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
