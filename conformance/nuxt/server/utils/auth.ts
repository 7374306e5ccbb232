import { authFromEnvironment } from "latchkey/node";

export const auth = authFromEnvironment();
