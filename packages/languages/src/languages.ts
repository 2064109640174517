import type { Feature } from '@prismapi/core/api/feature'
import { type Catalogue, english, type Language, type Languages } from '@prismapi/jsonapi/document/text'
import type { Context } from 'koa'
import { chooserOf } from './choice.ts'

/** Clients are told what was wrong in the language that they prefer, where the application has it. */
export const languages: Feature = {
  languageOf: (options) => (options.languages === undefined ? null : languageOf(options.languages)),
}

/**
 * Says which of the languages a request prefers by `Accept-Language`; English where it prefers none of these.
 *
 * @throws {Error} at boot, for what is no tag of a language.
 */
function languageOf(languages: Languages): (ctx: Context) => Language {
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
