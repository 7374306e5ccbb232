/** Runs in the page: everything that has moved by itself since the page was opened. */
export function layoutShifts(): Promise<string[]> {
  const found: string[] = [];
  // Text that is drawn anew at a broken pixel counts for less than this, and nobody sees it move.
  const rounding = 0.001;
  const observer = new PerformanceObserver((list) => {
    const moved = list
      .getEntries()
      .filter((entry) => !("value" in entry && Number(entry.value) < rounding));
    found.push(...moved.map((entry) => JSON.stringify(entry)));
  });
  observer.observe({ type: "layout-shift", buffered: true });
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      setTimeout(() => {
        observer.disconnect();
        resolve(found);
      }, 30);
    });
  });
}
