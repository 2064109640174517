import type { Html } from '../html/html.ts'

/** How a package shows an OpenAPI document. */
export interface Viewer {
  /** What the pages call its script. */
  readonly scriptName: string
  /** Where it shows the document of that URL, which `assets/docs.js` reads and gives to it. */
  place(url: string): Html
}
