import { type Content, html } from './html.ts'

/** What the application says of its parts, in the language of the page: code stands between backticks. */
export const withCode =
  (text: string): Content =>
  (language) =>
    language
      .textFor(text)
      .split(/`([^`]+)`/)
      .map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))
