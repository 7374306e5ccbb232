/** A value, or the promise of one: what an app or a store may return. `await` takes both. */
export type MaybePromise<T> = T | Promise<T>;
