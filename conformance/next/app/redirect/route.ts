import { redirect } from "next/navigation";
import { route } from "../../auth";

export const GET = route(() => redirect("/private"));
