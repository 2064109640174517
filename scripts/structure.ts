// `npm run structure`: draws the packages and their rooms, as the imports in the code have them, into CONTRIBUTING.md and the README of each package.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { filesBelow, importsOf, packageOf, targetOf } from './packages/imports.ts'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

/** The folders of `packages/`. */
export const packages: readonly string[] = readdirSync(path.join(root, 'packages')).sort()

/** The sources of a package: `packages/core/src/http/call.ts`. */
const sourcesOf = (name: string): readonly string[] => filesBelow(`packages/${name}/src`)

/** A picture's arrow: the first one uses the second one. */
type Arrow = readonly [from: string, to: string]

/** The room of a file: the folder below `src/`; '' for a file that stands beside the rooms. */
const roomOf = (file: string): string => /^packages\/[^/]+\/src\/([^/]+)\//.exec(file)?.[1] ?? ''

/** Between rooms of one package; those of `jsonapi` stand in one line with the core's. */
function roomArrows(name: string): readonly Arrow[] {
  const near = name === 'core' ? ['core', 'jsonapi'] : [name]
  return sourcesOf(name)
    .flatMap(importsOf)
    .map((each) => [each.file, targetOf(each)] as const)
    .filter(([, to]) => near.includes(packageOf(to)))
    .map(([from, to]): Arrow => [roomOf(from), roomOf(to)])
    .filter(([from, to]) => from !== '' && to !== '' && from !== to)
}

const packageArrows = (): readonly Arrow[] =>
  packages.flatMap((name) => leansOn(name).map((other): Arrow => [name, other]))

/** The packages that one imports from, by the order of their names. */
const leansOn = (name: string): readonly string[] =>
  [...new Set(sourcesOf(name).flatMap(importsOf).map(targetOf).map(packageOf))]
    .filter((other) => other !== '' && other !== name)
    .sort()

/** The arrows that no way of other arrows makes, and all of those in a cycle: what a picture needs to show. */
function reduced(arrows: readonly Arrow[]): readonly Arrow[] {
  const next = new Map<string, Set<string>>()
  for (const [from, to] of arrows) next.set(from, (next.get(from) ?? new Set()).add(to))
  const reaches = (from: string, to: string, seen: Set<string>): boolean =>
    [...(next.get(from) ?? [])].some((step) => {
      if (step === to) return true
      if (seen.has(step)) return false
      seen.add(step)
      return reaches(step, to, seen)
    })
  const leads = (from: string, to: string): boolean => reaches(from, to, new Set())
  // A room of the same cycle is no step between: each room of it could then be left out for another one.
  const isBetween = (step: string, from: string, to: string): boolean =>
    leads(from, step) && leads(step, to) && !leads(step, from) && !leads(to, step)
  const isShort = ([from, to]: Arrow): boolean => ![...next.keys()].some((step) => isBetween(step, from, to))
  const once = [...new Map(arrows.map((arrow) => [arrow.join(' '), arrow])).values()]
  return once.filter(isShort).sort((a, b) => (a.join() < b.join() ? -1 : 1))
}

const picture = (arrows: readonly Arrow[]): string =>
  ['```mermaid', 'graph RL', ...reduced(arrows).map(([from, to]) => `  ${node(from)} --> ${node(to)}`), '```'].join(
    '\n',
  )

/** A name with a sign that Mermaid reads stands in quotes. */
const node = (name: string): string => (/^\w+$/.test(name) ? name : `${name.replaceAll(/\W+/g, '_')}["${name}"]`)

const linesOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + read(file).split('\n').length - 1, 0)

/** How large a package is. */
export const sizeOf = (name: string): { readonly lines: number; readonly files: number } => {
  const files = sourcesOf(name)
  return { lines: linesOf(files), files: files.length }
}

const descriptionOf = (name: string): string => JSON.parse(read(`packages/${name}/package.json`)).description

const nameOf = (name: string): string => JSON.parse(read(`packages/${name}/package.json`)).name

function packageTable(): string {
  const rows = packages.map((name) => `| [\`${nameOf(name)}\`](packages/${name}) | ${descriptionOf(name)} |`)
  return ['| package | |', '|---|---|', ...rows].join('\n')
}

/** What stands between `<!-- name -->` and `<!-- /name -->`, written anew. */
function withPart(text: string, name: string, part: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [start, end] = [text.indexOf(open), text.indexOf(close)]
  if (start < 0 || end < 0) throw new Error(`There is no ${open} … ${close}. Write both.`)
  return `${text.slice(0, start + open.length)}\n${part}\n${text.slice(end)}`
}

/** Each page that shows a part of the structure, with its text as it has to be. */
export function structurePages(): ReadonlyMap<string, string> {
  const contributing = withPart(
    withPart(withPart(read('CONTRIBUTING.md'), 'packages', picture(packageArrows())), 'package table', packageTable()),
    'rooms of the core',
    picture([...roomArrows('jsonapi'), ...roomArrows('core')]),
  )
  const readmes = packages.map((name): [string, string] => {
    const page = `packages/${name}/README.md`
    const rooms = roomArrows(name)
    const around = leansOn(name).map((other): Arrow => [name, nameOf(other)])
    const drawn =
      rooms.length > 0 && !['core', 'jsonapi'].includes(name)
        ? [...rooms, ...unled(name, rooms), ...around]
        : [...rooms, ...around]
    return [page, withPart(read(page), 'picture', picture(drawn))]
  })
  return new Map([['CONTRIBUTING.md', contributing], ...readmes])
}

/** From a package to those of its rooms that no other room leads to. */
function unled(name: string, rooms: readonly Arrow[]): readonly Arrow[] {
  const led = new Set(rooms.map(([, to]) => to))
  const all = [...new Set(sourcesOf(name).map(roomOf))].filter((room) => room !== '')
  return all.filter((room) => !led.has(room)).map((room): Arrow => [name, room])
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const [page, text] of structurePages()) writeFileSync(path.join(root, page), text)
