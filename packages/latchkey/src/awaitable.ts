/** Either at once or later: at once in Node with an embedded store, later elsewhere. */
export type Awaitable<T> = T | Promise<T>;

/**
 * Goes on with a value, at once where it is there.
 *
 * The read of a session stands in front of every request. On Node nothing in it has to wait, and a chain of promises
 * that have nothing to wait for costs as much as opening the session does.
 */
export function andThen<T, R>(value: Awaitable<T>, goOn: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}

/** Does some work, and where it fails, at once or later, something else. */
export function orElse<T>(
  work: () => Awaitable<T>,
  instead: (error: unknown) => Awaitable<T>,
): Awaitable<T> {
  try {
    const result = work();
    return result instanceof Promise ? result.catch(instead) : result;
  } catch (error) {
    return instead(error);
  }
}
