/** Loaded before the application: its clock is the machine's plus the seconds that stand in a file. */
import { readFileSync } from "node:fs";

const file = process.env["STORY_CLOCK"] ?? "";
const machineNow = Date.now;

function shiftedNow(): number {
  return machineNow() + Number(readFileSync(file, "utf8")) * 1000;
}

globalThis.Date = new Proxy(Date, {
  construct: (target, values, maker) =>
    Reflect.construct(target, values.length === 0 ? [shiftedNow()] : values, maker),
  get: (target, name) => (name === "now" ? shiftedNow : Reflect.get(target, name)),
});
