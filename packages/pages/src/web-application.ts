/**
 * What the web application of this repository takes of this package beside `pages`. Packages do not
 * have it.
 */
export type { Boot } from "./client/boot.ts";
export type { Site } from "./components/page-frame.tsx";
export { createVocabulary } from "./messages/vocabulary.ts";
export { languages } from "./messages/languages.ts";
export { providerName } from "./messages/provider-name.ts";
export type { Names } from "./messages/words.ts";
export { addAccountPages } from "./pages/account/account-route.ts";
export { appProblemResponse } from "./pages/app-problem-response.ts";
export { addDevicesPages } from "./pages/devices/devices-routes.ts";
export { addHomePage } from "./pages/home/home-route.ts";
export { keptFormPage } from "./pages/kept-form/kept-form-screen.tsx";
export { addLiveWords } from "./pages/live-words-route.ts";
export type { PageApp, PageDeps } from "./pages/page-deps.ts";
export { pageResponse, wantsPage } from "./pages/page-response.ts";
export { type AppProblemKind, appProblem } from "./pages/problem/app-problems.ts";
export { factsOf } from "./pages/problem/problem-facts.ts";
export { problemPage } from "./pages/problem/problem-screen.tsx";
export { addStepUpPage, stepUpPath } from "./pages/step-up/step-up-route.ts";
export { addSamplePage } from "./pages/sample/sample-route.ts";
export { setupView } from "./pages/setup/setup-data.ts";
export { setupPage } from "./pages/setup/setup-screen.tsx";
export { withoutUserInfo } from "./pages/setup/without-user-info.ts";
export { signedOutPage } from "./pages/signed-out/signed-out-screen.tsx";
export {
  type Brand,
  type BrandColor,
  type ColorPair,
  brandSheet,
  type PairContrast,
  lowContrasts,
  withBrand,
} from "./rendering/brand.ts";
export type { DocumentParts, FixedPart } from "./rendering/document-parts.ts";
export { enginePaths } from "./rendering/engine-paths.ts";
export { createLiveWords } from "./rendering/live-words.ts";
export type { BuiltAssets, GalleryAssets, PageAssets } from "./rendering/page-assets.ts";
export type { Page } from "./rendering/page.ts";
export type { RenderContext } from "./rendering/render-context.ts";
export { inlineScripts } from "./rendering/inline-scripts.ts";
export { renderPage } from "./rendering/render.tsx";
export { styleSheets } from "./rendering/style-sheets.ts";
