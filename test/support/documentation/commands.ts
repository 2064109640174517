import { existsSync } from 'node:fs'
import path from 'node:path'
import { run } from '@prismapi/cli/run'
import { type Fence, placeOf } from './fences.ts'
import { read, root } from './pages.ts'

type Words = readonly string[]

const manifest = JSON.parse(read('package.json'))
const ofPrismapi = JSON.parse(read('packages/prismapi/package.json'))
const packages = { ...ofPrismapi.peerDependencies, ...manifest.devDependencies }

/** What is wrong with the commands of a fence, each with its place. */
export async function problemsOf(fence: Pick<Fence, 'page' | 'line' | 'code'>): Promise<string[]> {
  // Before a command there may be variables, and a comment behind it.
  const commands = fence.code.replaceAll(/ +#.*$/gm, '').split(/\n|&&/)
  const words = commands.map((command) =>
    command
      .trim()
      .replace(/^(?:[A-Z_]+=\S* )+/, '')
      .split(/ +/),
  )
  const problems = await Promise.all(words.map(problemOf))
  return problems.filter((problem) => problem !== null).map((problem) => `${placeOf(fence)}: ${problem}`)
}

async function problemOf([program = '', ...args]: Words): Promise<string | null> {
  switch (program) {
    case '':
    // Of PostgreSQL; scripts/scaling/ runs it.
    case 'pg_basebackup':
      return null
    // An agent, which starts the command behind its dashes.
    case 'claude':
      return args.includes('--') ? problemOf(args.slice(args.indexOf('--') + 1)) : null
    // What a new application compiles to.
    case 'node':
      return args.join(' ') === 'dist/src/app/main.js' ? null : `nobody knows node ${args.join(' ')}`
    case 'npm':
      return problemOfNpm(args)
    case 'npx':
      return problemOfNpx(args)
    default:
      return `nobody knows ${program}`
  }
}

function problemOfNpm([command = '', ...args]: Words): string | null {
  if (command === 'ci') return null
  if (command === 'install') {
    const missing = args.find((name) => !name.startsWith('-') && !isKnown(name))
    return missing === undefined ? null : `package.json has no ${missing}`
  }
  const script = command === 'run' ? (args[0] ?? '') : command
  return script in manifest.scripts ? null : `there is no script ${script}`
}

/** A package that package.json names, by itself or with the version that it asks for. */
function isKnown(word: string): boolean {
  const [, name = word, version] = /^(.+)@([^@]+)$/.exec(word) ?? []
  return name in packages && (version === undefined || version === packages[name])
}

async function problemOfNpx([program = '', ...args]: Words): Promise<string | null> {
  if (program === 'prismapi') return problemOfPrismapi(args)
  if (!existsSync(path.join(root, 'node_modules/.bin', program))) return `there is no program ${program}`
  const missing = args.find((word) => word.includes('/') && !existsSync(path.join(root, word)))
  return missing === undefined ? null : `there is no ${missing}`
}

/** With `--help`, a command says what is wrong with its options, and does nothing. */
async function problemOfPrismapi(args: Words): Promise<string | null> {
  const complaints: string[] = []
  const terminal = {
    say() {},
    complain: (line: string) => void complaints.push(line.replace(/^error /, '')),
    paint: (_: unknown, text: string) => text,
  }
  await run([...args, '--help'], root, terminal)
  return complaints.length === 0 ? null : complaints.join(' ')
}
