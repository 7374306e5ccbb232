const end = () => process.exit(1);

/** Ends this worker if its run is killed: an open server would keep it. */
export function endWithRun(): void {
  process.off("disconnect", end).once("disconnect", end);
}
