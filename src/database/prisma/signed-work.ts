import type { Provider } from '../../model/meta.ts'
import { type Signature, signatureSettings } from '../signature.ts'
import type { SqlWriter } from '../sql-database.ts'
import type { Delegates } from '../store.ts'
import { type RawClient, setSettings } from './raw-client.ts'

interface SignedParts {
  readonly client: Delegates
  readonly provider: Provider
  readonly writer: SqlWriter | null
}

/** Does the work of a transaction that has just begun, whose changes the log has with a signature. */
export async function signedWork<T>(
  { client, provider, writer }: SignedParts,
  signature: Signature,
  work: () => Promise<T>,
): Promise<T> {
  const raw = client as unknown as RawClient
  if (provider !== 'sqlite') {
    // The triggers read settings of the transaction.
    await setSettings(raw, signatureSettings(signature))
    return work()
  }
  const sign = writer?.mark?.() ?? (await markByPrisma(raw))
  const result = await work()
  await sign(signature)
  return result
}

/** No other connection writes meanwhile: what comes behind the place where the log ends is of this transaction. */
async function markByPrisma(raw: RawClient): Promise<(signature: Signature) => Promise<unknown>> {
  const [row] = await raw.$queryRawUnsafe('SELECT max("id") AS "last" FROM "Change"')
  return ({ request, user }) =>
    raw.$executeRawUnsafe(
      'UPDATE "Change" SET "request" = ?, "user" = ? WHERE "id" > ?',
      request,
      user,
      row?.last ?? 0n,
    )
}
