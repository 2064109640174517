import { english, type Language } from '../../document/language.ts'
import type { Call } from '../../http/call.ts'

/** The language of a page, which its headers name where the application has more than one. */
export function languageFor({ koa, api: { languageOf } }: Call): Language {
  if (!languageOf) return english
  const language = languageOf(koa)
  koa.vary('Accept-Language')
  koa.set('Content-Language', language.tag)
  return language
}
