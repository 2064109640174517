import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Resources } from '../model/meta.ts'
import { schemaDigest } from '../model/schema-digest.ts'

/**
 * Looks whether the Prisma schema says what it said when the resources were generated. Beside a built application there is no
 * schema, and nothing to compare.
 *
 * @throws {Error} where it does not: what it hides since then would be served.
 */
export function checkGenerated({ origin }: Resources): void {
  if (origin === undefined) return
  const file = fileURLToPath(origin.file)
  const schema = path.resolve(path.dirname(file), origin.schema)
  const digest = schemaDigest(schema)
  if (digest === null || digest === origin.digest) return
  const [generated, source] = [file, schema].map((each) => path.relative('', each))
  throw new Error(`${generated} was not generated from what ${source} says now. Run "npx prisma generate".`)
}
