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
    if ((await init(input, terminal)) !== null) terminal.say('\nNext: npm install, then npx prisma generate.')
  },
}

/** A new application, or the API of a project that was there. */
export type Made = 'application' | 'project'

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

async function planFor({ root, values }: Input): Promise<Plan> {
  const asked = checkProvider(values.provider)
  const signIn = checkSignIn(values.auth)
  const found = madeFor(root, signIn)
  if (found !== null && (asked ?? found) === found)
    return { made: 'application', files: planApplication(root, found, signIn) }
  if (found === null && !isPrismaProject(root)) {
    const provider = asked ?? 'sqlite'
    checkEmpty(root, { scripts: applicationScripts, files: [...applicationFiles(provider, signIn).keys()] })
    return { made: 'application', files: planApplication(root, provider, signIn) }
  }
  if (signIn !== null)
    throw new UsageError(
      '--auth is for a new application, and there is a Prisma schema already. docs/authentication.md shows what to write.',
    )
  if (asked === null)
    return { made: 'project', files: await planProject(root, { idempotency: values.idempotency === true }) }
  throw new UsageError('--provider is for a new application, and there is a Prisma schema already. Leave it out.')
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
