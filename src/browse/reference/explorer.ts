import { html } from '../html/html.ts'
import type { Viewer } from './viewer.ts'

/** @see https://github.com/Authress-Engineering/openapi-explorer */
export const explorer: Viewer = {
  scriptName: 'openapi-explorer.js',
  place: (url) => html`<openapi-explorer data-document="${url}"></openapi-explorer>`,
}
