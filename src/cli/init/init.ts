import { type Command, type Input, UsageError } from '../command.ts'
import { isPrismaProject } from '../prisma-schema.ts'
import type { Terminal } from '../terminal.ts'
import { checkEmpty } from './empty-folder.ts'
import { planProject } from './existing-project.ts'
import {
  applicationFiles,
  applicationScripts,
  type NewProvider,
  newProviders,
  planApplication,
} from './new-application.ts'
import { carryOut, type PlannedFile, textOf } from './plan.ts'
import { paintedPatch } from './show-plan.ts'

/** `prismapi init`: a new application, or what a project with a Prisma schema needs. */
export const initCommand: Command = {
  usage: 'init [--provider=sqlite|postgresql] [--idempotency] [--dry-run]',
  summary: 'Makes an application of an empty folder, or adds an API to a project that has a Prisma schema.',
  options: {
    provider: { type: 'string', about: 'The database of a new application: sqlite, unless it is postgresql.' },
    idempotency: {
      type: 'boolean',
      about: 'Adds the model IdempotencyKey to a schema that is there; a new application has it.',
    },
    'dry-run': { type: 'boolean', about: 'Shows what would change, as a patch, and changes nothing.' },
  },
  async run(input, terminal) {
    if (input.positionals.length > 0) throw new UsageError(`Usage: prismapi ${initCommand.usage}`)
    const { root, values } = input
    const plan = await planFor(input)
    if (values['dry-run'] === true) show(plan, terminal)
    else carryOutAll(root, plan, terminal)
  },
}

async function planFor({ root, values }: Input): Promise<readonly PlannedFile[]> {
  const asked = checkProvider(values.provider)
  const made = madeFor(root)
  if (made !== null && (asked ?? made) === made) return planApplication(root, made)
  if (made === null && !isPrismaProject(root)) {
    const provider = asked ?? 'sqlite'
    checkEmpty(root, { scripts: applicationScripts, files: [...applicationFiles(provider).keys()] })
    return planApplication(root, provider)
  }
  if (asked === null) return planProject(root, { idempotency: values.idempotency === true })
  throw new UsageError('--provider is for a new application, and there is a Prisma schema already. Leave it out.')
}

function checkProvider(asked: unknown): NewProvider | null {
  if (asked === undefined) return null
  const known = newProviders.find((provider) => provider === asked)
  if (known !== undefined) return known
  throw new UsageError(`--provider is ${newProviders.join(' or ')}, not "${String(asked)}".`)
}

/** The database of an application as this command left it: nothing of a schema like that is the user's own yet. */
function madeFor(root: string): NewProvider | null {
  const schema = textOf(root, 'prisma/schema.prisma')
  return newProviders.find((provider) => applicationFiles(provider).get('prisma/schema.prisma') === schema) ?? null
}

function show(plan: readonly PlannedFile[], { say, complain, paint }: Terminal): void {
  const planned = plan.filter(({ action }) => action !== 'keep')
  if (planned.length === 0) say(nothingToDo)
  for (const file of planned) say(paintedPatch(file, { paint }))
  // Not among the patch, which the user may save.
  for (const file of plan) for (const line of remarkOf(file)) complain(paint('yellow', line))
}

function carryOutAll(root: string, plan: readonly PlannedFile[], { say, paint }: Terminal): void {
  const isDone = plan.every(({ action }) => action === 'keep')
  if (isDone) say(nothingToDo)
  for (const file of plan) {
    carryOut(root, file)
    if (file.action === 'create') say(`${paint('green', 'created')} ${file.path}`)
    else if (file.action === 'change')
      say(`${paint('green', 'changed')} ${file.path}\n${paintedPatch(file, { paint })}`)
    else if (!isDone) say(`${paint('yellow', 'kept')} ${file.path}`)
    for (const line of remarkOf(file)) say(paint('yellow', line))
  }
  if (!isDone) say('\nNext: npm install, then npx prisma generate.')
}

const remarkOf = ({ path, remark }: PlannedFile): readonly string[] => (remark === null ? [] : [`${path} ${remark}`])

const nothingToDo = 'Nothing to do: everything is there already.'
