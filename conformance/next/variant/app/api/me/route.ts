import { auth, route } from "../../../auth";

export const GET = route(async () => Response.json((await auth()).require().user));
