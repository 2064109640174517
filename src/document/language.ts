import { Message, type Text } from './text.ts'

/** A language that texts are told in. */
export interface Language {
  /** @see https://www.rfc-editor.org/rfc/rfc5646 */
  readonly tag: string
  /** The text for an English one, whose gaps have numbers; the English one where the language lacks it. */
  textFor(english: string): string
}

/**
 * Texts of one language by the English ones, as `say` has them: `{0}` and `:max` stand for what is filled in, in any order.
 * What a catalogue lacks is told in English.
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
export function toldIn(language: Language, text: Text): string {
  if (typeof text === 'string') return language.textFor(text)
  const gapIn = (gap: unknown) => (gap instanceof Message ? toldIn(language, gap) : String(gap))
  return text.fill(language.textFor(text.template), gapIn)
}
