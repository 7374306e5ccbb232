/** What the adapter uses of the routers of Express 4.22.3 and 5 beyond their documentation. */
import { LatchkeyError } from "../../errors/latchkey-error.ts";

type Next = (error?: unknown) => void;
type Step = (this: Layer, ...given: unknown[]) => void;

/** One handler in a router. */
interface Layer {
  readonly handle: (...given: unknown[]) => unknown;
  readonly route?: { readonly path: unknown } | undefined;
}

interface Application {
  /** Of Express 4, whose `router` throws. */
  readonly _router?: { readonly stack: readonly Layer[] };
  /** Of Express 5. */
  readonly router?: { readonly stack: readonly Layer[] };
}

function appOf(request: object): Application {
  return (request as { readonly app?: Application }).app ?? {};
}

/** The paths of routes that stand before a middleware of the app, which it cannot guard. */
export function routesBefore(middleware: unknown, request: object): readonly string[] {
  const app = appOf(request);
  // oxlint-disable-next-line no-underscore-dangle -- the name of Express 4; 5 has none
  const { stack = [] } = app._router ?? app.router ?? {};
  const place = stack.findIndex(({ handle }) => handle === middleware);
  return stack.slice(0, Math.max(place, 0)).flatMap(({ route }) => {
    return route === undefined ? [] : [String(route.path)];
  });
}

const isCaught = Symbol("rejections are caught");

interface LayerPrototype {
  [isCaught]?: true;
  handle_request?: Step;
  handle_error?: Step;
}

/**
 * Lets Express 4 go on with a refusal of ours that an async handler throws, as Express 5 does. It
 * drops the promises of handlers, and an unhandled rejection ends the process: the request of a
 * stranger would be enough. Other errors stay as they are.
 * https://github.com/expressjs/express/blob/v4.22.3/lib/router/layer.js
 */
export function catchRefusals(request: object): void {
  // oxlint-disable-next-line no-underscore-dangle -- the name of Express 4; 5 has none
  const [layer] = appOf(request)._router?.stack ?? [];
  if (layer === undefined) return;
  const prototype = Object.getPrototypeOf(layer) as LayerPrototype;
  if (prototype[isCaught] === true) return;
  prototype[isCaught] = true;
  const { handle_request: onRequest, handle_error: onError } = prototype;
  if (onRequest !== undefined) prototype.handle_request = catching(onRequest);
  if (onError !== undefined) prototype.handle_error = catching(onError);
}

function catching(step: Step): Step {
  return function stepAndCatch(this: Layer, ...given) {
    const { handle } = this;
    const next = given.at(-1) as Next;
    const caught = (...passed: unknown[]) => void catchRefusal(handle(...passed), next);
    // Express knows a handler of errors by the number of its parameters.
    Object.defineProperty(caught, "length", { value: handle.length });
    step.call(Object.create(this, { handle: { value: caught } }) as Layer, ...given);
  };
}

async function catchRefusal(returned: unknown, next: Next): Promise<void> {
  try {
    if (returned instanceof Promise) await returned;
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error;
    next(error);
  }
}
