// Loaded into every measured server with --import: it answers how much CPU time and memory the operating system
// accounts to this process, so that a server needs no line of its own for being measured.
process.on("message", (question) => {
  if (question !== "usage") return;
  const { user, system } = process.cpuUsage();
  process.send?.({ usage: { cpuMicros: user + system, residentBytes: process.memoryUsage.rss() } });
});
process.once("disconnect", () => process.exit(0));
process.once("SIGTERM", () => process.exit(0));
