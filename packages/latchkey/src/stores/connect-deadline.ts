import { withDeadline } from "../time/deadline.ts";

/**
 * An app whose store does not answer says so within ten seconds of its start, which takes some of
 * them.
 */
const connectAtMostMs = 6000;

/** @throws {Error} if a store has not answered within six seconds */
export function beforeConnectDeadline<T>(connecting: Promise<T>): Promise<T> {
  return withDeadline(connectAtMostMs, connecting, () => {
    throw new Error(`no answer within ${connectAtMostMs / 1000} s`);
  });
}
