import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { jobsOf, requestParts } from '../../scripts/nightly/jobs.ts'
import { faults } from '../../scripts/nightly/wall/faults.ts'
import { walks } from '../../scripts/nightly/wall/walks.ts'
import { rooms } from '../../tools/mutation/rooms.ts'

const root = path.resolve(import.meta.dirname, '../..')
const jobs = jobsOf(7)

test('the jobs of a night have budgets of two hours together', () => {
  for (const night of [jobs, jobsOf(8)]) {
    expect(night.map(({ minutes }) => minutes).every((minutes) => minutes > 0)).toBe(true)
    expect(night.reduce((sum, { minutes }) => sum + minutes, 0)).toBeLessThanOrEqual(120)
  }
})

test('each room of mutation testing has its turn', () => {
  const nights = Array.from({ length: 2 * rooms.length }, (_, seed) => jobsOf(seed))
  const tried = nights.flatMap((night) =>
    night.filter(({ name }) => name === 'mutation').map(({ command }) => command.at(-1)),
  )
  expect(tried).toEqual(rooms.map(({ name }) => name))
})

test('each endpoint has its turn, with 10,000 requests', () => {
  const commands = Array.from({ length: requestParts }, (_, seed) =>
    jobsOf(seed).flatMap(({ name, command }) => (name === 'requests' ? [command.join(' ')] : [])),
  ).flat()
  const wordBehind = (option: string) => commands.map((command) => command.split(`--${option} `)[1]?.split(' ')[0])
  expect(new Set(wordBehind('runs'))).toEqual(new Set(['10000']))
  const parts = Array.from({ length: requestParts }, (_, i) => `${i + 1}/${requestParts}`)
  expect(wordBehind('part').toSorted()).toEqual(parts.toSorted())
})

test('each line of the wall is missed by a walk, and each walk has its turn', () => {
  const noticed = new Set(Object.values(walks).flatMap(({ notices }) => notices))
  expect([...noticed].sort()).toEqual(Object.keys(faults).sort())
  const files = Object.values(walks).map(({ file }) => file)
  const asked = files.map((_, seed) =>
    jobsOf(4 * seed + 2)
      .find(({ name }) => name === 'wall')
      ?.command.at(-1),
  )
  expect(asked).toEqual(files)
  for (const { file, line } of Object.values(faults))
    expect(readFileSync(path.join(root, file), 'utf8')).toContain(line)
})

test('each has a name of its own, and a sentence that says what for', () => {
  expect(new Set(jobs.map(({ name }) => name)).size).toBe(jobs.length)
  expect(jobs.filter(({ purpose }) => !/^[A-Z].+\.$/.test(purpose))).toEqual([])
})

test('the scripts, files and folders that their commands name are there', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const words = jobs.map(({ command }) => command)
  const npmScripts = words
    .filter((command) => command.includes('npm'))
    .map((command) => command[command.indexOf('npm') + 2])
  expect(npmScripts.filter((name) => !Object.hasOwn(scripts, name ?? ''))).toEqual([])
  const files = words.flat().filter((word) => /^(?:scripts|test|tools)\//.test(word))
  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
  expect([npmScripts.length > 10, files.length > 3]).toEqual([true, true])
})

test('another night draws something else, the same seed the same', () => {
  const commands = (seed: number) => jobsOf(seed).map(({ command }) => command.join(' '))
  expect(commands(7)).toEqual(commands(7))
  expect(commands(8)).not.toEqual(commands(7))
})
