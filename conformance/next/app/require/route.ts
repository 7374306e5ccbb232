import { auth, route } from "../../auth";

export const GET = route(async () => new Response(`Member ${(await auth()).require().user.name}`));
