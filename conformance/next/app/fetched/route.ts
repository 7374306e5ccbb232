import { route } from "../../auth";

export const GET = route(() => fetch(`${process.env["UPSTREAM"]}/`));
