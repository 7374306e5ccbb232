/** Runs in the page: everything that has moved by itself since the page was opened. */
export function layoutShifts(): Promise<string[]> {
  const found: string[] = [];
  const observer = new PerformanceObserver((list) => {
    found.push(...list.getEntries().map((entry) => JSON.stringify(entry)));
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
