#!/usr/bin/env node
// `npx prismapi` in this repository, where nothing is built: the command line from its source.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../packages/cli/src/main.ts', import.meta.url))
const typescript = process.features.typescript ? [] : ['--import', new URL('read-source.mjs', import.meta.url).href]
const flags = ['--conditions=prismapi/source', ...typescript]
const { status } = spawnSync(process.execPath, [...flags, main, ...process.argv.slice(2)], { stdio: 'inherit' })
process.exitCode = status ?? 1
