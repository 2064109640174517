import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { keys } from '../support/studios/seed.ts'
import { type ServedStudios, serveStudios } from '../support/studios/serve.ts'

// The calendar of the studios is a program of its own, with the client that `prismapi client` writes of their desk.

const root = path.resolve(import.meta.dirname, '../..')

let folder: string
let served: ServedStudios
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'prismapi-calendar-'))
  cpSync(path.join(root, 'test/applications/studios/client'), folder, { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const { devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const packages = [`typescript@${devDependencies.typescript}`, 'openapi-fetch']
  expect(await run('npm', 'install', '--silent', '--no-audit', '--no-fund', ...packages)).toEqual({ code: 0, said: '' })
  const { compilerOptions } = JSON.parse(
    readFileSync(path.join(root, 'test/fixtures/typed-client/tsconfig.json'), 'utf8'),
  )
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['calendar.ts'] }))
  served = await serveStudios('sqlite')
  const file = path.join(folder, 'api.ts')
  expect(await served.studios.prismapi('client', '--server=desk', `--out=${file}`)).toMatchObject({ code: 0 })
})
afterAll(async () => {
  await served?.close()
  rmSync(folder, { recursive: true, force: true })
})

const run = (command: string, ...args: string[]): Promise<{ readonly code: number; readonly said: string }> =>
  new Promise((resolve) =>
    execFile(command, args, { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, said: stdout + (error ? stderr : '') }),
    ),
  )

const compile = () =>
  run(process.execPath, path.join(folder, 'node_modules/typescript/bin/tsc'), '-p', '.', '--pretty', 'false')

/** What the calendar's function says to somebody with a key. */
async function call(name: 'sessions' | 'book', ...args: readonly string[]): Promise<unknown> {
  const text = `import * as calendar from './calendar.ts'
    const [name, origin, key, ...args] = process.argv.slice(2)
    console.log(JSON.stringify(await calendar[name](calendar.connect(origin, key), ...args)))`
  writeFileSync(path.join(folder, 'main.mjs'), text)
  const tsx = ['--import', import.meta.resolve('tsx')]
  const { code, said } = await run(process.execPath, ...tsx, 'main.mjs', name, served.origin, keys.dee, ...args)
  expect({ code, said }).toMatchObject({ code: 0 })
  return JSON.parse(said)
}

test('it compiles, by the strictest settings', async () => {
  expect(await compile()).toEqual({ code: 0, said: '' })
})

test.each([
  ["'filter[room]'", "'filter[rooms]'"],
  ["sort: ['startsAt']", "sort: ['beginsAt']"],
  ['each.attributes?.name', 'each.attributes?.taxNumbers'],
  ["type: 'bookings',\n        attributes: { startsAt", "type: 'bookings',\n        attributes: { starts: startsAt"],
  ['/api/desk/bookings', '/api/site/bookings'],
])('it does not compile with another word in the place of %s', async (right, wrong) => {
  const file = path.join(folder, 'calendar.ts')
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(right)
  writeFileSync(file, text.replace(right, wrong))
  try {
    expect((await compile()).said).toMatch(/^calendar\.ts\(\d+,\d+\): error TS/)
  } finally {
    writeFileSync(file, text)
  }
})

test('it shows the sessions of a room, books another one, and says why one is refused', async () => {
  const before = [{ id: '1', startsAt: '2030-01-01T10:00:00.000Z', artist: 'north band 1' }]
  const shown = (await call('sessions', '1', '2030-01-01T00:00:00Z')) as object[]
  expect(shown).toEqual([...before, { id: '2', startsAt: '2030-01-01T14:00:00.000Z' }])
  const made = await call('book', '1', '2030-01-02T10:00:00Z', '2030-01-02T12:00:00Z')
  expect(made).toEqual({ id: expect.stringMatching(/^\d+$/) })
  expect(await call('book', '1', '2030-01-02T11:00:00Z', '2030-01-02T13:00:00Z')).toEqual({
    faults: [['/data/attributes/startsAt', 'The room is taken at that time.']],
  })
  expect(await call('sessions', '1', '2030-01-02T00:00:00Z')).toEqual([
    { ...(made as object), startsAt: '2030-01-02T10:00:00.000Z' },
  ])
})
