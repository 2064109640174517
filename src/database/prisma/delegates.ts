import { lowerFirst } from '../../schema/naming.ts'
import type { Delegate, Delegates } from '../store.ts'

/** The delegate of a model, by the name that Prisma Client gives it. */
export function delegateOf(client: Delegates, model: string): Delegate {
  const delegate = client[lowerFirst(model)]
  if (!delegate) throw new Error(`Prisma Client has no model ${model}. Run "npx prisma generate".`)
  return delegate
}
