// Loaded into every measured server with --import. Reports the CPU time and memory of the process.
process.on("message", (question) => {
  if (question !== "usage") return;
  const { user, system } = process.cpuUsage();
  process.send?.({ usage: { cpuMicros: user + system, residentBytes: process.memoryUsage.rss() } });
});
process.once("disconnect", () => process.exit(0));
process.once("SIGTERM", () => process.exit(0));
