import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin, UserConfig } from 'vite'
import configured from '../../../vitest.config.ts'
import { type FaultName, faults } from './faults.ts'

// The tests as ever, over sources that lack one line: nothing on disk is changed.

const root = path.resolve(import.meta.dirname, '../../..')
const { file, line, instead } = faults[process.env.WALL_FAULT as FaultName]
if (!readFileSync(path.join(root, file), 'utf8').includes(line)) throw new Error(`${file} has no longer: ${line}`)

const plant: Plugin = {
  name: 'plant',
  enforce: 'pre',
  transform: (code, id) => (id.split('?')[0] === path.join(root, file) ? code.replaceAll(line, instead) : null),
}

const { test, ...others } = configured as UserConfig
export default {
  ...others,
  root,
  plugins: [plant],
  // What was compiled is kept by what the files say.
  test: { ...test, experimental: { fsModuleCache: false } },
}
