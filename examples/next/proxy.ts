export { proxy } from "./auth";
