/**
 * Keeps this process awake while it waits for responses. To wake it is charged to the server that responds, and a
 * quick server, whose responses always meet a process that is awake, would look quicker than it is.
 *
 * @returns lets the process sleep again
 */
export function stayAwake(): () => void {
  let isOver = false;
  function turn(): void {
    if (!isOver) setImmediate(turn);
  }
  turn();
  return () => {
    isOver = true;
  };
}
