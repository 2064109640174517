import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, sep } from 'node:path'
import { UsageError } from '../command.ts'
import { strangers } from './empty-folder.ts'
import { enginesOf, type PackageNeeds, readManifest, textOfManifest, withNeeds } from './package-json.ts'
import { type PlannedFile, planChange, planCreate } from './plan.ts'
import type { Refusals } from './refusals.ts'
import { forPostgres, type NewProvider } from './schema-blocks.ts'
import { type SignInKind, signInNeeds, withSignIn } from './sign-in-parts.ts'

export type { NewProvider } from './schema-blocks.ts'
export const newProviders: readonly NewProvider[] = ['sqlite', 'postgresql']

// As far from src/init/ as from dist/init/.
const templates = new URL('../../assets/application/', import.meta.url)

/** The files of a new application by their paths, without `package.json` and `.env`. */
export function applicationFiles(provider: NewProvider, signIn: SignInKind | null = null): ReadonlyMap<string, string> {
  const names = readdirSync(templates, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll(sep, '/'))
    .filter((name) => statSync(new URL(name, templates)).isFile())
    .sort()
  const files = new Map(
    names.map((name): [string, string] => {
      const text = readFileSync(new URL(name, templates), 'utf8')
      // npm leaves out, or renames, what begins with a dot.
      return [name.replace(/^_/, '.'), provider === 'sqlite' ? text : forPostgres(name, text)]
    }),
  )
  return signIn === null ? files : withSignIn(files, signIn, provider)
}

/** A whole small application, beside what is in the folder. */
export function planApplication(
  root: string,
  provider: NewProvider,
  signIn: SignInKind | null = null,
  refusals: Pick<Refusals, 'try'> = throwing,
): readonly PlannedFile[] {
  const files = applicationFiles(provider, signIn)
  return [
    () => planChange(root, 'package.json', manifestText(root, needsOf(provider, signIn))),
    ...[...files].map(
      ([path, text]) =>
        () =>
          planCreate(root, path, text),
    ),
    () => planCreate(root, '.env', environment(files.get('.env.example') as string)),
  ].flatMap((plan) => refusals.try(plan) ?? [])
}

const throwing: Pick<Refusals, 'try'> = { try: (work) => work() }

function manifestText(root: string, wantedNeeds: PackageNeeds): string {
  const found = readManifest(root)
  // `npm init` says "commonjs" by itself; where code is there, its author may mean it.
  if (found && found.type !== 'module' && strangers(root).length > 0)
    throw new UsageError('package.json: prismapi is made of ES modules. Run npm pkg set type=module.')
  const manifest = found ?? { name: nameFor(root), version: '0.0.0', private: true }
  const { engines = { node: enginesOf(wantedNeeds.dependencies) } } = manifest
  // They build upon each other: where the user has changed some, the others would do what the user never asked for.
  const hasSome = applicationScripts.some((name) => name in { ...manifest.scripts })
  const wanted = hasSome ? { ...wantedNeeds, scripts: {} } : wantedNeeds
  return textOfManifest(root, withNeeds({ ...manifest, type: 'module', engines }, wanted))
}

const nameFor = (root: string): string =>
  basename(root)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '') || 'application'

const shared: PackageNeeds = {
  scripts: {
    dev: 'prismapi dev',
    build: `prisma generate && node -e "fs.rmSync('dist', { recursive: true, force: true })" && tsc`,
    // A production installation has no compiler, and starts what was built. In a workspace it lies further up.
    prestart: `node -e "if (module.paths.some((folder) => fs.existsSync(folder + '/.bin/tsc'))) process.exitCode = child_process.spawnSync('npm run build', { shell: true, stdio: 'inherit' }).status"`,
    start: 'node --enable-source-maps dist/src/app/main.js',
    token: 'node --import tsx src/app/token.ts',
    client: 'prismapi client --server=v1 --out=api.ts',
  },
  dependencies: ['@prisma/client', 'jose', 'koa', 'pino', 'prismapi'],
  // Two of them are what prismapi's engine for migrations is made of.
  devDependencies: [
    '@prisma/driver-adapter-utils',
    '@prisma/schema-engine-wasm',
    '@prismapi/cli',
    '@prismapi/testing',
    '@types/koa',
    '@types/node',
    'prisma',
    'tsx',
    'typescript',
  ],
  allowScripts: ['@prisma/engines', 'esbuild', 'prisma'],
}

export const applicationScripts: readonly string[] = Object.keys(shared.scripts)

const needs: Readonly<Record<NewProvider, PackageNeeds>> = {
  sqlite: {
    ...shared,
    dependencies: [...shared.dependencies, '@prisma/adapter-better-sqlite3', 'better-sqlite3'],
    allowScripts: [...shared.allowScripts, 'better-sqlite3'],
  },
  postgresql: {
    ...shared,
    dependencies: [...shared.dependencies, '@prisma/adapter-pg', 'pg'],
    devDependencies: [...shared.devDependencies, '@types/pg'],
  },
}

function needsOf(provider: NewProvider, signIn: SignInKind | null): PackageNeeds {
  if (signIn === null) return needs[provider]
  const { packages, scripts } = signInNeeds(signIn)
  const { dependencies, ...others } = needs[provider]
  return { ...others, dependencies: [...dependencies, ...packages], scripts: { ...others.scripts, ...scripts } }
}

/** The variables of `.env.example` that have to be set, with a secret. */
function environment(example: string): string {
  const lines = example.split('\n').filter((line) => /^[A-Z]/.test(line))
  return lines.map((line) => `${line === 'AUTH_SECRET=' ? line + randomBytes(32).toString('hex') : line}\n`).join('')
}
