// Loaded into every child with --import: a child whose parent died without a word ends as well.
const graceMs = 5000;

process.once("disconnect", () => {
  process.kill(process.pid, "SIGTERM");
  setTimeout(() => process.exit(1), graceMs).unref();
});
process.channel?.unref();
