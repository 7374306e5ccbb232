import { everyRow } from "./rows/all.ts";
import { drivenHost } from "./world.ts";

everyRow(drivenHost);
