import { webSocketRows } from "../suite/rows/websockets.ts";
import { drivenHost } from "../suite/world.ts";

webSocketRows(drivenHost);
