import type { Language } from '@prismapi/jsonapi/document/text'
import { type Words, wordsIn } from '../texts/words.ts'

/** What a template may contain: text is escaped, nothing and false are left out, a list is written part by part. */
export type Content = Html | Words | ((language: Language) => Content) | null | undefined | false | readonly Content[]

/** HTML whose texts are in no language yet. */
export class Html {
  readonly #around: readonly string[]
  readonly #parts: readonly Content[]

  constructor(around: readonly string[], parts: readonly Content[]) {
    this.#around = around
    this.#parts = parts
  }

  textIn(language: Language): string {
    return this.#around.reduce((text, string, i) => text + textIn(language, this.#parts[i - 1]) + string)
  }
}

/**
 * HTML of which every part that is not HTML itself is escaped, for attributes in quotes as well as for text.
 *
 * @example
 * html`<a href="${href}">${title}</a>`
 */
export const html = (around: TemplateStringsArray, ...parts: readonly Content[]): Html => new Html(around, parts)

function textIn(language: Language, content: Content): string {
  if (content instanceof Html) return content.textIn(language)
  if (content === null || content === undefined || content === false) return ''
  if (typeof content === 'function') return textIn(language, content(language))
  if (isList(content)) return content.map((each) => textIn(language, each)).join('')
  return wordsIn(language, content).replace(/[&<>"']/g, (character) => escapes[character] as string)
}

const isList = (content: Words | readonly Content[]): content is readonly Content[] => Array.isArray(content)

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** What a form sends beside what its reader writes. */
export const hidden = (name: string, value: string): Html => html`<input type="hidden" name="${name}" value="${value}">`

/** What the application says of its parts, in the language of the page: code stands between backticks. */
export const withCode =
  (text: string): Content =>
  (language) =>
    language
      .textFor(text)
      .split(/`([^`]+)`/)
      .map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))
