/** What `util.inspect` and `console.error` of Node call to show a value. */
export const inspect: unique symbol = Symbol.for("nodejs.util.inspect.custom") as never;
