import type { Options } from "latchkey";

/** The parameters of 3.x: values of any type. Some of them are separate settings of Latchkey. */
// oxlint-disable-next-line typescript/no-explicit-any -- the type of 3.x
export type AuthorizationParams = Readonly<Record<string, any>>;

/** Converts such parameters to settings; `undefined` counts as absent. */
export function toSettings(parameters: AuthorizationParams = {}): Partial<Options> {
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
