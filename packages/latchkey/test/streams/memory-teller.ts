/** Reports the memory use of a process on request, without garbage. */
process.on("message", () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage());
});
