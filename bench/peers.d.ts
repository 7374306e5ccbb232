/** The parts in use of packages installed by the benchmark itself. */
declare module "undici" {
  export { Agent, Client, request } from "undici-types";
}
