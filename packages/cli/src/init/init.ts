import { box, nextLines } from '../box.ts'
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
import { carryOut, type PlannedFile, paintedPatch, textOf } from './plan.ts'
import { Refusals } from './refusals.ts'
import { type SignInKind, signInKinds } from './sign-in-parts.ts'

/** `prismapi init`: a new application, or what a project with a Prisma schema needs. */
export const initCommand: Command = {
  usage: 'init [--provider=sqlite|postgresql] [--auth=better-auth|oidc|keys|password] [--idempotency] [--dry-run]',
  summary: 'Makes an application of an empty folder, or adds an API to a project that has a Prisma schema.',
  example: 'init --provider=postgresql',
  options: {
    provider: { type: 'string', about: 'The database of a new application: sqlite, unless it is postgresql.' },
    idempotency: {
      type: 'boolean',
      about: 'Adds the model IdempotencyKey to a schema that is there; a new application has it.',
    },
    auth: {
      type: 'string',
      about: 'How people sign in to a new application: better-auth, oidc, keys or password. Left out, by tokens.',
    },
    'dry-run': { type: 'boolean', about: 'Shows what would change, as a patch, and changes nothing.' },
  },
  async run(input, terminal) {
    if (input.positionals.length > 0) throw new UsageError(`Usage: prismapi ${initCommand.usage}`)
    const made = await init(input, terminal)
    if (made !== null) terminal.say(`\n${box([...wordsOf(made), '', ...nextLines(commandsAfter(made))])}`)
  },
}

/** A new application, or the API of a project that was there. */
export type Made = 'application' | 'project'

/** The commands that install it and make its database; the last one starts it. */
export const commandsAfter = (made: Made): readonly string[] => [
  'npm install',
  'npx prisma generate',
  ...(made === 'application'
    ? ['npx prisma migrate dev --name init', 'npx prisma db seed', 'npm run dev']
    : ['npm run api']),
]

/** What there is now, in a sentence or two. */
export const wordsOf = (made: Made): readonly string[] =>
  made === 'application'
    ? ['Your application is written.']
    : ['Your project has an API now. It denies everything', 'until you allow it in the files of policies/.']

interface Plan {
  readonly made: Made
  readonly files: readonly PlannedFile[]
}

/** Carries out `prismapi init`, says each file, and tells what was made; null where nothing was. */
export async function init(input: Input, terminal: Terminal): Promise<Made | null> {
  const { made, files } = await planFor(input)
  const isDone = files.every(({ action }) => action === 'keep')
  if (isDone) terminal.say('Nothing to do: everything is there already.')
  const isShown = input.values['dry-run'] === true
  if (isShown) show(files, terminal)
  else carryOutAll(input.root, files, terminal)
  return isDone || isShown ? null : made
}

const forNew = {
  auth: '--auth is for a new application, and there is a Prisma schema already. docs/authentication.md shows what to write.',
  provider: '--provider is for a new application, and there is a Prisma schema already. Leave it out.',
}

/** @throws {UsageError} with everything that is in the way, and not only the first thing. */
async function planFor({ root, values }: Input): Promise<Plan> {
  const refusals = new Refusals()
  const asked = refusals.try(() => checkProvider(values.provider))
  const signIn = refusals.try(() => checkSignIn(values.auth))
  refusals.check()
  const found = madeFor(root, signIn)
  if (found !== null && (asked ?? found) === found)
    return planned('application', planApplication(root, found, signIn, refusals), refusals)
  if (found === null && !isPrismaProject(root)) {
    const provider = asked ?? 'sqlite'
    const files = [...applicationFiles(provider, signIn).keys()]
    checkEmpty(root, refusals, { scripts: applicationScripts, files })
    return planned('application', planApplication(root, provider, signIn, refusals), refusals)
  }
  if (signIn !== null) refusals.note(new UsageError(forNew.auth))
  if (asked !== null) refusals.note(new UsageError(forNew.provider))
  // What is there was made by this command for another database, and nothing of it may be installed yet.
  if (found !== null) refusals.check()
  const files = await planProject(root, refusals, { idempotency: values.idempotency === true })
  return planned('project', files, refusals)
}

function planned(made: Made, files: Plan['files'], refusals: Refusals): Plan {
  refusals.check()
  return { made, files }
}

function checkProvider(asked: unknown): NewProvider | null {
  if (asked === undefined) return null
  const known = newProviders.find((provider) => provider === asked)
  if (known !== undefined) return known
  throw new UsageError(`--provider is ${newProviders.join(' or ')}, not "${String(asked)}".`)
}

function checkSignIn(asked: unknown): SignInKind | null {
  if (asked === undefined) return null
  const known = signInKinds.find((kind) => kind === asked)
  if (known !== undefined) return known
  throw new UsageError(
    `--auth is ${signInKinds.slice(0, -1).join(', ')} or ${signInKinds.at(-1)}, not "${String(asked)}".`,
  )
}

/** The database of an application as this command left it: nothing of a schema like that is the user's own yet. */
function madeFor(root: string, signIn: SignInKind | null): NewProvider | null {
  const schema = textOf(root, 'prisma/schema.prisma')
  return (
    newProviders.find((provider) => applicationFiles(provider, signIn).get('prisma/schema.prisma') === schema) ?? null
  )
}

function show(files: readonly PlannedFile[], { say, complain, paint }: Terminal): void {
  for (const file of files) if (file.action !== 'keep') say(paintedPatch(file, { paint }))
  // Not among the patch, which the user may save.
  for (const file of files) for (const line of remarkOf(file)) complain(paint('yellow', line))
}

function carryOutAll(root: string, files: readonly PlannedFile[], { say, paint }: Terminal): void {
  const isDone = files.every(({ action }) => action === 'keep')
  for (const file of files) {
    carryOut(root, file)
    if (file.action === 'create') say(`${paint('green', 'created')} ${file.path}`)
    else if (file.action === 'change')
      say(`${paint('green', 'changed')} ${file.path}\n${paintedPatch(file, { paint })}`)
    else if (!isDone) say(`${paint('yellow', 'kept')} ${file.path}`)
    for (const line of remarkOf(file)) say(paint('yellow', line))
  }
}

const remarkOf = ({ path, remark }: PlannedFile): readonly string[] => (remark === null ? [] : [`${path} ${remark}`])
