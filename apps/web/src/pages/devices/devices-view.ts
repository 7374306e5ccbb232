import type { ShownActivity } from "./activity/activity-view.ts";
import type { DeviceKind, DeviceName } from "./device-name.ts";

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
  /** The network that it signed in from, shortened; absent where that is not kept. */
  readonly network?: string | null;
  /** When it is signed out, where somebody has asked for that. */
  readonly endingAt?: number | undefined;
}

/** The sign-ins on devices of one kind and system. */
export interface DeviceGroup {
  readonly kind: DeviceKind;
  readonly system?: string | undefined;
  readonly devices: readonly ListedDevice[];
}

/** Devices that end together, which the person of this page may take back until then. */
export interface Ending {
  /** Epoch seconds. */
  readonly at: number;
  readonly devices: readonly ListedDevice[];
  /** Until then other services may go on accepting what the sign-ins were given; epoch seconds. */
  readonly lateUntil?: number;
}

/** What has just been done: the list says it once. */
export type FlashMessage =
  /** An end was taken back: that of one device, or all where none is named. */
  | { readonly done: "kept" | "renamed"; readonly device?: DeviceName | undefined }
  | { readonly done: "name-too-long" }
  | { readonly done: "gone" }
  | { readonly done: "failed" };

/** What the page of signed-in devices shows. */
export type DevicesView = (
  | {
      /** Sign-ins live in browsers: there is no list, only this one. */
      readonly kind: "only-here";
      readonly startedAt: number;
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
      readonly endings: readonly Ending[];
      /** Address of the module that counts down until then; absent where nothing ends. */
      readonly countdown?: string;
      readonly flash?: FlashMessage | undefined;
    }
) & {
  /** What has happened lately; absent where nothing is kept, and beside a part of the list. */
  readonly activity?: readonly ShownActivity[];
};

/** What is asked before all sign-ins end together. */
export interface EndAllView {
  /** How many will end; absent where nobody knows. */
  readonly count?: number;
  readonly lateUntil?: number;
}
