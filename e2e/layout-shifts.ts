/** Runs in the page. Returns every layout shift since the page was opened. */
export function layoutShifts(): Promise<string[]> {
  const found: string[] = [];
  // Rounding text to whole pixels shifts it by less than this, and is invisible.
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
