import { pages, type PagesSettings } from "@latchkey/pages";
import { languages } from "@latchkey/pages/languages";
import type { AuthRequest, Config, ResponseParts } from "latchkey";

import { gzipPage } from "../serving/gzip-page.ts";
import type { AppSettings } from "./settings/settings.ts";

type AppPages = ReturnType<typeof pages>;
type Created = ReturnType<ReturnType<AppPages["open"]>["pages"]>;

/** The option for sign-in, and the pages that it has opened. */
export interface OwnPages {
  readonly option: AppPages;
  /**
   * The pages at a site.
   *
   * @throws Error before the settings have been checked
   */
  at(config: Config): Created;
}

/** The settings of the pages: they are a site of their own, in all languages. */
export function pagesSettings(look: AppSettings["look"]): PagesSettings {
  return { ...look, standalone: true, languages };
}

/** The pages of this application: compressed, and open to problems of its server. */
export function createOwnPages(look: AppSettings["look"]): OwnPages {
  const option = pages(pagesSettings(look));
  let open: ((config: Config) => Created) | undefined;
  return {
    option: {
      ...option,
      open(engine) {
        const { pages: pagesAt } = option.open(engine);
        return {
          pages(site) {
            open ??= (config) => pagesAt({ ...site, config });
            return compressPages(pagesAt(site));
          },
        };
      },
    },
    at(config) {
      if (open === undefined) throw new Error("The pages have not been opened.");
      return open(config);
    },
  };
}

function compressPages(opened: Created): Created {
  const { respond } = opened;
  return {
    ...opened,
    respond: (request) =>
      respond?.(request)?.then((response) => compressPage(response, request)) ?? null,
  };
}

function compressPage(response: ResponseParts, { headers }: AuthRequest): ResponseParts {
  const { body } = response;
  const isPage = typeof body === "string" && body.startsWith("<!doctype html>");
  if (!isPage || !acceptsGzip(headers.get("accept-encoding") ?? "")) return response;
  return {
    ...response,
    headers: [...response.headers, ["Content-Encoding", "gzip"]],
    body: gzipPage(body),
  };
}

/** RFC 9110, section 12.5.3. */
function acceptsGzip(accepted: string): boolean {
  return accepted.split(",").some((each) => {
    const [coding = "", ...parameters] = each.split(";").map((part) => part.trim().toLowerCase());
    return coding === "gzip" && !parameters.some((part) => /^q=0(?:\.0*)?$/.test(part));
  });
}
