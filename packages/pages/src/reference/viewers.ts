import { type Html, html } from '../html/html.ts'

/** How a package shows an OpenAPI document. */
export interface Viewer {
  /** What the pages call its script. */
  readonly scriptName: string
  /** Where it shows the document of that URL, which `assets/docs.js` reads and gives to it. */
  place(url: string): Html
}

/** @see https://github.com/Authress-Engineering/openapi-explorer */
export const explorer: Viewer = {
  scriptName: 'openapi-explorer.js',
  place: (url) => html`<openapi-explorer data-document="${url}"></openapi-explorer>`,
}

/** Whatever would ask another host, or lead the document there, is off. */
const settings = {
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
}

/** @see https://github.com/scalar/scalar */
export const scalar: Viewer = {
  scriptName: 'scalar.js',
  place: (url) => html`<div data-document="${url}" data-settings="${JSON.stringify(settings)}"></div>`,
}
