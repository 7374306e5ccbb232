import { type ComponentChildren, options, toChildArray } from "preact";
import { renderToString } from "preact-render-to-string";

/*
 * What the screens use of React, for the one renderer that makes text of them. A context is a list
 * of values, the innermost last: to subscribe to one costs a third of a page, and text never
 * changes.
 */
export * from "./preact-hooks.ts";

export const Children = { toArray: toChildArray };

type Provider<Value> = (props: {
  readonly value: Value;
  readonly children: ComponentChildren;
}) => ComponentChildren;

type Context<Value> = Provider<Value> & {
  readonly values: Value[];
  readonly Provider: Provider<Value>;
};

/** The values of providers that are being rendered, outermost first. */
const entered: unknown[][] = [];

export function createContext<Value>(initial: Value): Context<Value> {
  const values = [initial];
  const enter: Provider<Value> = ({ value, children }) => {
    values.push(value);
    entered.push(values);
    return children;
  };
  const context = Object.assign(enter, { values });
  return Object.assign(context, { Provider: context });
}

export function useContext<Value>({ values }: Context<Value>): Value {
  return values.at(-1) as Value;
}

const { diffed } = options;
options.diffed = (node) => {
  if (typeof node.type === "function" && "values" in node.type) entered.pop()?.pop();
  diffed?.(node);
};

export function useSyncExternalStore<Value>(
  _subscribe: unknown,
  _current: unknown,
  onServer: () => Value,
): Value {
  return onServer();
}

export function renderToStaticMarkup(node: Parameters<typeof renderToString>[0]): string {
  const outside = entered.length;
  try {
    return renderToString(node);
  } finally {
    // A component that throws leaves its providers entered.
    while (entered.length > outside) entered.pop()?.pop();
  }
}
