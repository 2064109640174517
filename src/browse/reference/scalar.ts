import { html } from '../html/html.ts'
import type { Viewer } from './viewer.ts'

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
