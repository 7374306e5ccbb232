import type { Hooks } from "../config/code-options.ts";
import type { SessionContent } from "../session/seal.ts";
import { type SessionData, storable } from "../session/session.ts";

interface WithHooks {
  readonly hooks: Hooks<SessionData>;
}

/**
 * Calls the hook `beforeSave`. Data that an app may have changed pass this function before they are
 * written.
 *
 * @throws {TypeError} if it is no session any more
 */
export async function beforeSave({ hooks }: WithHooks, data: SessionData): Promise<SessionData> {
  return storable(hooks.beforeSave === undefined ? data : await hooks.beforeSave(data));
}

/** A session with new tokens, as the app wants it. */
export async function afterRefresh(
  { hooks }: WithHooks,
  { header, data }: SessionContent,
): Promise<SessionContent> {
  const refreshed = hooks.afterRefresh === undefined ? data : await hooks.afterRefresh(data);
  return { header, data: await beforeSave({ hooks }, refreshed) };
}
