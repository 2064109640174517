import type { Context } from 'koa'
import { english, type Language } from '../document/language.ts'
import { chooserOf } from './choice.ts'

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

/**
 * Says which of the languages a request prefers by `Accept-Language`; English where it prefers none of these.
 *
 * @throws {Error} at boot, for what is no tag of a language.
 */
export function languageOf(languages: Languages): (ctx: Context) => Language {
  for (const tag of Object.keys(languages)) checkTag(tag)
  const known = new Map([[english.tag, english], ...Object.entries(languages).map(languageFrom)])
  const choose = chooserOf([english.tag, ...known.keys()])
  return (ctx) => known.get(choose(ctx)) as Language
}

function languageFrom([tag, catalogue]: readonly [string, Catalogue]): [string, Language] {
  const texts = new Map(Object.entries(catalogue))
  return [tag, { tag, textFor: (text) => texts.get(text) ?? text }]
}

function checkTag(tag: string): void {
  try {
    Intl.getCanonicalLocales(tag)
  } catch (cause) {
    throw new Error(`createApi({ languages }): "${tag}" is no tag of a language. Write one such as de or pt-BR.`, {
      cause,
    })
  }
}
