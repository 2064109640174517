/**
 * A text in English, with what stands in its gaps apart: other languages look it
 * up by its template, and fill the gaps in an order of their own. Made by `say`.
 *
 * @see https://jsonapi.org/format/#error-objects
 * @example
 * const taken = (seat: string): Message => say`Seat ${seat} is taken.`
 */
export class Message {
  readonly #around: readonly string[]
  readonly #gaps: readonly unknown[]
  readonly #names: readonly string[] | null

  /** @internal */
  constructor(around: readonly string[], gaps: readonly unknown[], names: readonly string[] | null = null) {
    this.#around = around
    this.#gaps = gaps
    this.#names = names
  }

  /** The text as catalogues have it: `Include path {0} is not allowed.` */
  get template(): string {
    return this.#join((i) => this.#nameOf(i))
  }

  /** The text in English. */
  toString(): string {
    return this.#join((i) => String(this.#gaps[i]))
  }

  /**
   * The text by the template of another language, in which `tell` says what is in a gap.
   *
   * @internal
   */
  fill(template: string, tell: (gap: unknown) => string): string {
    const names = this.#gaps.map((_, i) => this.#nameOf(i))
    return template.replace(/\{\d+\}|:\w+/g, (found) => {
      const i = names.indexOf(found)
      return i === -1 ? found : tell(this.#gaps[i])
    })
  }

  #nameOf(gap: number): string {
    return this.#names?.[gap] ?? `{${gap}}`
  }

  #join(filled: (gap: number) => string): string {
    return this.#around.reduce((text, part, i) => text + filled(i - 1) + part)
  }
}

/** A text for people: as it is, or with what stands in its gaps apart. */
export type Text = string | Message

/**
 * A text in English that `createApi({ languages })` may have in other languages, too.
 * What is in its gaps is the same in all of them, unless it was made by `say` itself.
 *
 * @see https://jsonapi.org/format/#error-objects
 * @example
 * const full = (seats: number) => conflict(say`All ${seats} seats are taken.`)
 * // In a catalogue: { 'All {0} seats are taken.': 'Alle {0} Plätze sind belegt.' }
 */
export const say = (around: TemplateStringsArray, ...gaps: readonly unknown[]): Message => new Message(around, gaps)

/** A text without gaps that is known at run time only: a name, or an application's own text. */
export const named = (name: string): Message => new Message([name], [])

/**
 * A language that texts are told in.
 *
 * @internal
 */
export interface Language {
  /** @see https://www.rfc-editor.org/rfc/rfc5646 */
  readonly tag: string
  /** The text for an English one, whose gaps have numbers; the English one where the language lacks it. */
  textFor(english: string): string
}

/**
 * Texts of one language by the English ones, as `say` has them: `{0}` and `:max` stand
 * for what is filled in, in any order. What a catalogue lacks is told in English.
 *
 * @example
 * import { german } from 'prismapi/languages'
 *
 * const swiss: Catalogue = { ...german, 'All {0} seats are taken.': 'Alle {0} Plätze sind besetzt.' }
 */
export type Catalogue = Readonly<Record<string, string>>

/**
 * Catalogues by the tags of their languages, `de` or `pt-BR`. English needs none.
 *
 * @see https://www.rfc-editor.org/rfc/rfc5646
 */
export type Languages = Readonly<Record<string, Catalogue>>

export const english: Language = { tag: 'en', textFor: (text) => text }

/** A text in a language. What a client sent is no text of ours, even where it is the same. */
export function translateText(language: Language, text: Text): string {
  if (typeof text === 'string') return language.textFor(text)
  const gapIn = (gap: unknown) => (gap instanceof Message ? translateText(language, gap) : String(gap))
  return text.fill(language.textFor(text.template), gapIn)
}
