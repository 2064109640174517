import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

// Packages that a folder has of its own: scripts/packages/. A program stands in the place of npm, and takes its time.

const root = path.resolve(import.meta.dirname, '../..')
const npm = '#!/bin/sh\necho began >> ../log\necho at work >&2\nsleep 1\nmkdir -p node_modules\necho ended >> ../log\n'
let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'prismapi-packages-'))
  cpSync(path.join(root, 'scripts/packages'), path.join(folder, 'scripts/packages'), { recursive: true })
  for (const name of ['tools', 'bin', 'node_modules']) mkdirSync(path.join(folder, name))
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(path.join(folder, 'tools/package-lock.json'), '{}')
  writeFileSync(path.join(folder, 'bin/npm'), npm, { mode: 0o755 })
  for (const name of ['better-sqlite3', 'bindings', 'file-uri-to-path', 'tsx'])
    symlinkSync(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A command that needs the packages: it is silent, and prints what npm has done by then. */
const command = () =>
  promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/packages/run.ts', 'tools', 'cat', 'log'], {
    cwd: folder,
    env: { ...process.env, PATH: `${path.join(folder, 'bin')}:${process.env.PATH}` },
  })

test('two commands at once install them once, and each begins when all are there', async () => {
  const told = await Promise.all([command(), command()])
  expect(told.map(({ stdout }) => stdout)).toEqual(['began\nended\n', 'began\nended\n'])
  expect((await command()).stdout).toBe('began\nended\n')
})

test('they are installed anew for another lock file, though a command was killed meanwhile', async () => {
  writeFileSync(path.join(folder, 'tools/package-lock.json'), '{ "another": true }')
  const killed = command()
  killed.child.stderr?.on('data', (text) => String(text).includes('at work') && killed.child.kill('SIGKILL'))
  await expect(killed).rejects.toThrow()
  await command()
  expect(readFileSync(path.join(folder, 'log'), 'utf8').match(/began/g)).toHaveLength(3)
})
