import { route } from "../../../auth";

export const GET = route(() => {
  throw new Error("broken");
});
