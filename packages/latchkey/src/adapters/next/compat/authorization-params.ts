import type { Options } from "../../../auth.ts";

/** As 3.x takes them: values of any kind, and among them what are settings of their own here. */
// oxlint-disable-next-line typescript/no-explicit-any -- as there
export type AuthorizationParams = Readonly<Record<string, any>>;

/** The settings that such parameters mean; what is `undefined` counts as absent. */
export function settingsOf(parameters: AuthorizationParams = {}): Partial<Options> {
  const {
    scope,
    response_type: responseType,
    response_mode: responseMode,
    max_age: maxAge,
    ...others
  } = withoutUndefined(parameters);
  const texts = Object.entries(others).map(([name, value]) => [name, String(value)]);
  return withoutUndefined({
    scope,
    responseType,
    responseMode,
    maxAge: maxAge === undefined ? undefined : Number(maxAge),
    authorizationParams: texts.length === 0 ? undefined : Object.fromEntries(texts),
  });
}

function withoutUndefined(parameters: AuthorizationParams): AuthorizationParams {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));
}
