import type { Context } from 'koa'
import { splitUnquoted } from './media-type.ts'

/**
 * What the client prefers (https://www.rfc-editor.org/rfc/rfc7240#section-2), in lower case: `explain=authorization`. Parameters are
 * left out, and an empty value is none.
 */
export function preferencesOf({ req: { headers } }: Pick<Context, 'req'>): readonly string[] {
  const { prefer } = headers
  if (prefer === undefined) return []
  return splitUnquoted(String(prefer), ',').map((each) => {
    const [preference = ''] = splitUnquoted(each, ';')
    return preference
      .toLowerCase()
      .replace(/[\s"\\]/g, '')
      .replace(/=$/, '')
  })
}
