/**
 * Keeps this process from going to sleep while it waits for answers: to wake it is charged to the server that answers,
 * and a quick one, whose answers are always waited for by somebody who is awake, would look quicker than it is.
 *
 * @returns lets it sleep again
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
