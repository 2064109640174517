// A loader hook: counts how often each branch and function of the parsers is taken. Behind the one that makes JavaScript of TypeScript.
import { fileURLToPath } from 'node:url'
import { createInstrumenter } from 'istanbul-lib-instrument'

const parsers =
  /\/src\/(?:query|document|condition|pagination|idempotency|request|actions\/atomic|http\/request|http\/response)\//
const instrumenter = createInstrumenter({ esModules: true, compact: false, produceSourceMap: false })

export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context)
  if (loaded.format !== 'module' || !url.startsWith('file:') || !parsers.test(url)) return loaded
  const code = Buffer.from(loaded.source).toString()
  return { ...loaded, source: instrumenter.instrumentSync(code, fileURLToPath(url)) }
}
