export { languages } from "./messages/languages.ts";
