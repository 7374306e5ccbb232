/** Loaded before the application. Adds the seconds in a file to the clock of the machine. */
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
