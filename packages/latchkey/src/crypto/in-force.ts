/** A value that may be replaced while the app runs, such as secrets. */
export interface InForce<Value> {
  /** Do not keep it: another one may be in force at the next use. */
  current(): Value;
  replace(value: Value): void;
}

export function inForce<Value>(initial: Value): InForce<Value> {
  let value = initial;
  return {
    current: () => value,
    replace: (next) => void (value = next),
  };
}
