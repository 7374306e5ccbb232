import { defineHandler } from "nitro";
import { getRouterParam } from "nitro/h3";

export default defineHandler((event) => {
  event.res.status = Number(getRouterParam(event, "code"));
  return "";
});
