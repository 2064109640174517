// `prismapi policies mutate` loads this file before the tests, in each of their processes and threads. The change is
// part of its URL, so a variable that outlives the run means nothing to a server. It is plain JavaScript, so that
// sources and the package load it alike.
import { isMainThread } from 'node:worker_threads'

const { searchParams } = new URL(import.meta.url)
const tools = new URL(searchParams.get('tools'), import.meta.url).href
// Not every Node reads TypeScript in its threads.
if (isMainThread || tools.endsWith('.js')) {
  const { coverPolicies, mutatePolicy } = await import(tools)
  const [mutant, file] = [searchParams.get('mutant'), searchParams.get('coverage')]
  if (mutant !== null) mutatePolicy(JSON.parse(mutant))
  if (file !== null) coverPolicies(() => file)
}
