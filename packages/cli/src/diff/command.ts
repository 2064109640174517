import { type Command, UsageError } from '../command.ts'
import { compareSurfaces } from './compare.ts'
import { breakingCount, diffPage, isUnannounced } from './page.ts'
import { readApi } from './read-api.ts'

/** `prismapi diff`: what became of an API, and whether its clients notice. */
export const diffCommand: Command = {
  usage: 'diff <old> <new> [--allow-sunset] [--json]',
  summary: 'Compares two OpenAPI documents, or two resource files, and names each change that breaks clients.',
  details: 'The status is 1 where clients of the old one break with the new one.',
  example: 'diff openapi.old.json openapi.json',
  options: {
    'allow-sunset': { type: 'boolean', about: 'What was deprecated, and whose sunset is over, may break.' },
    json: { type: 'boolean', about: 'Prints the changes as JSON.' },
  },
  async run({ root, values, positionals }, { say, ...terminal }) {
    const [from, to, ...rest] = positionals
    if (from === undefined || to === undefined || rest.length > 0)
      throw new UsageError(`Usage: prismapi ${diffCommand.usage}`)
    const [old, now] = [await readApi(root, from), await readApi(root, to)]
    if (old.kind !== now.kind)
      throw new UsageError(
        `${from} is ${old.kind} and ${to} is ${now.kind}. Compare two of a kind: an OpenAPI document has what schema classes and rules say, too.`,
      )
    const changes = compareSurfaces({ old: old.surface, now: now.surface, at: new Date() })
    if (values.json === true) say(JSON.stringify({ changes }, null, 2))
    else say(diffPage(changes, { title: `${from} → ${to}` }, { say, ...terminal }))
    const refused =
      values['allow-sunset'] === true ? changes.filter(isUnannounced) : changes.filter((each) => each.breaks)
    if (refused.length > 0) throw new UsageError(`${breakingCount(refused)}.`)
  },
}
