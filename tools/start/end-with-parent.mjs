// Loaded into every child with --import: a child whose parent was killed exits as well.
const graceMs = 30_000;

process.once("disconnect", () => {
  process.kill(process.pid, "SIGTERM");
  setTimeout(() => process.exit(1), graceMs).unref();
});
process.channel?.unref();
