type ErrorClass = abstract new (...given: never[]) => Error;

/**
 * Names error classes, and lets `instanceof` recognize errors of other copies of this package by
 * name. Next bundles one copy for the proxy and one for the pages, and shortens class names.
 */
export function nameErrors(classes: Readonly<Record<string, ErrorClass>>): void {
  for (const [name, of] of Object.entries(classes)) nameError(of, name);
}

function nameError(of: ErrorClass, name: string): void {
  const mark = Symbol.for(`latchkey.${name}`);
  Object.defineProperties(of.prototype, {
    name: { value: name, writable: true, configurable: true },
    [mark]: { value: true },
  });
  Object.defineProperty(of, Symbol.hasInstance, {
    value(this: unknown, error: unknown): boolean {
      // A subclass inherits this function.
      return this === of
        ? error instanceof Error && mark in error
        : Function.prototype[Symbol.hasInstance].call(this, error);
    },
  });
}
