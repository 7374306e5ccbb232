/** Prints the result of a soak. The process fails if a requirement does not hold. */
export function reportResult(
  name: string,
  must: Readonly<Record<string, boolean>>,
  figures: object,
): void {
  const broken = Object.entries(must).filter(([, holds]) => !holds);
  console.log(`${broken.length === 0 ? "ok    " : "FAILED"} ${name}`);
  for (const [sentence] of broken) console.log(`       not so: ${sentence}`);
  for (const [figure, value] of Object.entries(figures)) {
    console.log(
      `       ${figure}: ${typeof value === "number" ? roundValue(value) : JSON.stringify(value)}`,
    );
  }
  if (broken.length > 0) process.exitCode = 1;
}

function roundValue(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}
