// Loaded into every child with --import: a child whose parent was killed exits as well.
const graceMs = 5000;

process.once("disconnect", () => {
  process.kill(process.pid, "SIGTERM");
  setTimeout(() => process.exit(1), graceMs).unref();
});
process.channel?.unref();
