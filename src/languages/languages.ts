import type { Context } from 'koa'
import type { JsonApiError } from '../document/error.ts'
import { Message, type Text } from '../document/text.ts'
import type { TellError } from '../http/api.ts'
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

const english = 'en'

/**
 * Tells errors in the language that a request prefers by `Accept-Language`; in English where it prefers none of these.
 *
 * @throws {Error} at boot, for what is no tag of a language.
 */
export function tellerOf(languages: Languages): TellError {
  for (const tag of Object.keys(languages)) checkTag(tag)
  const catalogues = new Map(Object.entries(languages).map(([tag, texts]) => [tag, new Map(Object.entries(texts))]))
  const choose = chooserOf([english, ...catalogues.keys()])
  return (ctx: Context, error: JsonApiError) => {
    ctx.vary('Accept-Language')
    const language = choose(ctx)
    const catalogue = catalogues.get(language)
    const tell = (text: Text): string => (catalogue ? told(text, catalogue) : String(text))
    return error.toldBy(tell, { 'Content-Language': language })
  }
}

function told(text: Text, catalogue: ReadonlyMap<string, string>): string {
  if (typeof text === 'string') return catalogue.get(text) ?? text
  const { template } = text
  // What a client sent is no text of ours, even where it is the same.
  const gapIn = (gap: unknown) => (gap instanceof Message ? told(gap, catalogue) : String(gap))
  return text.fill(catalogue.get(template) ?? template, gapIn)
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
