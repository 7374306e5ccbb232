import type { ShownActivity } from "./activity/activity-view.ts";
import type { DeviceKind, DeviceName } from "../../components/device-name.ts";

/** One sign-in of the list; all times in epoch seconds. */
export interface ListedDevice extends DeviceName {
  readonly id: string;
  readonly kind: DeviceKind;
  readonly isCurrent: boolean;
  /** Whether it was used within the last minute. */
  readonly isActive: boolean;
  /** Whether a copy of its cookie is worth nothing. */
  readonly isDeviceBound?: boolean;
  readonly startedAt: number;
  readonly lastUsedAt: number;
  readonly endsAt: number;
  /** With what the user signed in, if the app has several ways. */
  readonly label?: string | undefined;
  /** The network of its sign-in, shortened; absent if the app does not keep it. */
  readonly network?: string | null;
  /** From 2, if devices before it in the list have the same name. */
  readonly twin?: number | undefined;
}

/** What has just been done: the list says it once. */
export type FlashMessage = Done & {
  /** Whether the user did not know the sign-in: the message says what to do next. */
  readonly isUnknown?: boolean | undefined;
};

type Done =
  | {
      readonly done: "ended";
      readonly count: number;
      /** The device, if it was one and its name is known. */
      readonly device?: DeviceName | undefined;
      /** Other services may accept the ended sign-ins until then; epoch seconds. */
      readonly lateUntil?: number;
    }
  | { readonly done: "renamed"; readonly device?: DeviceName | undefined }
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
      readonly devices: readonly ListedDevice[];
      /** All sign-ins, shown or not. */
      readonly count: number;
      /** When a sign-in last began or ended, epoch seconds. */
      readonly changedAt: number;
      /**
       * The filter of the list; empty for the whole list. Absent if the list is too short for a
       * filter.
       */
      readonly filter?: string;
      /** From 1. */
      readonly page: number;
      readonly pages: number;
      readonly flash?: FlashMessage | undefined;
    }
) & {
  /** Recent activity; absent if the app keeps none, and beside a part of the list. */
  readonly activity?: readonly ShownActivity[];
};

/** The view of the question before all other sign-ins end together. */
export interface EndOthersView {
  /** The number of other sign-ins, from 1. */
  readonly count: number;
  readonly lateUntil?: number;
}

/** The view of the question before all sign-ins end together. */
export interface EndAllView {
  /** The number of sign-ins; absent if unknown. */
  readonly count?: number;
  readonly lateUntil?: number;
  /** Whether the browser goes to the provider afterwards, to sign out there. */
  readonly leadsToProvider: boolean;
}
