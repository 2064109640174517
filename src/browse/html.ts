/** Text that is HTML already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What may stand in a template: text is escaped, nothing and false are left out, a list is its parts one after another. */
export type Content = Html | string | number | null | undefined | false | readonly Content[]

/**
 * HTML of which every part that is not HTML itself is escaped, for attributes in quotes as well as for text.
 *
 * @example
 * html`<a href="${href}">${title}</a>`
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Content[]): Html {
  return new Html(strings.reduce((text, string, i) => text + textOf(parts[i - 1]) + string))
}

function textOf(content: Content): string {
  if (content instanceof Html) return content.text
  if (content === null || content === undefined || content === false) return ''
  if (typeof content === 'object') return content.map(textOf).join('')
  return String(content).replace(/[&<>"']/g, (character) => escapes[character] as string)
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** What a form sends beside what its reader writes. */
export const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`
