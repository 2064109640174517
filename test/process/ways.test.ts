import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const script = ['--conditions=prismapi/source', '--import', 'tsx', 'scripts/ways.ts']

/** The files that one warm request goes through. Who needs more merges something, or says in the commit why it has to be more. */
const most = { list: 98, create: 106, update: 109, atomic: 124, page: 182 }

test('a request goes through no more files than before, by V8’s own count', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, script, { cwd: root })
  const counted = [...stdout.matchAll(/^(\w+): (\d+) files/gm)].map(
    ([, way = '', files]) => [way, Number(files)] as const,
  )
  expect(counted.map(([way]) => way)).toEqual(Object.keys(most))
  const above = counted.filter(([way, files]) => files > most[way as keyof typeof most])
  expect(Object.fromEntries(above)).toEqual({})
})
